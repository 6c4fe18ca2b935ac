import { expect, test } from "vitest";
import { hasColours } from "./terminal.ts";

const terminal = { isTTY: true };
const pipe = { isTTY: false };

test.each([
  { stream: terminal, env: {}, expected: true, because: "a terminal shows colours" },
  { stream: pipe, env: {}, expected: false, because: "a pipe does not" },
  { stream: terminal, env: { NO_COLOR: "1" }, expected: false, because: "NO_COLOR is obeyed" },
  { stream: terminal, env: { NO_COLOR: "" }, expected: true, because: "an empty one says nothing" },
  { stream: terminal, env: { TERM: "dumb" }, expected: false, because: "a dumb terminal cannot" },
  { stream: pipe, env: { FORCE_COLOR: "1" }, expected: true, because: "it goes through a pipe" },
  { stream: pipe, env: { FORCE_COLOR: "" }, expected: true, because: "it needs no value" },
  { stream: terminal, env: { FORCE_COLOR: "0" }, expected: false, because: "0 means none" },
  {
    stream: terminal,
    env: { FORCE_COLOR: "1", NO_COLOR: "1" },
    expected: true,
    because: "FORCE_COLOR is the stronger",
  },
])("$stream with $env: $expected, $because", ({ stream, env, expected }) => {
  expect(hasColours(stream, env)).toBe(expected);
});
