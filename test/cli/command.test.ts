import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, watch } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { environment, exited, haftFile, notBuilt, run, start } from "../support/built.ts";
import { cliWorld, treeHash, type CliWorld } from "../support/cli.ts";

const files = { "a.txt": "one\ntwo\n" };

describe.skipIf(notBuilt !== undefined)("the built command", { timeout: 60_000 }, () => {
  test("--version prints the version of the package and nothing else", async () => {
    await using world = await cliWorld();
    const manifest: unknown = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    );

    const ended = await run(["--version"], { world });

    expect(manifest).toMatchObject({ version: ended.out.trim() });
    expect(ended).toMatchObject({ code: 0, err: "" });
  });

  test("--version loads the command's own file and the manifest, --help one more", async () => {
    await using world = await cliWorld();

    const version = await loadedBy(["--version"], world);
    const help = await loadedBy(["--help"], world);

    expect(version.map((file) => path.basename(file))).toEqual(["haft.cjs", "package.json"]);
    // The code of every verb is one file.
    expect(help.map((file) => path.basename(file))).toEqual(["haft.cjs", "main.js"]);
  });

  test.each([
    [["tools"], "to list them", ""],
    [["mcp"], "before it is asked anything", ""],
    [["mcp"], "to answer tools/list", listTools],
  ])(
    "haft %s, %s, loads no package, no tool, and nothing of what runs calls",
    async (words, _when, input) => {
      await using world = await cliWorld();

      const loaded = await loadedBy(words, world, input);
      const sources = await Promise.all(loaded.map(sourcesOf));

      expect(loaded.length).toBeGreaterThan(3);
      expect(sources.flat()).toContain("src/cli/terminal.ts");
      expect([...loaded, ...sources.flat()].filter((file) => heavy.test(file))).toEqual([]);
    },
  );

  test("haft call loads some of that, so that the cases before can fail", async () => {
    await using world = await cliWorld({ "a.txt": "one\n" });

    const loaded = await loadedBy(["call", "Read", "file_path=a.txt"], world);
    const sources = await Promise.all(loaded.map(sourcesOf));

    expect(sources.flat().filter((file) => heavy.test(file))).not.toEqual([]);
  });

  test.each([
    [0, "a call that works", ["Read", "file_path=a.txt"]],
    [1, "a file that is missing", ["Read", "file_path=missing.txt"]],
    [2, "a line that cannot be read", ["Read", "file_path=a.txt", "--jsn"]],
    [3, "a change in plan mode", ["Write", "file_path=x", "content=x", "--mode", "plan"]],
    [4, "a change nobody can allow", ["Write", "file_path=x", "content=x"]],
    [4, "a link that leaves the workspace", ["Read", "file_path=link"]],
    [124, "a command that takes too long", ["Bash", "command=sleep 60", "timeout:=50", "-y"]],
  ])("exits with %i for %s", async (exit, _what, words) => {
    await using world = await cliWorld(files);
    await writeFile(path.join(world.folder, "outside"), "outside\n");
    await symlink(path.join(world.folder, "outside"), path.join(world.workspace, "link"));
    const before = await treeHash(world.workspace);

    const { code, out } = await run(["call", ...words], { world });

    expect(code).toBe(exit);
    expect(out === "").toBe(exit !== 0);
    expect(await treeHash(world.workspace)).toBe(before);
  });

  test("Ctrl-C ends what runs and exits with 130", async () => {
    await using world = await cliWorld();
    const pidFile = path.join(world.workspace, "pid");
    // In a sandbox it has another number than outside, so it is known by how long it sleeps.
    const seconds = `600.${process.pid}`;
    const command = `command=echo $$ > pid; exec sleep ${seconds}`;
    const child = start(["call", "Bash", command, "-y"], { world });
    child.stdin.end();
    const ended = exited(child);
    await until(world.workspace, () => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "");
    // The shell says its number before it becomes the program.
    await expect.poll(() => sleepers(seconds)).toBeGreaterThan(0);

    child.kill("SIGINT");

    expect(await ended).toMatchObject({ code: 130, signal: null, out: "" });
    expect(sleepers(seconds)).toBe(0);
  });

  test.for(["SIGINT", "SIGTERM"] as const)(
    "%s ends what haft sandbox runs, and all it started",
    async (signal, { skip }) => {
      await using world = await cliWorld();
      const begun = path.join(world.workspace, "begun");
      const seconds = `601.${process.pid}`;
      const script = `sleep ${seconds} & : > begun; sleep ${seconds}`;
      const child = start(["sandbox", "--", "bash", "-c", script], { world });
      child.stdin.end();
      const ended = exited(child);
      await Promise.race([until(world.workspace, () => existsSync(begun)), ended]);
      skip(!existsSync(begun), "nothing confines programs here");
      await expect.poll(() => sleepers(seconds)).toBe(2);

      child.kill(signal);

      expect(await ended).toMatchObject({ code: 130, signal: null });
      expect(sleepers(seconds)).toBe(0);
    },
  );

  test.skipIf(!existsSync("/dev/full"))("output that cannot be written is reported", async () => {
    await using world = await cliWorld(files);
    const script = `"$0" "$1" call Read file_path=a.txt > /dev/full`;

    const child = spawn("bash", ["-c", script, process.execPath, haftFile], {
      cwd: world.workspace,
      env: environment(world),
    });
    child.stdin.end();

    expect(await exited(child)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^haft: The output could not be written: ENOSPC[^\n]*\n$/u),
    });
  });

  test("a missing current directory and an empty HOME are reported", async () => {
    await using world = await cliWorld(files);
    const script = `mkdir gone && cd gone && rmdir ../gone && "$0" "$1" call Read file_path=a.txt`;
    const child = spawn("bash", ["-c", script, process.execPath, haftFile], {
      cwd: world.workspace,
      env: environment(world),
    });
    child.stdin.end();

    const gone = await exited(child);
    const homeless = await run(["call", "Read", "file_path=a.txt"], { world, env: { HOME: "" } });

    expect(gone).toMatchObject({
      code: 2,
      err: "haft: The current directory no longer exists.\nChange to one that does, for example with cd.\n",
    });
    expect(homeless).toMatchObject({
      code: 2,
      err: 'haft: HOME is "", which is not an absolute path.\nSet HOME to your home directory, or unset it.\n',
    });
  });

  test("standard input is read for -, and the answer can be piped", async () => {
    await using world = await cliWorld(files);

    const { code, out, err } = await run(["call", "Read", "-"], {
      world,
      input: '{"file_path": "a.txt"}',
    });

    expect({ code, out, err }).toEqual({ code: 0, out: "1\tone\n2\ttwo\n", err: "" });
  });

  test("a reader that closes early does not cause an error", async () => {
    await using world = await cliWorld();
    const script = `set -o pipefail; "$0" "$1" tools export | head -c 1`;

    const child = spawn("bash", ["-c", script, process.execPath, haftFile], {
      cwd: world.workspace,
      env: environment(world),
    });
    child.stdin.end();

    expect(await exited(child)).toMatchObject({ code: 0, out: "[", err: "" });
  });

  test.each([
    [{}, false, "a pipe shows no colours"],
    [{ FORCE_COLOR: "1" }, true, "unless they are forced"],
    [{ FORCE_COLOR: "0" }, false, "or forced away"],
    [{ NO_COLOR: "1" }, false, "NO_COLOR is obeyed"],
  ])("with %j colours are %s: %s", async (env, hasColours, _because) => {
    await using world = await cliWorld(files);

    const { out } = await run(["explain", "Read", "file_path=a.txt"], { world, env });

    expect(out.includes("\u001B[")).toBe(hasColours);
  });

  test("undo restores what a call in another process changed", async () => {
    await using world = await cliWorld(files);
    const before = await treeHash(world.workspace);
    const words = ["call", "Write", "file_path=a.txt", "content=new", "-y"];

    const written = await run(words, { world });
    expect(await treeHash(world.workspace)).not.toBe(before);
    const undone = await run(["undo"], { world });

    expect([written.code, undone.code]).toEqual([0, 0]);
    expect(await treeHash(world.workspace)).toBe(before);
  });

  test("the demo fixes the test without a key, and can be undone", async () => {
    await using world = await cliWorld();

    const { code, out, err } = await run(["demo"], { world, env: { TMPDIR: world.folder } });
    const undo = /npx haft undo -C (?<workspace>\S+) --data-dir (?<data>\S+)/u.exec(err)?.groups;
    const project = undo?.["workspace"] ?? "";
    const fixed = readFileSync(path.join(project, "src/stay.js"), "utf8");
    const undone = await run(["undo", "-C", project, "--data-dir", undo?.["data"] ?? ""], {
      world,
    });

    expect(code).toBe(0);
    expect(out).toMatch(/^Done\. All \d tests pass\./u);
    expect(err).toContain("scripted");
    expect(err).toContain("+  return one.arrival < other.departure");
    expect(undone.out).toBe("Restored: src/stay.js (modified)\n");
    expect(readFileSync(path.join(project, "src/stay.js"), "utf8")).not.toBe(fixed);
  });
});

/** The files that a command line makes Node load, in order. */
async function loadedBy(
  words: readonly string[],
  world: CliWorld,
  input = "",
): Promise<readonly string[]> {
  const hook = path.join(world.folder, "hook.mjs");
  await writeFile(hook, hookText);
  const { err } = await run(words, { world, input, nodeOptions: ["--import", hook] });
  return [...new Set(err.split("\n").filter((url) => url.startsWith("file:")))];
}

/** Packages, tools, and parts that only calls need. */
const heavy =
  /node_modules|\bsrc\/(?:pipeline|schedule|agent|shell|explain|journal\/(?:apply|capture|undo))\/|\bsrc\/tools\/[\w-]+\//u;

/** A client that asks for the list of tools. */
const listTools = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("");

/** The source files whose code a file of `dist` contains, packages that are part of it included. */
async function sourcesOf(url: string): Promise<readonly string[]> {
  const map = `${fileURLToPath(url)}.map`;
  if (!url.endsWith(".js") || url.includes("node_modules") || !existsSync(map)) return [];
  const { sources }: { sources: readonly string[] } = JSON.parse(await readFile(map, "utf8"));
  return sources.map((source) => source.replace(/^(?:\.\.\/)+/u, ""));
}

/**
 * Node before 22.15 only has a hook for imports, so modules loaded with `require` are recognized by their own parts.
 */
const hookText = `import * as module from "node:module";
import { pathToFileURL } from "node:url";
import { writeSync } from "node:fs";
const tell = (url) => writeSync(2, url + "\\n");
if (module.registerHooks === undefined) {
  const load = 'import { writeSync } from "node:fs"; export const load = (url, context, next) => { writeSync(2, url + "\\\\n"); return next(url, context); };';
  module.register("data:text/javascript," + encodeURIComponent(load));
  for (const [ending, read] of Object.entries(module.default._extensions)) {
    module.default._extensions[ending] = (into, file) => { tell(pathToFileURL(file).href); read(into, file); };
  }
} else {
  module.registerHooks({ load(url, context, next) { tell(url); return next(url, context); } });
}
`;

async function until(folder: string, isSo: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = (): void => {
    if (isSo()) resolve();
  };
  const watcher = watch(folder, check);
  check();
  await promise;
  watcher.close();
}

/** Programs that run with this among their words. */
function sleepers(seconds: string): number {
  const { stdout } = spawnSync("ps", ["-e", "-o", "args="], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.startsWith(`sleep ${seconds}`)).length;
}
