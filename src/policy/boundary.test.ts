import { expect, test } from "vitest";
import type { ExecuteEffect, Word } from "../core/index.ts";
import { classOf } from "./boundary.ts";

const boundary = { roots: ["/project"], restrictToWorkspace: false };

function listed(argv: readonly Word[]): ExecuteEffect {
  const span = { start: 0, end: 0 };
  return { kind: "execute", argv, assigns: [], via: [], consequences: "listed", span };
}

test.each([
  { argv: ["kill", "-TERM", "--", "-7"], is: "execute-stop", because: "it ends a process" },
  { argv: ["kill", "7"], is: "execute-stop", because: "TERM is what is sent by default" },
  { argv: ["kill", { dynamic: "$x" }], is: "execute-stop", because: "it may be any signal" },
  { argv: ["kill", "-l"], is: "execute-listed", because: "it lists the signals" },
  { argv: ["kill", "-L"], is: "execute-listed", because: "it lists them as a table" },
  { argv: ["kill", "-0", "7"], is: "execute-listed", because: "it only looks" },
  { argv: ["kill", "-s", "0", "7"], is: "execute-listed", because: "it only looks" },
  { argv: ["kill", "-s", "0", "-9", "7"], is: "execute-stop", because: "the later signal is sent" },
  { argv: ["kill", "-s", "0", { dynamic: "$x" }], is: "execute-stop", because: "it may be one" },
  { argv: ["kill", "-s", "KILL", "7"], is: "execute-stop", because: "it ends a process" },
  { argv: ["ls"], is: "execute-listed", because: "it sends no signal" },
] as const)("a listed $argv counts as $is: $because", ({ argv, is }) => {
  expect(classOf(listed(argv), boundary)).toBe(is);
});

test("a kill that may do anything is a program that may", () => {
  const open: ExecuteEffect = { ...listed(["kill", "-9", "7"]), consequences: "open" };

  expect(classOf(open, boundary)).toBe("execute-open");
});
