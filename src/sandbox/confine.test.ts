import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { landlock } from "./drivers/landlock.ts";
import { programCommand } from "./program-file.ts";
import { seccompProgram } from "./seccomp/seccomp-program.ts";

const at = temporaryFolder("confine");
const missing =
  process.platform !== "linux"
    ? { reason: "not Linux" }
    : typeof process.execve !== "function"
      ? { reason: "this Node cannot become another program" }
      : await landlock.missing();

test.skipIf(missing !== undefined).each([
  { kind: "directory", isWritten: true },
  { kind: "file", isWritten: false },
])("a directory that the program names as a $kind can be written: $isWritten", (given) => {
  mkdirSync(at("open"));
  const filter = Buffer.from(seccompProgram({ sockets: "none", sharesProcesses: true }));
  const writable = [{ path: at("open"), kind: given.kind }];
  const program = { writable, isOffline: true, filter: filter.toString("base64") };
  writeFileSync(at("program.json"), JSON.stringify(program));
  writeFileSync(at("open/a"), "old");
  const [node = "", ...words] = programCommand("confined-exec");
  const command = ["/bin/sh", "-c", "echo new > open/a; echo done"];

  const run = spawnSync(node, [...words, at("program.json"), at(""), "--", ...command], {
    encoding: "utf8",
  });

  expect(run.stdout).toBe("done\n");
  expect(run.stderr === "").toBe(given.isWritten);
  expect(existsSync(at("open/a"))).toBe(true);
});
