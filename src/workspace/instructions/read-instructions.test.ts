import { describe, expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import {
  readDirectoryInstructions,
  readInstructions,
  type ReadInstructionsOptions,
} from "./read-instructions.ts";

const workspace = "/repo/packages/app";
const home = "/home/user";

const redact = (text: string) => text.replaceAll("sk-1", "[secret]");

function world(
  files: Readonly<Record<string, string>>,
  more: Partial<ReadInstructionsOptions> = {},
): ReadInstructionsOptions {
  const all = { "/repo/.git/HEAD": "ref", [`${workspace}/keep`]: "", ...files };
  const host = memoryHost({ root: workspace, home, files: all });
  const refusal = ({ path }: { readonly path: string }) =>
    path.startsWith(`${home}/.ssh/`) ? "It may hold secrets." : undefined;
  return { host, workspace, home, trusted: true, refusal, redact, ...more };
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
    const touched = { ...options, known: new Set([`${workspace}/src/AGENTS.md`]) };

    expect(pathsOf(await readDirectoryInstructions(`${workspace}/src/ui`, touched))).toEqual([
      `${workspace}/src/ui/CLAUDE.md`,
    ]);
    expect(pathsOf(await readDirectoryInstructions("/etc", touched))).toEqual([]);
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
    { name: "AGENTS.md", because: "the rules refuse it", target: `${home}/.ssh/id` },
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
      files: { "AGENTS.md": "@~/.ssh/id_rsa" },
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

  test("of an untrusted project cannot reach files outside it", async () => {
    const files = { [`${workspace}/AGENTS.md`]: "@/etc/hosts.md", "/etc/hosts.md": "private" };

    const untrusted = await readInstructions(world(files, { trusted: false }));
    const trusted = await readInstructions(world(files));

    expect(pathsOf(untrusted)).toEqual([`${workspace}/AGENTS.md`]);
    expect(untrusted.problems[0]?.message).toContain("is outside the project");
    expect(pathsOf(trusted)).toEqual(["/etc/hosts.md", `${workspace}/AGENTS.md`]);
  });

  test("through a link that leads out of an untrusted project are refused too", async () => {
    const options = world(
      { [`${workspace}/AGENTS.md`]: "@inside.md", "/etc/private.md": "private" },
      { trusted: false },
    );
    await options.host.fs.makeLink?.(`${workspace}/inside.md`, "/etc/private.md");
    await options.host.fs.makeLink?.(`${workspace}/CLAUDE.md`, "/etc/private.md");

    const { files } = await readInstructions(options);

    expect(files.map(({ text }) => text)).toEqual(["@inside.md"]);
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
