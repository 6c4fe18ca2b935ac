import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fakes/fake-terminal.ts";
import { progressLine } from "./progress-line.ts";

const clear = "\r\u001B[2K";

test("nothing is shown before a second has passed", () => {
  const terminal = fakeTerminal({ isInteractive: true });
  const progress = progressLine("Bash", terminal);

  terminal.pass(999);
  progress.stop();

  expect(terminal.errors()).toBe("");
});

test("after a second the line says what runs, for how long, and its last words", () => {
  const terminal = fakeTerminal({ isInteractive: true });
  const progress = progressLine("Bash", terminal);
  progress.update("  12 of\n40 \u001B[32mtests\u001B[0m\u0007 ");

  terminal.pass(1000);

  expect(terminal.errors()).toBe(`${clear}Bash 1 s 12 of 40 tests`);
});

test("the line is never longer than the terminal is wide", () => {
  const terminal = fakeTerminal({ isInteractive: true, columns: 20 });
  const progress = progressLine("Bash", terminal);
  progress.update("x".repeat(100));

  terminal.pass(2100);

  expect(terminal.errors().split(clear).at(-1)).toBe("Bash 2 s xxxxxxxxxx");
});

test("stopping clears the line and its timer", () => {
  const terminal = fakeTerminal({ isInteractive: true });
  const progress = progressLine("Bash", terminal);

  terminal.pass(1500);
  progress.stop();
  terminal.pass(5000);

  expect(terminal.errors().endsWith(clear)).toBe(true);
  expect(terminal.timers()).toBe(0);
});

test("while a question stands the line is gone, and comes back after it", () => {
  const terminal = fakeTerminal({ isInteractive: true });
  const progress = progressLine("Bash", terminal);
  terminal.pass(1000);
  progress.pause();
  const asked = terminal.errors();

  terminal.pass(3000);
  expect(terminal.errors()).toBe(asked);
  expect(asked.endsWith(clear)).toBe(true);
  progress.resume();
  terminal.pass(250);

  expect(terminal.errors()).toBe(`${asked}${clear}Bash 4 s`);
});

test("where nobody watches there is no line and no timer", () => {
  const terminal = fakeTerminal({ isInteractive: false });
  const progress = progressLine("Bash", terminal);
  progress.update("working");

  terminal.pass(60_000);
  progress.stop();

  expect(terminal.errors()).toBe("");
  expect(terminal.timers()).toBe(0);
});
