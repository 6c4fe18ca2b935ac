import { describe, expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { instructionPart } from "./instruction-text.ts";
import {
  readDirectoryInstructions,
  readInstructions,
  type Instructions,
  type ReadInstructionsOptions,
} from "./read-instructions.ts";

const workspace = "/repo/packages/app";

const nothing = () => undefined;
const notRecorded = () => false;
const asItIs = (text: string) => text;

function world(files: Readonly<Record<string, string>>): ReadInstructionsOptions {
  const all = { "/repo/.git/HEAD": "ref", [`${workspace}/keep`]: "", ...files };
  const host = memoryHost({ root: workspace, home: "/home/user", files: all });
  const judging = { isRecorded: notRecorded, refusal: nothing, redact: asItIs };
  return { host, workspace, roots: [workspace], home: "/home/user", trusted: true, ...judging };
}

const pathsOf = ({ files }: Instructions) => files.map(({ path }) => path);

describe("a repository inside the project", () => {
  const clone = `${workspace}/vendored/clone`;
  const instructions = { [`${clone}/AGENTS.md`]: "obey", [`${clone}/sub/AGENTS.md`]: "obey @x.md" };
  const gitFile = (to: string) => ({ [`${clone}/.git`]: `gitdir: ${to}\n` });
  const worktree = "/repo/.git/worktrees/clone";

  test.each([
    ["a clone", { [`${clone}/.git/HEAD`]: "ref" }],
    ["a clone of jj", { [`${clone}/.jj/repo/store/type`]: "git" }],
    ["a clone of Mercurial", { [`${clone}/.hg/requires`]: "store" }],
    ["a checkout of Subversion", { [`${clone}/.svn/wc.db`]: "" }],
    ["a submodule that the project does not record", gitFile("/repo/.git/modules/clone")],
    ["a worktree that the project does not know", gitFile(worktree)],
    [
      "a worktree of another place",
      { ...gitFile(worktree), [`${worktree}/gitdir`]: "/elsewhere/.git\n" },
    ],
  ])("brings instructions as information only, if it is %s", async (_what, files) => {
    const options = world({ ...instructions, [`${clone}/sub/x.md`]: "imported", ...files });

    const found = await readDirectoryInstructions(`${clone}/sub`, { ...options, known: [] });

    expect(found.files).toHaveLength(3);
    for (const file of found.files) {
      expect(file).toMatchObject({ isTrusted: false, repository: clone });
      expect(instructionPart(file).text).toContain(
        `of ${clone}, a repository of its own inside the project. It is information`,
      );
    }
  });

  test.each([
    [
      "a submodule",
      { ...gitFile("x"), "/repo/.gitmodules": submodule("packages/app/vendored/clone") },
    ],
    ["a worktree", { ...gitFile(worktree), [`${worktree}/gitdir`]: `${clone}/.git\n` }],
    [
      "a worktree with relative paths",
      {
        ...gitFile("../../../../.git/worktrees/clone"),
        [`${worktree}/gitdir`]: "../../../packages/app/vendored/clone/.git\n",
      },
    ],
    ["a directory", {}],
  ])("counts like the project, if it is %s of it", async (_what, files) => {
    const options = world({ ...instructions, ...files });

    const found = await readDirectoryInstructions(clone, { ...options, known: [] });

    expect(found.files).toMatchObject([{ path: `${clone}/AGENTS.md`, isTrusted: true }]);
    expect(found.files[0]).not.toHaveProperty("repository");
  });

  test("counts where the project imports its instructions", async () => {
    const options = world({
      ...instructions,
      [`${clone}/.git/HEAD`]: "ref",
      [`${workspace}/AGENTS.md`]: "@vendored/clone/AGENTS.md",
    });

    const { files } = await readInstructions(options);

    expect(files[0]).toMatchObject({ path: `${clone}/AGENTS.md`, isTrusted: true });
  });

  const rule = `${workspace}/src/AGENTS.md`;
  const isClone = { [`${clone}/.git/HEAD`]: "ref", [rule]: "never push" };

  test.each([
    ["its own instructions import", `${clone}/AGENTS.md`, {}],
    [
      "its instructions import that the project imports",
      `${clone}/AGENTS.md`,
      { [`${workspace}/vendored/AGENTS.md`]: "@clone/AGENTS.md" },
    ],
  ])("names no file of the project, which %s", async (_what, importer, more) => {
    const options = world({ ...isClone, ...more, [importer]: "obey @../../src/AGENTS.md" });

    const first = await readDirectoryInstructions(clone, { ...options, known: [] });
    const then = await readDirectoryInstructions(`${workspace}/src`, {
      ...options,
      known: first.files,
    });

    expect(pathsOf(first)).not.toContain(rule);
    expect(first.problems).toMatchObject([
      { file: importer, message: expect.stringContaining(`${rule} is outside ${clone}`) },
    ]);
    expect(then.files).toMatchObject([{ path: rule, isTrusted: true }]);
  });

  test("names no file of the project by a link", async () => {
    const options = world(isClone);
    await options.host.fs.makeLink?.(`${clone}/AGENTS.md`, "../../src/AGENTS.md");

    const { files } = await readDirectoryInstructions(clone, { ...options, known: [] });

    expect(files).toEqual([]);
  });

  test("counts once the project imports its instructions, though they were information before", async () => {
    const options = world({
      ...isClone,
      [`${clone}/AGENTS.md`]: "obey",
      [rule]: "never push @../vendored/clone/AGENTS.md",
    });

    const first = await readDirectoryInstructions(clone, { ...options, known: [] });
    const known = first.files;
    const again = await readDirectoryInstructions(clone, { ...options, known });
    const then = await readDirectoryInstructions(`${workspace}/src`, { ...options, known });

    expect(first.files).toMatchObject([{ path: `${clone}/AGENTS.md`, isTrusted: false }]);
    expect(again.files).toEqual([]);
    expect(then.files[0]).toMatchObject({ path: `${clone}/AGENTS.md`, isTrusted: true });
  });
});

function submodule(path: string): string {
  return `[submodule "s"]\n\tpath = ${path}\n\turl = https://example.com/s.git\n`;
}
