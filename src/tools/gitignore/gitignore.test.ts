import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Host } from "../../core/index.ts";
import { localHost, memoryHost } from "../../host/index.ts";
import { toolBench, toolContract, type ToolBench } from "../../testing/index.ts";
import { gitignore } from "./gitignore.ts";

const patterns = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `f${index}`);

describe("add", () => {
  test("makes the file, and says that tracked files stay", async () => {
    const bench = toolBench();

    const result = await bench.call(gitignore, { action: "add", patterns: ["dist/", "*.log"] });

    expect(bench.files()).toEqual({ ".gitignore": "dist/\n*.log\n" });
    expect(result.text).toMatchInlineSnapshot(
      `"Made .gitignore: dist/, *.log. Files that git tracks already stay tracked."`,
    );
    expect(bench.seenFiles.view("/project/.gitignore")).toBeDefined();
    expect(result.effects).toContainEqual(
      expect.objectContaining({ kind: "write", path: "/project/.gitignore", change: "create" }),
    );
  });

  test("takes 200 patterns in a call and no more", async () => {
    const bench = toolBench();

    await bench.call(gitignore, { action: "add", patterns: patterns(200) });

    expect(bench.files()[".gitignore"]?.split("\n")).toHaveLength(201);
    for (const input of [
      { action: "add", patterns: patterns(201) },
      { action: "check", paths: patterns(201) },
    ]) {
      await expect(bench.call(gitignore, input)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    }
  });

  test("adds to it what is not there, and writes nothing where all is", async () => {
    const bench = toolBench({ files: { "sub/.gitignore": "dist/\r\n" } });
    const input = { action: "add", patterns: ["dist/", "x"], file: "sub/.gitignore" };

    const first = await bench.call(gitignore, input);
    const second = await bench.call(gitignore, input);

    expect(bench.files()).toEqual({ "sub/.gitignore": "dist/\r\nx\r\n" });
    expect(first.text).toMatchInlineSnapshot(
      `"Added to sub/.gitignore: x. 1 of 2 was there already. Files that git tracks already stay tracked."`,
    );
    expect(second.text).toMatchInlineSnapshot(
      `"sub/.gitignore has these patterns already; nothing was written."`,
    );
    expect(second.effects).toContainEqual(expect.objectContaining({ change: "modify" }));
    expect(bench.seenFiles.view("/project/sub/.gitignore")).toBeUndefined();
  });

  test("what was read of the file is still known", async () => {
    const bench = toolBench({ files: { ".gitignore": "dist/\n" } });
    const { hash } = await bench.host.fs.readFile("/project/.gitignore");
    bench.seenFiles.saw("/project/.gitignore", { hash, ranges: [[1, 1]] });

    await bench.call(gitignore, { action: "add", patterns: ["x"] });

    const now = await bench.host.fs.readFile("/project/.gitignore");
    expect(bench.seenFiles.view("/project/.gitignore")).toEqual({
      hash: now.hash,
      ranges: [[1, 1]],
    });
  });

  test("a file that git could not read is refused", async () => {
    const bench = toolBench({ files: { ".gitignore": Buffer.from("\uFEFFa\n", "utf16le") } });

    await expect(bench.call(gitignore, { action: "add", patterns: ["x"] })).rejects.toMatchObject({
      code: "BINARY_FILE",
    });
  });

  test.for([
    { input: { action: "add" }, says: "add needs patterns, a list of texts" },
    { input: { action: "check", patterns: ["a"] }, says: "check needs paths, a list of texts" },
  ])("$says", async ({ input, says }) => {
    await expect(toolBench().call(gitignore, input)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(says),
    });
  });
});

const ignoreFiles: Readonly<Record<string, string>> = {
  ".gitignore": "*.log\r\n!keep.log\r\n/only-here\r\nbuilt/\n# comment\nopen\\ \n",
  "sub/.gitignore": "!special.log\nown\n",
};
/** Paths, with whether git ignores them. */
const judged: Readonly<Record<string, boolean>> = {
  "a.log": true,
  "keep.log": false,
  "sub/b.log": true,
  "sub/special.log": false,
  "only-here": true,
  "sub/only-here": false,
  "built/": true,
  "built/deep/a.ts": true,
  built: false,
  own: false,
  "sub/own": true,
  "a.ts": false,
};

async function verdicts(bench: ToolBench): Promise<Readonly<Record<string, boolean>>> {
  const { metadata } = await bench.call(gitignore, { action: "check", paths: Object.keys(judged) });
  const answers = metadata["answers"] as { path: string; isIgnored: boolean }[];
  return Object.fromEntries(answers.map(({ path: each, isIgnored }) => [each, isIgnored]));
}

describe("check without git", () => {
  test("reads the ignore files of the workspace, as git would", async () => {
    expect(await verdicts(toolBench({ files: ignoreFiles }))).toEqual(judged);
  });

  test("says who answered and which line decides", async () => {
    const bench = toolBench({ files: ignoreFiles });

    const result = await bench.call(gitignore, {
      action: "check",
      paths: ["a.log", "keep.log", "a.ts", "sub/own"],
    });

    expect(result.text).toMatchInlineSnapshot(`
      "a.log: ignored, by .gitignore:1 *.log
      keep.log: not ignored, by .gitignore:2 !keep.log
      a.ts: not ignored
      sub/own: ignored, by sub/.gitignore:2 own
      (git could not be asked: only the .gitignore files of the workspace were looked at)"
    `);
    expect(result).toMatchObject({ summary: "2 of 4 ignored", metadata: { referee: "haft" } });
  });

  test("the same where git answers that there is no repository", async () => {
    const host = memoryHost({ files: ignoreFiles, programs: { git: () => 128 } });

    expect(await verdicts(toolBench({ host }))).toEqual(judged);
  });
});

test("git is asked by its standard input, without variables that name another repository", async () => {
  let asked = "";
  const host = memoryHost({
    env: { GIT_DIR: "/elsewhere", HOME: "/home/user" },
    programs: {
      git: async (argv, io) => {
        const { env, stdin } = io;
        const decoder = new TextDecoder();
        for await (const bytes of stdin) asked += decoder.decode(bytes, { stream: true });
        expect(argv).toContain("--no-index");
        expect(env).toMatchObject({ HOME: "/home/user", GIT_OPTIONAL_LOCKS: "0" });
        expect(env).not.toHaveProperty("GIT_DIR");
        io.stdout(["/x/.gitignore", "1", "*.log", "a.log", "", "", "", "b.ts", ""].join("\0"));
        return 0;
      },
    },
  });

  const result = await toolBench({ host }).call(gitignore, {
    action: "check",
    paths: ["a.log", "b.ts"],
  });

  expect(asked).toBe("a.log\0b.ts\0");
  expect(result.text).toMatchInlineSnapshot(`
    "a.log: ignored, by /x/.gitignore:1 *.log
    b.ts: not ignored"
  `);
  expect(result.metadata["referee"]).toBe("git");
});

test.for([
  { because: "a folder of the workspace is on PATH", path: ["/project/bin", "/usr/bin"] },
  { because: "a link of the system leads there", path: ["/usr/bin"], linked: true },
])("a git that the workspace brings is never asked: $because", async ({ path: dirs, linked }) => {
  const started: string[] = [];
  const own = { kind: "file" as const, content: "own", mode: 0o755 };
  const host = memoryHost({
    files: ignoreFiles,
    programs: {
      git: (argv) => {
        started.push(argv[0] ?? "");
        return 128;
      },
    },
  });
  host.control.plant("/project/bin/git", own);
  host.control.plant(
    "/usr/bin/git",
    linked === true ? { kind: "symlink", target: "/project/bin/git" } : own,
  );

  const { id, fs, proc, net, search, clock } = host;
  const seen: Host = {
    id,
    fs,
    proc,
    net,
    search,
    clock,
    info: { ...host.info, path: dirs },
    [Symbol.asyncDispose]: async () => await host[Symbol.asyncDispose](),
  };

  expect(await verdicts(toolBench({ host: seen }))).toEqual(judged);
  expect(started).toEqual(linked === true ? [] : ["/usr/bin/git"]);
});

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function hasGit(): boolean {
  try {
    execFileSync("git", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test.runIf(hasGit())("a real git is the referee, and says the same", async () => {
  const workspace = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-gitignore-")));
  folders.push(workspace);
  mkdirSync(path.join(workspace, "sub"));
  for (const [name, text] of Object.entries(ignoreFiles)) {
    writeFileSync(path.join(workspace, name), text);
  }
  execFileSync("git", ["init", "-q"], { cwd: workspace });
  writeFileSync(path.join(workspace, ".git/info/exclude"), "private\n");
  await using host = await localHost();
  const bench = toolBench({ host, workspace });

  expect(await verdicts(bench)).toEqual(judged);
  const { text, metadata } = await bench.call(gitignore, { action: "check", paths: ["private"] });
  expect(text).toBe("private: ignored, by .git/info/exclude:1 private");
  expect(metadata["referee"]).toBe("git");
});

test.for(
  toolContract(gitignore, [
    { name: "adding", input: { action: "add", patterns: ["a"] } },
    { name: "checking", input: { action: "check", paths: ["a/b"] } },
  ]),
)("$name", async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
