import { expect, test } from "vitest";
import { hasColours } from "./terminal.ts";

const terminal = { isTTY: true };
const pipe = { isTTY: false };

test.each([
  [terminal, {}, true, "a terminal shows colours"],
  [pipe, {}, false, "a pipe does not"],
  [terminal, { NO_COLOR: "1" }, false, "NO_COLOR is obeyed"],
  [terminal, { NO_COLOR: "" }, true, "an empty NO_COLOR says nothing"],
  [terminal, { TERM: "dumb" }, false, "a dumb terminal cannot"],
  [pipe, { FORCE_COLOR: "1" }, true, "FORCE_COLOR goes through a pipe"],
  [pipe, { FORCE_COLOR: "" }, true, "FORCE_COLOR needs no value"],
  [terminal, { FORCE_COLOR: "0" }, false, "FORCE_COLOR=0 means none"],
  [terminal, { FORCE_COLOR: "1", NO_COLOR: "1" }, true, "FORCE_COLOR is the stronger"],
])("%j with %j: %s (%s)", (stream, env, expected, _because) => {
  expect(hasColours(stream, env)).toBe(expected);
});
