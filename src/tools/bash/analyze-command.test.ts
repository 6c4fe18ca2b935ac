import { describe, expect, test } from "vitest";
import type { Effect } from "../../core/index.ts";
import { memoryHost, type MemoryHostOptions } from "../../testing/index.ts";
import { understand, type Understanding } from "./analyze-command.ts";

const system = { "/usr/bin/ls": "", "/usr/bin/git": "", "/usr/bin/cat": "", "/bin/bash": "" };

async function look(
  command: string,
  files: MemoryHostOptions["files"] = {},
  path: readonly string[] = ["/usr/bin"],
): Promise<Understanding> {
  const host = memoryHost({ files: { ...system, ...files } });
  for (const file of [...Object.keys(system), ...Object.keys(files)]) {
    if (/bin\//u.test(file)) host.control.plant(file, { kind: "file", content: "", mode: 0o755 });
  }
  const seen = { ...host, info: { ...host.info, path } };
  return await understand(command, { host: seen, cwd: "/project", workspace: "/project" });
}

const unknowns = ({ effects }: Understanding): readonly string[] =>
  effects.flatMap((effect: Effect) => (effect.kind === "unknown" ? [effect.because] : []));

describe("a simple listed command runs by its words", () => {
  test("from a folder nobody in the workspace can change, with little of the environment", async () => {
    const { start, isListed } = await look("ls -la 'a b'");

    expect(isListed).toBe(true);
    expect(start.argv).toEqual(["/usr/bin/ls", "-la", "a b"]);
    expect(start.env).toEqual({ PATH: "/usr/bin" });
    expect(start.keepEnv).toContain("HOME");
    for (const name of ["BASH_ENV", "ENV", "PAGER", "LD_LIBRARY_PATH", "PYTHONPATH", "LESSOPEN"]) {
      expect(start.keepEnv).not.toContain(name);
    }
    expect(start.keepEnv?.filter((name) => name.endsWith("*"))).toEqual(["LC_*"]);
  });

  test("git with what keeps it from running anything", async () => {
    const { start } = await look("git status");

    expect(start.argv).toEqual(["/usr/bin/git", "--no-pager", "--no-optional-locks", "status"]);
    expect(start.env).toMatchObject({ GIT_PAGER: "cat", PATH: "/usr/bin" });
  });

  test("in a shell where one is needed, with the same little", async () => {
    const { start, isListed } = await look("ls | cat");

    expect(isListed).toBe(true);
    expect(start.argv.slice(1)).toEqual(["--norc", "--noprofile", "-c", "ls | cat"]);
    expect(start.env).toMatchObject({ PATH: "/usr/bin", GIT_CONFIG_KEY_1: "core.fsmonitor" });
    expect(start.keepEnv).toContain("HOME");
  });

  test("and anything else as it would for a person", async () => {
    const { start, isListed } = await look("npm test");

    expect(isListed).toBe(false);
    expect(start).toEqual({
      argv: ["/bin/bash", "--norc", "--noprofile", "-c", "npm test"],
      env: {},
    });
  });
});

describe("a program of the workspace is the workspace's own, whatever it is called", () => {
  test.each([
    { path: ["/project/bin", "/usr/bin"], because: "first on PATH" },
    { path: ["/project/../project/bin", "/usr/bin"], because: "however it is written" },
  ])("$because", async ({ path }) => {
    const understood = await look("ls", { "bin/ls": "" }, path);

    expect(understood.isListed).toBe(false);
    expect(unknowns(understood)).toEqual(["ls is a program of the workspace, /project/bin/ls"]);
    expect(understood.effects).toContainEqual(
      expect.objectContaining({ kind: "execute", argv: ["ls"], consequences: "open" }),
    );
  });

  test("by its path", async () => {
    expect(unknowns(await look("./bin/ls", { "bin/ls": "" }))).toContain(
      "./bin/ls is a program of the workspace, /project/bin/ls",
    );
  });

  test("behind one of the system it never runs unasked", async () => {
    const { isListed, start } = await look("ls", { "bin/ls": "" }, ["/usr/bin", "/project/bin"]);

    expect(isListed).toBe(true);
    expect(start).toMatchObject({ argv: ["/usr/bin/ls"], env: { PATH: "/usr/bin" } });
  });

  test("a link out of the system into the workspace leads there", async () => {
    const host = memoryHost({ files: system });
    host.control.plant("tool/ls", { kind: "file", content: "", mode: 0o755 });
    host.control.plant("/opt/bin/ls", { kind: "symlink", target: "/project/tool/ls" });
    host.control.plant("/opt/linked", { kind: "symlink", target: "/project/tool" });
    for (const folder of ["/opt/bin", "/opt/linked"]) {
      const seen = { ...host, info: { ...host.info, path: [folder, "/usr/bin"] } };
      const place = { host: seen, cwd: "/project", workspace: "/project" };

      expect((await understand("ls", place)).isListed).toBe(false);
      expect((await understand("true", place)).start.env["PATH"]).toBe(
        folder === "/opt/bin" ? "/opt/bin:/usr/bin" : "/usr/bin",
      );
    }
  });

  test("relative folders on PATH are not searched", async () => {
    const { start } = await look("ls | cat", {}, ["bin", ".", "/usr/bin"]);

    expect(start.env["PATH"]).toBe("/usr/bin");
  });
});

describe("a program that a project or another user could have written is asked about", () => {
  const listed = { "/repo/app/x": "", "/opt/tools/bin/ls": "", "/home/user/bin/ls": "" };

  async function lookFrom(
    folder: string,
    { files = {}, mode = 0o755 }: { files?: MemoryHostOptions["files"]; mode?: number } = {},
  ): Promise<Understanding> {
    const host = memoryHost({ files: { ...system, ...listed, ...files } });
    host.control.plant(folder, { kind: "directory", mode });
    for (const file of ["/usr/bin/ls", `${folder}/ls`]) {
      host.control.plant(file, { kind: "file", content: "", mode: 0o755 });
    }
    const seen = { ...host, info: { ...host.info, path: [folder, "/usr/bin"] } };
    return await understand("ls | ls", { host: seen, cwd: "/repo/app", workspace: "/repo/app" });
  }

  test.each([
    { folder: "/repo/node_modules/.bin", files: {} },
    { folder: "/home/user/other/node_modules/.bin", files: {} },
    { folder: "/repo/tools", files: { "/repo/.git/HEAD": "" } },
    { folder: "/repo/packages/lib/scripts", files: { "/repo/package.json": "{}" } },
  ])("$folder", async ({ folder, files }) => {
    const understood = await lookFrom(folder, { files });

    expect(understood.isListed).toBe(false);
    expect(unknowns(understood)[0]).toBe(`ls is a program of a project, ${folder}/ls`);
  });

  test.each([0o777, 0o1777, 0o775])("a directory with the mode %o", async (mode) => {
    const understood = await lookFrom("/srv/bin", { mode });

    expect(understood.isListed).toBe(false);
    expect(unknowns(understood)[0]).toBe("other users may replace ls, /srv/bin/ls");
  });

  test.each([
    { folder: "/opt/tools/bin", files: {} },
    { folder: "/home/user/bin", files: { "/home/user/package.json": "{}", "/package.json": "" } },
    { folder: "/repo/tools", files: {} },
  ])("but not one in $folder, which is nobody's project", async ({ folder, files }) => {
    const { isListed, start } = await lookFrom(folder, { files });

    expect(isListed).toBe(true);
    expect(start.env["PATH"]).toBe(`${folder}:/usr/bin`);
  });

  test("nor where such a directory comes later, which is then not searched", async () => {
    const host = memoryHost({ files: system });
    for (const file of ["/usr/bin/ls", "/repo/node_modules/.bin/ls"]) {
      host.control.plant(file, { kind: "file", content: "", mode: 0o755 });
    }
    const path = ["/usr/bin", "/repo/node_modules/.bin"];
    const seen = { ...host, info: { ...host.info, path } };
    const place = { host: seen, cwd: "/repo/app", workspace: "/repo/app" };

    const { isListed, start } = await understand("ls | ls", place);

    expect(isListed).toBe(true);
    expect(start.env["PATH"]).toBe("/usr/bin");
  });
});

describe("git and the repository's configuration", () => {
  const filter = '[filter "x"]\nclean = ./evil\n';

  test.each([
    { command: "git status", files: { ".git/config": filter }, because: "the workspace's own" },
    {
      command: "cd vendor && git status",
      files: { "vendor/.git/config": filter },
      because: "one that is entered",
    },
    {
      command: "git -C vendor status",
      files: { "vendor/.git/config": filter },
      because: "one that is named",
    },
    {
      command: "git status",
      files: { ".git/config": "[include]\npath = x" },
      because: "one that cannot be determined",
    },
    { command: "cd $X && git status", files: {}, because: "one that is not known" },
  ])("$command is asked about: $because", async ({ command, files }) => {
    const understood = await look(command, files);

    expect(understood.isListed).toBe(false);
    expect(unknowns(understood)).not.toEqual([]);
  });

  test.each([
    { command: "cd src && git status", files: { ".git/config": "[a]\nb=1", "src/x": "" } },
    { command: "git -C src log", files: { ".git/config": "[a]\nb=1", "src/x": "" } },
    { command: "git log", files: { ".git/config": "[core]\npager = ./evil\nfsmonitor = ./evil" } },
  ])("$command is listed", async ({ command, files }) => {
    expect((await look(command, files)).isListed).toBe(true);
  });

  test("a doubt about git is about each of its commands, so a rule for one says nothing about another", async () => {
    const { effects } = await look("git add . && git log", { ".git/config": "[include]\nx=y" });

    const runs = effects.filter((effect) => effect.kind === "execute");
    expect(runs.map(({ consequences }) => consequences)).toEqual(["open", "open"]);
    const doubts = effects.filter(
      (effect) => effect.kind === "unknown" && effect.because.includes("includes another file"),
    );
    expect(doubts.map((effect) => "by" in effect && effect.by)).toEqual(
      runs.map(({ span }) => span),
    );
  });
});

test("the destructive floor and a text no rule may answer are effects of the call", async () => {
  const bomb = await look(":(){ :|:& };:");
  const long = await look(`echo ${"a".repeat(10_000)}`);

  expect(bomb.effects).toContainEqual(expect.objectContaining({ kind: "unknown", floor: true }));
  expect(long.effects).toContainEqual(
    expect.objectContaining({ kind: "unknown", alwaysAsks: true }),
  );
});

async function lookThroughLink(command: string): Promise<readonly string[]> {
  const host = memoryHost({ files: { ...system, "/out/sub/x": "", "src/x": "", "lib/x": "" } });
  host.control.plant("/project/l", { kind: "symlink", target: "/out/sub" });
  const seen = { ...host, info: { ...host.info, path: ["/usr/bin"] } };
  const site = { host: seen, cwd: "/project", workspace: "/project" };
  const { effects } = await understand(command, site);
  return effects.flatMap((effect) =>
    effect.kind === "read" || effect.kind === "write" ? [`${effect.kind} ${effect.path}`] : [],
  );
}

describe("a way up behind a link starts where the link leads", () => {
  test.each([
    { command: "cat l/../secret", reads: "read /out/secret" },
    { command: "cat ./l/.././secret", reads: "read /out/secret" },
    { command: "cat /project/l/../secret", reads: "read /out/secret" },
    { command: "cd l && cat ../secret", reads: "read /out/secret" },
    { command: "cd src/../l && cat ../secret", reads: "read /out/secret" },
    { command: "cat < l/../secret", reads: "read /out/secret" },
    { command: "ls l/..", reads: "read /out" },
    { command: "cat l/../*", reads: "read /out" },
    { command: "echo > l/../secret", reads: "write /out/secret" },
    { command: "rm -r l/../sub", reads: "write /out/sub" },
    { command: "find l/.. -name x", reads: "read /out" },
    { command: "git -C l/.. status", reads: "read /out" },
  ])("$command", async ({ command, reads }) => {
    expect(await lookThroughLink(command)).toContain(reads);
  });

  test.each([
    { command: "cat src/../lib/x", all: ["read /project/lib/x"] },
    { command: "cat src/../none/x", all: ["read /project/none/x"] },
    { command: "cat ../project/x", all: ["read /project/x"] },
    { command: "cd l/.. && cat x", all: ["read /project/x"] },
    { command: "cd l && cd .. && cat x", all: ["read /project/x"] },
  ])("but not in $command", async ({ command, all }) => {
    expect(await lookThroughLink(command)).toEqual(all);
  });

  test("where the shell goes to where a link leads, it is not known where it is", async () => {
    expect(await lookThroughLink("cd -P l; cd ..; cat secret")).toEqual(["read /"]);
  });
});

describe("next to a program that can run arbitrary code git obeys what a repository configures", () => {
  const evil = { ".git/config": "[core]\n\tfsMonitor = ./evil\n" };
  const doubt =
    "git may run a program, because core.fsmonitor is in the repository's configuration";

  test("which is a doubt about git there", async () => {
    const understood = await look("git status && npm test", evil);

    expect(unknowns(understood)).toContain(doubt);
    expect(understood.effects).toContainEqual(
      expect.objectContaining({ kind: "execute", argv: ["git", "status"], consequences: "open" }),
    );
  });

  test.each([
    { command: "git status", files: evil, because: "alone it is kept from it" },
    { command: "git status | cat", files: evil, because: "as next to listed programs" },
    {
      command: "git status && npm test",
      files: { ".git/config": "[core]\nfsmonitor = true" },
      because: "git watches the files itself",
    },
    { command: "git status && npm test", files: {}, because: "there is nothing to obey" },
  ])("but not in $command: $because", async ({ command, files }) => {
    expect(unknowns(await look(command, files)).filter((each) => each.startsWith("git"))).toEqual(
      [],
    );
  });
});
