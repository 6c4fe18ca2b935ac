import { expect, test } from "vitest";
import type { ExecuteEffect, Word } from "../../core/index.ts";
import { classOf, isCritical } from "./boundary.ts";

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
  { argv: ["kill", "-s", "0", "a-b"], is: "execute-listed", because: "that is not an option" },
  { argv: ["ls"], is: "execute-listed", because: "it sends no signal" },
] as const)("a listed $argv counts as $is: $because", ({ argv, is }) => {
  expect(classOf(listed(argv), boundary)).toBe(is);
});

test("a kill of unknown processes counts as a program that can do anything", () => {
  const open: ExecuteEffect = { ...listed(["kill", "-9", "7"]), consequences: "open" };

  expect(classOf(open, boundary)).toBe("execute-open");
});

test.each([
  { path: "/dev/fd/1", is: "device" },
  { path: "/dev/null", is: "device" },
  { path: "/dev/sda", is: "write-outside" },
  { path: "/other/dev/fd/1", is: "write-outside" },
])("$path is written as $is", ({ path, is }) => {
  expect(classOf({ kind: "write", path, scope: "file", change: "any" }, boundary)).toBe(is);
});

test.each([
  { path: "/etc", is: true, because: "it is a top-level folder" },
  { path: "/home/ada", is: true, because: "it is home" },
  { path: "/project", is: true, because: "it is the workspace" },
  { path: "/srv/added", is: true, because: "it is an additional folder" },
  { path: "/srv/added/a", is: false, because: "it is a part of one" },
  { path: "/srv/other", is: false, because: "it is nobody's" },
])("removing $path as a whole is critical, $is: $because", ({ path, is }) => {
  const around = { ...boundary, roots: ["/project", "/srv/added"], home: "/home/ada" };
  const removal = { kind: "write", path, scope: "tree", change: "delete" } as const;

  expect(isCritical(removal, around)).toBe(is);
  expect(isCritical({ ...removal, scope: "file" }, around)).toBe(false);
  expect(isCritical({ ...removal, change: "any" }, around)).toBe(false);
});
