import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { type Answer, type ToolkitOptions } from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { bash, python } from "../support/kit-folder.ts";
import { askingKit } from "../support/asking-kit.ts";

const missing = await probeOverlay({ directory: await realpath(tmpdir()) });

const { at, open } = askingKit();

const writeProtected = python(
  "open('b.txt', 'w').write('b'); open('.envrc', 'w').write('x'); os.mkdir('.claude'); open('.claude/settings.json', 'w').write('{}')",
);

const yes: Answer = { kind: "once" };

test.skipIf(missing === undefined)("overlays do not work here", ({ skip }) => {
  expect(missing).toBeDefined();
  skip(missing?.reason);
});

describe.skipIf(missing !== undefined)("a command that makes protected files", () => {
  test("is asked about by their names, once, and keeps all it changed with a yes", async () => {
    const { kit, asked } = await open(yes);

    const outcome = await bash(kit, writeProtected);

    expect(asked.map(({ question }) => question)).toEqual([
      "Keep what the command changed, .claude/settings.json, .envrc included?",
    ]);
    expect(asked[0]?.reason).toContain("2 of these files run by themselves");
    expect(asked[0]?.preview).toContain(".envrc");
    expect(outcome.status).toBe("ok");
    expect(outcome.text).not.toContain("the user should check it");
    expect(existsSync(at("work/.envrc"))).toBe(true);
    await kit.undo();
    expect(await readdir(at("work"))).toEqual(["a.txt", "src"]);
  });

  test.each<{
    readonly where: string;
    readonly answer?: Answer;
    readonly options?: ToolkitOptions;
    readonly code: string;
    readonly because: string;
  }>([
    {
      where: "with a no",
      answer: { kind: "deny", reason: "why?" },
      code: "DENIED_BY_USER",
      because: "said no: why?",
    },
    {
      where: "with nobody to ask",
      code: "APPROVAL_REQUIRED",
      because: "no user was available to approve it",
    },
    {
      where: "in dontAsk",
      answer: yes,
      options: { mode: "dontAsk" },
      code: "APPROVAL_REQUIRED",
      because: "this mode refuses instead of asking",
    },
  ])("changes nothing at all $where", async ({ answer, options, code, because }) => {
    const { kit } = await open(answer, options);

    const outcome = await bash(kit, `${writeProtected}; echo done`);

    expect(outcome.status).toBe("denied");
    expect(outcome.error).toMatchObject({
      code,
      data: { paths: [at("work/.claude/settings.json"), at("work/.envrc")] },
    });
    expect(outcome.text).toContain(because);
    expect(outcome.text).toContain("done");
    expect(await readdir(at("work"))).toEqual(["a.txt", "src"]);
    expect(outcome.undo).toBeUndefined();
    expect(await kit.history()).toEqual([]);
  });

  test("is told to the model with what to do", async () => {
    const { kit } = await open(undefined);

    const outcome = await bash(kit, python("open('.npmrc', 'w').write('x')"));

    expect(outcome.text).toMatchInlineSnapshot(`
      "APPROVAL_REQUIRED: No change of the command was applied, because it also changed a protected file (.npmrc) and no user was available to approve it.
      Before that it answered:
      (No output.)
      It ran on an overlay, so the workspace is unchanged. Run it again without those files; if they are needed, name each in a call of its own, so that the user is asked."
    `);
  });

  test("is asked about in acceptEdits as well, and not in bypassPermissions", async () => {
    const { kit, asked } = await open(yes, { mode: "acceptEdits" });
    await bash(kit, writeProtected);
    const free = await open(yes, { mode: "bypassPermissions" });
    const outcome = await bash(free.kit, python("open('.npmrc', 'w').write('x')"));

    expect([asked.length, free.asked.length]).toEqual([1, 0]);
    expect(outcome.status).toBe("ok");
    expect(outcome.text).toContain("the user should check it");
  });

  test("is not asked about again for what its text named", async () => {
    const { kit, asked } = await open(yes);

    await bash(kit, `echo x > .envrc; ${python("open('b.txt', 'w').write('b')")}`);

    expect(asked.length).toBe(1);
    expect(asked[0]?.question).toContain(".envrc");
    expect(readFileSync(at("work/b.txt"), "utf8")).toBe("b");
  });

  test("is asked about once in the mode preview", async () => {
    const { kit, asked } = await open(yes, { sandbox: { overlay: "preview" } });

    await bash(kit, writeProtected);

    expect(asked.length).toBe(1);
    expect(asked[0]?.question).toContain(".envrc");
  });

  test("cannot hide them behind a folder that is moved, or a link", async () => {
    const { kit } = await open(undefined);

    const moved = await bash(
      kit,
      python("os.mkdir('c'); open('c/tasks.json', 'w').write('x'); os.rename('c', '.vscode')"),
    );
    const linked = await bash(kit, python("os.symlink('src', '.husky')"));

    expect([moved.status, linked.status]).toEqual(["denied", "denied"]);
    expect(await readdir(at("work"))).toEqual(["a.txt", "src"]);
  });
});

describe.skipIf(missing !== undefined)("commands of every day", () => {
  const environment = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...words: readonly string[]): void => {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: at("work"),
      env: environment,
      stdio: "ignore",
    });
  };

  test.each<[string, string, readonly string[]]>([
    ["git init", "git init -q", []],
    [
      "a repository and its first commit",
      "git init -q; git add a.txt; git -c user.name=a -c user.email=a@b commit -qm x",
      [],
    ],
    ["a program that runs git init", python("os.system('git init -q made')"), []],
    [
      "a program that gives a repository a hook",
      python("os.system('git init -q'); open('.git/hooks/pre-commit', 'w').write('x')"),
      [".git/hooks/pre-commit"],
    ],
    [
      "a program that says what git runs",
      python("os.system('git init -q made; cd made; git config core.fsmonitor x')"),
      ["made/.git/config"],
    ],
    ["a file called like none of them", python("open('envrc', 'w').write('x')"), []],
    ["an empty folder", python("os.mkdir('.vscode')"), []],
  ])("%s", async (_, command, named) => {
    const { kit, asked } = await open(yes);

    const outcome = await bash(kit, command);

    expect(outcome.status).toBe("ok");
    expect(asked.flatMap(({ question }) => question)).toEqual(
      named.length === 0 ? [] : [`Keep what the command changed, ${named.join(", ")} included?`],
    );
  });

  test("git clone into a new folder brings whatever the repository holds", async () => {
    writeFileSync(at("work/.envrc"), "x");
    git("init", "-q");
    git("add", ".envrc", "a.txt");
    git("commit", "-qm", "x");
    const { kit, asked } = await open(yes);

    const outcome = await bash(kit, "git clone -q . copy");

    expect(outcome.status).toBe("ok");
    expect(asked).toEqual([]);
    expect(existsSync(at("work/copy/.envrc"))).toBe(true);
  });

  test("a commit in a repository is not asked about", async () => {
    git("init", "-q");
    const { kit, asked } = await open(yes);

    await bash(
      kit,
      python("os.system('git add a.txt; git -c user.name=a -c user.email=a@b commit -qm x')"),
    );

    expect(asked).toEqual([]);
    expect(existsSync(at("work/.git/refs/heads"))).toBe(true);
    expect(realpathSync(at("work"))).toBe(at("work"));
  });

  test("a branch that brings a protected file is asked about", async () => {
    git("init", "-q", "-b", "main");
    git("add", "a.txt");
    git("commit", "-qm", "x");
    git("checkout", "-qb", "other");
    writeFileSync(at("work/.envrc"), "x");
    git("add", ".envrc");
    git("commit", "-qm", "y");
    git("checkout", "-q", "main");
    const { kit, asked } = await open(yes);

    await bash(kit, "git checkout -q other");

    expect(asked.map(({ question }) => question)).toEqual([
      "Keep what the command changed, .envrc included?",
    ]);
    expect(existsSync(at("work/.envrc"))).toBe(true);
  });
});
