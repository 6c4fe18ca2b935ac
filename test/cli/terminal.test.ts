import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { environment, haftFile, notBuilt } from "../support/built.ts";
import { cliWorld, type CliWorld } from "../support/cli.ts";

const hasScript = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes(
  "util-linux",
);
if (!hasScript) process.stderr.write("skipped: script of util-linux is missing\n");

/** Runs the command in a real terminal; each answer is typed when its prompt is shown. */
async function inTerminal(
  world: CliWorld,
  words: readonly string[],
  answers: readonly (readonly [prompt: string, typed: string])[],
): Promise<{ readonly code: number | null; readonly screen: string }> {
  const line = [process.execPath, haftFile, ...words].map(
    (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  const child = spawn("script", ["-qfec", line.join(" "), "/dev/null"], {
    cwd: world.workspace,
    env: environment(world, { TERM: "xterm", SHELL: "/bin/sh" }),
  });
  let screen = "";
  let seen = 0;
  const left = [...answers];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    // One prompt at a time: the next can only come after this answer.
    const [next] = left;
    const at = next === undefined ? -1 : screen.indexOf(next[0], seen);
    if (next === undefined || at < 0) return;
    seen = at + next[0].length;
    left.shift();
    child.stdin.write(next[1]);
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, screen };
}

const prompt = "? why > ";
const write = ["call", "Write", "file_path=x.txt", "content=hello"];

describe.skipIf(notBuilt !== undefined || !hasScript)("in a terminal", { timeout: 60_000 }, () => {
  test("yes runs the call; the question showed what and why in colours", async () => {
    await using world = await cliWorld();

    const { code, screen } = await inTerminal(world, write, [[prompt, "y\r"]]);

    expect(code).toBe(0);
    expect(screen).toContain("\u001B[1mWrite file: Create x.txt?");
    expect(screen).toContain("\u001B[32m+hello");
    expect(screen).toContain("Created x.txt");
    expect(screen).toContain("haft undo undoes it.");
    expect(readFileSync(path.join(world.workspace, "x.txt"), "utf8")).toBe("hello");
  });

  test("no with a reason exits with 3 and says it", async () => {
    await using world = await cliWorld();

    const { code, screen } = await inTerminal(world, write, [
      [prompt, "n\r"],
      ["Reason", "wrong file\r"],
    ]);

    expect(code).toBe(3);
    expect(screen).toContain("The user said no: wrong file");
  });

  test.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
    ["q", "q\r"],
  ])("%s at the question stops with 130", async (_key, typed) => {
    await using world = await cliWorld();

    const { code } = await inTerminal(world, write, [[prompt, typed]]);

    expect(code).toBe(130);
  });

  test("always saves the rule as it is in the line", async () => {
    await using world = await cliWorld();

    const { code, screen } = await inTerminal(world, write, [
      [prompt, "a\r"],
      ["Edit(/x.txt)", "\r"],
      ["[s]: ", "s\r"],
    ]);

    expect(code).toBe(0);
    expect(screen).toContain("Saving Edit(/x.txt) (session).");
  });

  test.each([
    ["u", "the person's own settings", []],
    ["l", "the project's local settings, in a trusted workspace", ["--trust"]],
  ])("a rule saved for %s, %s, is not asked about again", async (letter, _where, more) => {
    await using world = await cliWorld();
    const words = [...write, ...more];

    const first = await inTerminal(world, words, [
      [prompt, "a\r"],
      ["Edit(/x.txt)", "\r"],
      ["[s]: ", `${letter}\r`],
    ]);
    const again = await inTerminal(world, [...words, "overwrite:=true"], []);

    expect([first.code, again.code]).toEqual([0, 0]);
    expect(again.screen).not.toContain(prompt);
  });

  test("the input is prefilled in the line for editing", async () => {
    await using world = await cliWorld();

    const { code } = await inTerminal(world, write, [
      [prompt, "e\r"],
      // Ctrl-U clears the line.
      ['"content":"hello"}', '\u0015{"file_path": "y.txt", "content": "changed"}\r'],
      [prompt, "y\r"],
    ]);

    expect(code).toBe(0);
    expect(readFileSync(path.join(world.workspace, "y.txt"), "utf8")).toBe("changed");
  });

  test("NO_COLOR shows none", async () => {
    await using world = await cliWorld({ "a.txt": "one\n" });
    const words = ["explain", "Read", "file_path=a.txt"];

    const colourful = await inTerminal(world, words, []);
    const line = `NO_COLOR=1 '${process.execPath}' '${haftFile}' ${words.join(" ")}`;
    const plain = spawnSync("script", ["-qfec", line, "/dev/null"], {
      cwd: world.workspace,
      env: environment(world, { TERM: "xterm", SHELL: "/bin/sh" }),
      encoding: "utf8",
    });

    expect(colourful.screen).toContain("\u001B[");
    expect(plain.stdout).not.toContain("\u001B[");
  });
});
