import { describe, expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import {
  readDirectoryInstructions,
  readInstructions,
  type ReadInstructionsOptions,
} from "./read-instructions.ts";

const workspace = "/repo/packages/app";
const home = "/home/user";

const notRecorded = () => false;
const redact = (text: string) => text.replaceAll("sk-1", "[secret]");

function world(
  files: Readonly<Record<string, string>>,
  more: Partial<ReadInstructionsOptions> = {},
): ReadInstructionsOptions {
  const all = { "/repo/.git/HEAD": "ref", [`${workspace}/keep`]: "", ...files };
  const host = memoryHost({ root: workspace, home, files: all });
  const refusal = ({ path }: { readonly path: string }) =>
    path.startsWith(`${workspace}/keys/`) ? "It may hold secrets." : undefined;
  const roots = [workspace];
  return {
    host,
    workspace,
    roots,
    home,
    trusted: true,
    isRecorded: notRecorded,
    refusal,
    redact,
    ...more,
  };
}

const pathsOf = ({ files }: Awaited<ReturnType<typeof readInstructions>>) =>
  files.map(({ path }) => path);

describe("instructions", () => {
  test("come from the user, then from the root of the repository down; the nearest is last", async () => {
    const options = world({
      [`${workspace}/AGENTS.md`]: "app",
      "/repo/packages/AGENTS.md": "packages",
      "/repo/CLAUDE.md": "repo",
      "/AGENTS.md": "outside the repository",
      [`${home}/.haft/AGENTS.md`]: "mine",
      [`${home}/.claude/CLAUDE.md`]: "mine elsewhere",
      [`${workspace}/deep/AGENTS.md`]: "deep",
    });

    const { files } = await readInstructions(options);

    expect(files.map(({ text, origin }) => [origin, text])).toEqual([
      ["user", "mine"],
      ["user", "mine elsewhere"],
      ["project", "repo"],
      ["project", "packages"],
      ["project", "app"],
    ]);
  });

  test("of a directory that a call touched are those between it and the workspace", async () => {
    const options = world({
      [`${workspace}/AGENTS.md`]: "app",
      [`${workspace}/src/AGENTS.md`]: "src",
      [`${workspace}/src/ui/CLAUDE.md`]: "ui",
      [`${workspace}/test/AGENTS.md`]: "test",
    });
    const touched = {
      ...options,
      known: [{ path: `${workspace}/src/AGENTS.md`, isTrusted: true }],
    };

    expect(pathsOf(await readDirectoryInstructions(`${workspace}/src/ui`, touched))).toEqual([
      `${workspace}/src/ui/CLAUDE.md`,
    ]);
    expect(pathsOf(await readDirectoryInstructions("/etc", touched))).toEqual([]);
  });

  test.each([
    { directory: "node_modules/evil", because: "it holds dependencies" },
    { directory: "packages/a/Vendor/evil", because: "its name has another case" },
    { directory: ".venv/lib/python3/site-packages/evil", because: "it holds dependencies" },
    { directory: "out/evil", because: "git ignores it" },
    { directory: "dist", because: "it is the output of a tool" },
  ])("of $directory are not used: $because", async ({ directory }) => {
    const file = `${workspace}/${directory}/AGENTS.md`;
    const options = world({ [file]: "evil", [`${workspace}/.gitignore`]: "/out/\n" });

    const { files, problems } = await readDirectoryInstructions(`${workspace}/${directory}`, {
      ...options,
      known: [],
    });

    expect(files).toEqual([]);
    expect(problems).toMatchObject([
      { severity: "warning", file, message: expect.stringContaining(" is left out: ") },
    ]);
    expect(problems[0]?.hint).toContain("Import the file");
  });

  test("of a directory are not those of a dependency that a link leads to", async () => {
    const options = world({
      [`${workspace}/src/a.ts`]: "a",
      [`${workspace}/node_modules/evil/AGENTS.md`]: "evil",
    });
    await options.host.fs.makeLink?.(
      `${workspace}/src/AGENTS.md`,
      "../node_modules/evil/AGENTS.md",
    );

    const found = await readDirectoryInstructions(`${workspace}/src`, {
      ...options,
      known: [],
    });

    expect(found.files).toEqual([]);
    expect(found.problems).toHaveLength(1);
  });

  test("of a directory may be in an ignored .claude or CLAUDE.local.md", async () => {
    const options = world({
      [`${workspace}/src/.claude/CLAUDE.md`]: "src",
      [`${workspace}/src/CLAUDE.local.md`]: "local",
      [`${workspace}/.gitignore`]: ".claude/\nCLAUDE.local.md\n",
    });

    const found = await readDirectoryInstructions(`${workspace}/src`, {
      ...options,
      known: [],
    });

    expect(found.files.map(({ text }) => text)).toEqual(["src", "local"]);
  });

  test("that are the same in AGENTS.md and CLAUDE.md are used once", async () => {
    const options = world({
      [`${workspace}/AGENTS.md`]: "same",
      [`${workspace}/CLAUDE.md`]: "same",
    });

    expect(pathsOf(await readInstructions(options))).toEqual([`${workspace}/AGENTS.md`]);
  });

  test("of an untrusted project are marked, those of the user are not", async () => {
    const files = { [`${workspace}/AGENTS.md`]: "app", [`${home}/.haft/AGENTS.md`]: "mine" };

    const { files: found } = await readInstructions(world(files, { trusted: false }));

    expect(found.map(({ isTrusted }) => isTrusted)).toEqual([true, false]);
  });
});

describe("a file that is not to be read", () => {
  test.each([
    { name: "AGENTS.md", because: "the rules refuse it", target: `${workspace}/keys/id` },
    { name: "AGENTS.md", because: "it holds secrets", target: `${workspace}/.env` },
  ])("is left out and named where $because", async ({ name, target }) => {
    const options = world({ [target]: "TOKEN=1", [`${workspace}/CLAUDE.md`]: "use tabs" });
    await options.host.fs.makeLink?.(`${workspace}/${name}`, target);

    const { files, problems } = await readInstructions(options);

    expect(files.map(({ text }) => text)).toEqual(["use tabs"]);
    expect(problems).toEqual([
      {
        severity: "warning",
        file: `${workspace}/${name}`,
        message: expect.stringMatching(/ is left out\. .*may hold secrets\.$/u),
        hint: "Put what the model should know in a file that it may read.",
      },
    ]);
  });

  test("is judged by its canonical path and by the one that found it", async () => {
    const judged: unknown[] = [];
    const options = world(
      { [`${workspace}/docs/a.md`]: "a", [`${home}/.haft/AGENTS.md`]: "mine" },
      {
        refusal: (file) => {
          judged.push(file);
          return undefined;
        },
      },
    );
    await options.host.fs.makeLink?.(`${workspace}/AGENTS.md`, "docs/a.md");

    await readInstructions(options);

    expect(judged).toEqual([
      { path: `${home}/.haft/AGENTS.md`, named: `${home}/.haft/AGENTS.md`, isOfUser: true },
      { path: `${workspace}/docs/a.md`, named: `${workspace}/AGENTS.md`, isOfUser: false },
    ]);
  });
});

test("instructions have no secrets in their text, and imports in it are still followed", async () => {
  const options = world({
    [`${workspace}/AGENTS.md`]: "The key is sk-1. @sk-1.md",
    [`${workspace}/sk-1.md`]: "more",
  });

  const { files } = await readInstructions(options);

  expect(files.map(({ text }) => text)).toEqual(["more", "The key is [secret]. @[secret].md"]);
});

describe("imports", () => {
  test("are read before the file that names them, relative to it, and not from code", async () => {
    const options = world({
      [`${workspace}/AGENTS.md`]:
        "See @docs/style.md, ask @alice, not `@docs/no.md`.\n```\n@docs/no.md\n```\n",
      [`${workspace}/docs/style.md`]: "style @more.md",
      [`${workspace}/docs/more.md`]: "more",
      [`${workspace}/docs/no.md`]: "no",
    });

    const { files, problems } = await readInstructions(options);

    expect(problems).toEqual([]);
    expect(files.map(({ text, importedBy }) => [text.split(" ")[0], importedBy])).toEqual([
      ["more", `${workspace}/docs/style.md`],
      ["style", `${workspace}/AGENTS.md`],
      ["See", undefined],
    ]);
  });

  test.each([
    {
      because: "they are circular",
      files: { "AGENTS.md": "@b.md", "b.md": "@AGENTS.md" },
      says: "is imported by itself",
      file: "b.md",
    },
    {
      because: "the file is missing",
      files: { "AGENTS.md": "a\n@gone.md" },
      says: "There is no file",
      file: "AGENTS.md",
    },
    {
      because: "they are too deep",
      files: Object.fromEntries(
        Array.from({ length: 9 }, (_each, index) => [
          index === 0 ? "AGENTS.md" : `f${index}.md`,
          `level ${index} @f${index + 1}.md`,
        ]),
      ),
      says: "5 levels deep",
      file: "f5.md",
    },
    {
      because: "the file is a secret",
      files: { "AGENTS.md": "@./keys/id_rsa" },
      says: "is left out. It may hold secrets.",
      file: "AGENTS.md",
    },
    {
      because: "the file is too large",
      files: { "AGENTS.md": "@big.md", "big.md": "x".repeat(70_000) },
      says: "cannot be read",
      file: "AGENTS.md",
    },
  ])("are left out and named where $because", async ({ files, says, file }) => {
    const placed = Object.entries(files).map(([name, text]) => [`${workspace}/${name}`, text]);

    const { problems } = await readInstructions(world(Object.fromEntries(placed)));

    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ file: `${workspace}/${file}`, severity: "warning" });
    expect(problems[0]?.message).toContain(says);
    expect(problems[0]?.hint).not.toBe("");
    expect(problems[0]?.line).toBeGreaterThan(0);
  });

  test("are found soon, whatever punctuation a name has", async () => {
    const start = performance.now();
    const text = `@docs/style.md.) @${".".repeat(60_000)}x`;
    const files = { [`${workspace}/AGENTS.md`]: text, [`${workspace}/docs/style.md`]: "style" };

    expect(pathsOf(await readInstructions(world(files)))).toContain(`${workspace}/docs/style.md`);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test("of a project cannot reach files outside the workspace", async () => {
    const files = { [`${workspace}/AGENTS.md`]: "@/etc/hosts.md", "/etc/hosts.md": "private" };

    const untrusted = await readInstructions(world(files, { trusted: false }));
    const trusted = await readInstructions(world(files));

    for (const found of [untrusted, trusted]) {
      expect(pathsOf(found)).toEqual([`${workspace}/AGENTS.md`]);
      expect(found.problems[0]?.message).toContain("/etc/hosts.md is outside the workspace");
    }
  });

  test("of a project reach further from a file as it was when it was trusted", async () => {
    const text = "@/etc/hosts.md";
    const files = { [`${workspace}/AGENTS.md`]: text, "/etc/hosts.md": "@more.md" };
    const { host } = world(files);
    const { hash: recorded } = await host.fs.readFile(`${workspace}/AGENTS.md`);
    const isRecorded = (path: string, hash: string) =>
      path === `${workspace}/AGENTS.md` && hash === recorded;

    const same = await readInstructions(world(files, { isRecorded }));
    const untrusted = await readInstructions(world(files, { isRecorded, trusted: false }));
    const changed = { ...files, [`${workspace}/AGENTS.md`]: `${text} ` };
    const later = await readInstructions(world(changed, { isRecorded }));

    expect(pathsOf(same)).toEqual(["/etc/hosts.md", `${workspace}/AGENTS.md`]);
    expect(same.problems[0]?.message).toContain("/etc/more.md is outside the workspace");
    expect(pathsOf(untrusted)).toEqual([`${workspace}/AGENTS.md`]);
    expect(pathsOf(later)).toEqual([`${workspace}/AGENTS.md`]);
  });

  test("of a directory above the workspace reach what is in that directory", async () => {
    const options = world({
      "/repo/AGENTS.md": "@docs/style.md",
      "/repo/docs/style.md": "style",
      [`${workspace}/AGENTS.md`]: "@../../docs/more.md",
      "/repo/docs/more.md": "more",
    });

    const found = await readInstructions(options);

    expect(pathsOf(found)).toEqual([
      "/repo/docs/style.md",
      "/repo/AGENTS.md",
      `${workspace}/AGENTS.md`,
    ]);
    expect(found.problems[0]?.message).toContain("/repo/docs/more.md is outside the workspace");
  });

  test("of the user reach everything, and not those of a file that the user imports", async () => {
    const options = world({
      [`${home}/.haft/AGENTS.md`]: `@notes.md @${workspace}/docs/a.md @/opt/team.md`,
      [`${home}/.haft/notes.md`]: "@/opt/style.md",
      "/opt/team.md": "team",
      "/opt/style.md": "style",
      [`${workspace}/docs/a.md`]: "@/etc/private.md",
      "/etc/private.md": "private",
    });

    const found = await readInstructions(options);

    expect(pathsOf(found)).toEqual([
      "/opt/style.md",
      `${home}/.haft/notes.md`,
      `${workspace}/docs/a.md`,
      "/opt/team.md",
      `${home}/.haft/AGENTS.md`,
    ]);
    expect(found.problems).toMatchObject([{ file: `${workspace}/docs/a.md`, line: 1 }]);
  });

  test("through a link that leads out of the workspace are refused too", async () => {
    const options = world({
      [`${workspace}/AGENTS.md`]: "@inside.md",
      "/etc/private.md": "secret",
    });
    await options.host.fs.makeLink?.(`${workspace}/inside.md`, "/etc/private.md");
    await options.host.fs.makeLink?.(`${workspace}/CLAUDE.md`, "/etc/private.md");

    const { files, problems } = await readInstructions(options);

    expect(files.map(({ text }) => text)).toEqual(["@inside.md"]);
    expect(problems).toHaveLength(2);
  });
});

test("instructions have an upper limit together", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 5 }, (_each, index) => [
      `${workspace}/f${index}.md`,
      `${index}`.repeat(60_000),
    ]),
  );
  const text = "@f0.md @f1.md @f2.md @f3.md @f4.md";

  const { files: found, problems } = await readInstructions(
    world({ ...files, [`${workspace}/AGENTS.md`]: text }),
  );

  expect(found.reduce((sum, file) => sum + file.text.length, 0)).toBeLessThanOrEqual(200_000);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining("more than 200000 characters"),
    expect.stringContaining("more than 200000 characters"),
  ]);
});
