import { expect, test } from "vitest";
import { cliWorld, haft } from "../../test/support/cli.ts";
import { fakeTerminal } from "../../test/fakes/fake-terminal.ts";

import { guardedTerminal, processTerminal } from "./terminal.ts";

const hostile = "a\u001B[2Jb\u202E\u009B1mc\r";

test.each([
  { isOutputShown: true, out: "a␛[2Jb\\u{202e}\\u{9b}1mc␍", because: "a person reads it" },
  { isOutputShown: false, out: hostile, because: "a program gets what there is" },
])("results are printed as $out where $because", ({ isOutputShown, out }) => {
  const terminal = fakeTerminal({ isOutputShown });

  guardedTerminal(terminal).out(hostile);

  expect(terminal.output()).toBe(out);
});

test("messages are readable wherever they go, and what is passed on stays as it is", () => {
  const terminal = fakeTerminal();
  const guarded = guardedTerminal(terminal);

  guarded.err(hostile);
  guarded.raw(hostile, "err");

  expect(terminal.errors()).toBe(`a␛[2Jb\\u{202e}\\u{9b}1mc␍${hostile}`);
});

test.each([
  { FORCE_COLOR: "1", because: "styles of ours stay" },
  { FORCE_COLOR: "0", because: "without colours there are none of ours" },
])("$because", ({ FORCE_COLOR }) => {
  const before = process.env["FORCE_COLOR"];
  process.env["FORCE_COLOR"] = FORCE_COLOR;
  const printed: string[] = [];
  const own = processTerminal();
  const guarded = guardedTerminal({
    ...fakeTerminal(),
    style: (...given) => own.style(...given),
    err: (text) => void printed.push(text),
  });
  try {
    for (const each of ["bold", "dim", "red", "green", "yellow", "cyan"] as const) {
      guarded.err(guarded.style(each, each));
    }
    guarded.err("\u001B[8mhidden\u001B[1m");
  } finally {
    if (before === undefined) delete process.env["FORCE_COLOR"];
    else process.env["FORCE_COLOR"] = before;
  }

  const isOn = FORCE_COLOR === "1";
  expect(printed.slice(0, -1).join("")).toBe(
    isOn
      ? "\u001B[1mbold\u001B[22m\u001B[2mdim\u001B[22m\u001B[31mred\u001B[39m\u001B[32mgreen\u001B[39m\u001B[33myellow\u001B[39m\u001B[36mcyan\u001B[39m"
      : "bolddimredgreenyellowcyan",
  );
  expect(printed.at(-1)).toBe(isOn ? "␛[8mhidden\u001B[1m" : "␛[8mhidden␛[1m");
});

test("a rule that cannot be read paints over nothing when it is named", async () => {
  await using world = await cliWorld({
    ".haft/settings.json": JSON.stringify({
      permissions: { allow: ["Bash(x\u001B[2K\u001B[1A)", "Nonsense\u001B[2J("] },
    }),
  });

  const places = world.places.filter((word) => word !== "--no-settings");
  const { err } = await haft(["call", "Read", ...places, "file_path=none"], {
    isInteractive: true,
    cwd: world.workspace,
  });

  expect(err).toContain("Nonsense␛[2J(");
  expect(err).not.toContain("\u001B");
});
