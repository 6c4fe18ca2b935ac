import { afterEach, expect, test } from "vitest";
import { checksWorld, type ChecksWorld } from "./checks-world.ts";

let world: ChecksWorld | undefined;

afterEach(async () => {
  await world?.dispose();
  world = undefined;
});

/** A checker that prints each line with BAD. */
const grep = {
  name: "grep",
  command: ["/bin/sh", "-c", 'grep -Hn BAD "$@"; true', "sh", "{files}"],
};

test("a program reports what is new since before the edit", async () => {
  world = await checksWorld({ checkers: [{ ...grep, files: ["*.txt"] }] });
  await world.write("a.txt", "BAD: old\n");

  const found = await world.edit("a.txt", "one\nBAD: old\nBAD: new\n");

  expect(found?.findings).toMatchObject([{ line: 3, column: 1, source: "grep" }]);
});

test("a program that fails is silent for the model, and doctor says why", async () => {
  const command = ["/bin/sh", "-c", "echo no configuration >&2; exit 3"];
  world = await checksWorld({ checkers: [{ name: "lint", command, files: ["*.txt"] }] });
  await world.write("a.txt", "one\n");

  expect(await world.edit("a.txt", "BAD\n")).toBeUndefined();

  expect(world.diagnostics.states()[0]?.failure).toMatchObject({
    code: "COMMAND_FAILED",
    message: "lint ended with exit code 3 and named no problem. no configuration",
  });
});

test("a program that takes too long is ended and reports nothing", async () => {
  const command = ["/bin/sh", "-c", "sleep 1000"];
  const slow = { name: "slow", command, files: ["*.txt"], timeoutMs: 50 };
  world = await checksWorld({ checkers: [slow] });
  await world.write("a.txt", "one\n");

  expect(await world.edit("a.txt", "BAD\n")).toBeUndefined();

  expect(world.diagnostics.states()[0]?.failure).toMatchObject({ code: "TIMEOUT" });
  expect(await world.host.proc.list()).toEqual([]);
});
