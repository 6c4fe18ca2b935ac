import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { contentText, type AgentInfo } from "../../src/core/index.ts";
import type { Kit, ToolkitOptions } from "../../src/kit/index.ts";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";
import type { Scenes } from "../support/agent-world.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import {
  bash,
  git,
  openedAt,
  repository as repositoryAt,
  stateOf,
  write,
} from "../support/worktree-world.ts";

const at = temporaryFolder("worktree");
afterEach(() => void vi.unstubAllEnvs());

const repository = (): string => repositoryAt(at);
const opened = async (root: string, table: Scenes, options: ToolkitOptions = {}) =>
  await openedAt(at, { root, table }, options);

async function inWorktree(kit: Kit, more: object = {}): Promise<AgentInfo> {
  return await kit.agents.start({ prompt: "work", isWorktree: true, ...more });
}

const committing = (name: string) => [
  { calls: [write(`${name}.txt`, `${name}\n`)] },
  { calls: [bash(`git add . && git commit -q -m ${name}`)] },
  { text: name },
];

describe("an agent in a worktree", () => {
  test("changes and commits in its own checkout; its branch holds the work", async () => {
    const root = repository();
    await using world = await opened(root, {
      work: [
        { calls: [write("c.txt", "three\n")] },
        { calls: [bash("git add c.txt && git commit -q -m Third")] },
        { calls: [write("d.txt", "not committed\n")] },
        { text: "done" },
      ],
    });
    const before = stateOf(root);

    const { worktree, status } = await inWorktree(world.kit, { branchName: "haft/third" });

    expect(status).toBe("done");
    expect(worktree).toMatchObject({
      branch: "haft/third",
      commits: 1,
      changedFiles: 1,
      isKept: true,
    });
    expect(git(root, "show", "haft/third:c.txt")).toBe("three");
    expect(stateOf(root)).toBe(before);
    expect(readFileSync(path.join(worktree?.path ?? "", "d.txt"), "utf8")).toBe("not committed\n");
  });

  test("without changes is removed with its branch", async () => {
    const root = repository();
    await using world = await opened(root, { work: [{ text: "nothing to do" }] });

    const { worktree } = await inWorktree(world.kit);

    expect(worktree).toMatchObject({ commits: 0, changedFiles: 0, isKept: false });
    expect(git(root, "branch", "--list", "haft/*")).toBe("");
    expect(readdirSync(path.join(world.home, ".haft-worktrees"))).toEqual([]);
  });

  test("continues in its worktree when it is resumed", async () => {
    const root = repository();
    await using world = await opened(root, {
      work: [
        { calls: [write("c.txt", "three\n")] },
        { text: "first" },
        { calls: [{ name: "Read", input: { file_path: "c.txt" } }] },
        { text: "second" },
      ],
    });
    const first = await inWorktree(world.kit);

    const second = await world.kit.agents.start({ prompt: "more", resume: first.agentId });

    expect(second.worktree?.path).toBe(first.worktree?.path);
    expect(JSON.stringify(world.model.requests.at(-1)?.messages)).toContain("three");
  });

  test("two at once do not meet: both branches hold their work", async () => {
    const root = repository();
    await using world = await opened(root, { one: committing("one"), two: committing("two") });

    await Promise.all(
      ["one", "two"].map(
        async (prompt) =>
          await world.kit.agents.start({ prompt, isWorktree: true, branchName: prompt }),
      ),
    );

    expect(git(root, "show", "one:one.txt")).toBe("one");
    expect(git(root, "show", "two:two.txt")).toBe("two");
  });

  test("rules for paths of the workspace apply there", async () => {
    const root = repository();
    await using world = await opened(
      root,
      { work: [{ calls: [{ name: "Read", input: { file_path: "src/b.txt" } }] }, { text: "x" }] },
      { rules: { deny: ["Read(./src/**)"] } },
    );

    await inWorktree(world.kit);

    expect(JSON.stringify(world.model.requests.at(-1)?.messages)).toContain("PERMISSION_DENIED");
  });

  test("that names a path of the other checkout learns the path that it means", async () => {
    const root = repository();
    await using world = await opened(root, {
      work: [{ calls: [write(path.join(root, "src/b.txt"))] }, { text: "x" }],
    });

    const { worktree } = await inWorktree(world.kit);
    const text = JSON.stringify(world.model.requests.at(-1)?.messages);

    expect(text).toContain("OUTSIDE_WORKSPACE");
    expect(text).toContain(`Use ${worktree?.path}/src/b.txt.`);
  });
});

/** Calls that try to change the checkout from which the worktree was made; `$R` is its path, `$W` the worktree. */
const attempts: readonly { readonly name: string; readonly input: object }[] = [
  write("$R/a.txt"),
  write("$R/new.txt"),
  write("$W/../../../repo/a.txt"),
  write("../../../repo/a.txt"),
  write("link/a.txt"),
  write("link-file"),
  { name: "Edit", input: { file_path: "$R/a.txt", old_string: "one", new_string: "evil" } },
  { name: "Edit", input: { file_path: "link/a.txt", old_string: "one", new_string: "evil" } },
  write("$R/.git/config"),
  write("$R/.git/hooks/post-checkout", "#!/bin/sh\ntouch evil\n"),
  write("$R/.git/HEAD", "ref: refs/heads/other\n"),
  write("$R/.git/index"),
  write("$R/.git/refs/heads/other", `${"0".repeat(40)}\n`),
  bash("echo evil > $R/a.txt"),
  bash("cd $R && echo evil > a.txt"),
  bash("cd $R; git commit --allow-empty -m evil"),
  bash("git -C $R commit --allow-empty -m evil"),
  bash("git -C $R checkout other"),
  bash("git -C $R reset --hard HEAD~1"),
  bash("git -C $R branch -D other"),
  bash("git -C $R branch evil"),
  bash("git -C $R tag evil"),
  bash("git -C $R stash --include-untracked"),
  bash("git -C $R config core.hooksPath /tmp"),
  bash("git -C $R add -A"),
  bash("git -C $R update-ref refs/heads/other HEAD~1"),
  bash("git -C $R clean -fdx"),
  bash("git -C $R gc --prune=now"),
  bash("git --git-dir=$R/.git commit --allow-empty -m evil"),
  bash("git --git-dir=$R/.git --work-tree=$R checkout -f other"),
  bash("GIT_DIR=$R/.git git commit --allow-empty -m evil"),
  bash("export GIT_DIR=$R/.git; git branch evil2"),
  bash("GIT_DIR=$R/.git GIT_WORK_TREE=$R git checkout -f other"),
  bash("GIT_INDEX_FILE=$R/.git/index git read-tree HEAD~1"),
  bash("GIT_OBJECT_DIRECTORY=$R/.git/objects git hash-object -w a.txt && rm -rf $R/.git/objects"),
  bash("git push $R HEAD:refs/heads/other --force"),
  bash("git push $R HEAD:refs/heads/evil"),
  bash("git remote add up $R && git push up HEAD:main --force"),
  bash("git config core.worktree $R && git checkout -f HEAD~1; git config --unset core.worktree"),
  bash("git worktree add $R/evil"),
  bash("ln -sfn $R here && echo evil > here/a.txt"),
  bash("ln $R/a.txt hard && echo evil > hard"),
  bash("cp -r .git $R/.git-evil"),
  bash("rm -rf $R/src"),
  bash("mv $R/a.txt stolen"),
  bash("chmod 000 $R/a.txt"),
  bash("sh -c 'echo evil > \"$1\"' x $R/a.txt"),
  bash("node -e \"require('fs').writeFileSync('$R/a.txt','evil')\""),
  bash("python3 -c \"open('$R/a.txt','w').write('evil')\""),
  bash("tee $R/a.txt < src/b.txt"),
  bash("dd if=src/b.txt of=$R/a.txt"),
  bash("find $R -name '*.txt' -delete"),
  bash("printf 'gitdir: $R/.git\\n' > g && GIT_DIR=g git branch evil3"),
  bash(
    "rm -rf .git && printf 'gitdir: $R/.git\\n' > .git && git branch evil4; git commit --allow-empty -m evil",
  ),
];

async function treeOf(kit: Kit): Promise<string> {
  return (await kit.agents.list())[0]?.worktree?.path ?? "";
}

/** Runs the attempts in an agent in a worktree and returns the texts of their results. */
async function tried(root: string, options: ToolkitOptions = {}) {
  const turns = attempts.map((attempt, index) => async () => {
    const tree = await treeOf(world.kit);
    if (index === 0) {
      symlinkSync(root, path.join(tree, "link"));
      symlinkSync(path.join(root, "a.txt"), path.join(tree, "link-file"));
    }
    const text = JSON.stringify(attempt).replaceAll("$R", root).replaceAll("$W", tree);
    return { calls: [JSON.parse(text) as (typeof attempts)[number]] };
  });
  await using world = await opened(root, { work: [...turns, { text: "tried" }] }, options);
  const agent = await inWorktree(world.kit, { maxTurns: 100 });
  const results = (world.model.requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === "tool" ? message.content.map(({ content }) => contentText(content)) : [],
  );
  return { agent, results };
}

/** Drivers that work on the machine of the test, unless HAFT_ESCAPE_DRIVERS names some, as for the escape tests. */
const wanted = process.env["HAFT_ESCAPE_DRIVERS"]?.split(",");
const names = ["bwrap", "landlock", "unshare"] as const;
const probed = await Promise.all(
  drivers
    .filter(({ name }) => names.some((each) => each === name) && (wanted?.includes(name) ?? true))
    .map(async (driver) => await probeDriver(driver)),
);
const working = names.filter((name) =>
  probed.some(({ driver, report }) => driver === name && report !== undefined),
);

test.skipIf(wanted === undefined)("every driver that CI names works here", () => {
  expect([...working].toSorted()).toEqual([...(wanted ?? [])].toSorted());
});

test.each(working)(
  "no attempt changes the files, index, HEAD, settings or branches of the other checkout: %s",
  async (driver) => {
    const root = repository();
    const before = stateOf(root);

    const { agent, results } = await tried(root, { sandbox: { driver, require: "enforced" } });
    const stopped = results.filter((text) => /Read-only file system|Permission denied/u.test(text));

    expect(agent).toMatchObject({ status: "done", calls: attempts.length });
    expect(attempts.length).toBeGreaterThan(40);
    expect(stateOf(root)).toBe(before);
    // Each attempt is refused by the rules or stopped by the sandbox. Programs run unasked only where an overlay
    // records their changes, so other drivers have nothing left to stop.
    const refused = results.filter((text) => /^[A-Z_]+:/u.test(text));
    expect(refused.length + stopped.length).toBe(attempts.length);
    expect(driver !== "bwrap" || stopped.length > 4).toBe(true);
  },
  120_000,
);

test("a resumed agent is as far from the other checkout", async () => {
  const root = repository();
  const evil = path.join(root, "a.txt");
  await using world = await opened(root, {
    work: [
      { calls: [write("mine.txt")] },
      { text: "first" },
      { calls: [write(evil), bash(`sh -c 'echo evil > "$1"' x ${evil}`)] },
      { text: "second" },
    ],
  });
  const { agentId } = await inWorktree(world.kit);
  const before = stateOf(root);

  const resumed = await world.kit.agents.start({ prompt: "more", resume: agentId });

  expect(resumed).toMatchObject({ status: "done", calls: 3 });
  expect(stateOf(root)).toBe(before);
});

describe("a worktree is refused, and the repository stays as it is", () => {
  const cases = [
    {
      name: "a branch that exists",
      prepare: () => undefined,
      more: { branchName: "other" },
      code: "ALREADY_EXISTS",
      message: "The branch other cannot be created: it exists.",
    },
    {
      name: "an invalid name of a branch",
      prepare: () => undefined,
      more: { branchName: "a..b" },
      code: "INVALID_INPUT",
      message: '"a..b" is not a name of a branch.',
    },
    {
      name: "changes that are not committed",
      prepare: (root: string) => writeFileSync(path.join(root, "a.txt"), "changed\n"),
      more: {},
      code: "UNAVAILABLE",
      message: "1 changed file is not committed, and the agent would not see the changes.",
    },
    {
      name: "no repository",
      prepare: (root: string) => rmSync(path.join(root, ".git"), { recursive: true }),
      more: {},
      code: "UNAVAILABLE",
      message: "The workspace is not in a git repository.",
    },
    {
      name: "a repository without commits",
      prepare: (root: string) => {
        rmSync(path.join(root, ".git"), { recursive: true });
        git(root, "init", "--quiet");
      },
      more: {},
      code: "UNAVAILABLE",
      message: "The repository has no commit.",
    },
    {
      name: "a bare repository",
      prepare: (root: string) => {
        rmSync(root, { recursive: true });
        git(at(""), "init", "--quiet", "--bare", root);
      },
      more: {},
      code: "UNAVAILABLE",
      message: "The workspace is a bare repository, which has no files.",
    },
  ];

  test.each(cases)("$name", async ({ prepare, more, code, message }) => {
    const root = repository();
    prepare(root);
    await using world = await opened(root, { work: [{ text: "never" }] });

    const agent = await inWorktree(world.kit, more);

    expect(agent).toMatchObject({ status: "failed", error: { code, message } });
    expect(agent.error?.hint).toMatch(/\.$/u);
    expect(world.model.requests).toEqual([]);
  });
});
