import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { fakeTerminal } from "../../test/fakes/fake-terminal.ts";
import { onInterrupt } from "./interrupt.ts";
import { tellReaderGone } from "./closed-output.ts";

function world({ isInteractive = true }: { readonly isInteractive?: boolean } = {}) {
  const source = new EventEmitter();
  const exits: number[] = [];
  const terminal = fakeTerminal({ isInteractive });
  const interrupt = onInterrupt(terminal, { source, exit: (code) => void exits.push(code) });
  return {
    terminal,
    interrupt,
    exits,
    send: (name: string) => source.emit(name, name),
    heard: () => source.eventNames(),
  };
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"])("%s aborts what runs", (name) => {
  const { interrupt, exits, send } = world();

  send(name);

  expect(interrupt.signal.aborted).toBe(true);
  expect(exits).toEqual([]);
});

test("a Ctrl-C that a launcher passes on once more is the same one", () => {
  const { terminal, exits, send } = world();

  send("SIGINT");
  terminal.pass(500);
  send("SIGINT");

  expect(exits).toEqual([]);
  expect(terminal.errors()).toBe("\nStopping; once more ends it at once.\n");
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
])("a later %s ends the process with %i", (name, code) => {
  const { terminal, exits, send } = world();

  send("SIGINT");
  terminal.pass(501);
  send(name);

  expect(exits).toEqual([code]);
});

test("a reader that is gone never ends the process at once, whatever came before", () => {
  const { terminal, interrupt, exits, send } = world();

  expect(tellReaderGone()).toBe(true);
  expect(interrupt.signal.aborted).toBe(true);
  terminal.pass(10_000);
  tellReaderGone();
  send("SIGTERM");
  interrupt.dispose();

  expect(exits).toEqual([]);
});

test("a pipe of a program that closed is none of its business", () => {
  expect(world().heard()).not.toContain("SIGPIPE");
});

test("the closing of a terminal is only watched where there is one", () => {
  expect(world({ isInteractive: false }).heard()).not.toContain("SIGHUP");
  expect(world().heard()).toContain("SIGHUP");
});

test("nothing is said to a terminal that is gone, nor where no person reads", () => {
  const closed = world();
  closed.send("SIGHUP");
  const unread = world({ isInteractive: false });
  unread.send("SIGINT");

  expect([closed.terminal.errors(), unread.terminal.errors()]).toEqual(["", ""]);
});

test("a disposed one hears nothing", () => {
  const { interrupt, heard } = world();

  interrupt.dispose();
  tellReaderGone();

  expect(heard()).toEqual([]);
  expect(interrupt.signal.aborted).toBe(false);
});
