import { chmodSync, copyFileSync, existsSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { isTrustedProgram, missingProgram, systemEnvironment, systemProgram } from "./index.ts";

const at = temporaryFolder("system-program");
const hasUsrBin = existsSync("/usr/bin/env");

test.skipIf(!hasUsrBin)("a program of the system is found by its absolute path", () => {
  const found = systemProgram("sh") ?? "";

  expect(path.isAbsolute(found)).toBe(true);
  expect(isTrustedProgram(found)).toBe(true);
});

test.skipIf(!hasUsrBin)("PATH changes nothing about that", () => {
  copyFileSync("/usr/bin/env", at("env"));
  chmodSync(at("env"), 0o755);
  const { PATH } = process.env;
  process.env["PATH"] = at("");
  try {
    expect(systemProgram("env")).toMatch(/^\/(?:usr\/)?bin\/env$/u);
    expect(systemEnvironment()["PATH"]?.split(":")).not.toContain(at(""));
  } finally {
    process.env["PATH"] = PATH;
  }
});

test.skipIf(!hasUsrBin)(
  "a directory that others may write is not trusted, nor a link in it",
  () => {
    copyFileSync("/usr/bin/env", at("copy"));
    chmodSync(at("copy"), 0o755);
    symlinkSync("/usr/bin/env", at("link"));

    expect(isTrustedProgram(at("copy"))).toBe(false);
    expect(isTrustedProgram(at("link"))).toBe(false);
    expect(isTrustedProgram(`/usr/bin/../..${at("link")}`)).toBe(false);
  },
);

test("a directory, a missing file and a file without execute permission are not programs", () => {
  expect(isTrustedProgram("/usr/bin")).toBe(false);
  expect(isTrustedProgram("/usr/bin/haft-has-no-such-program")).toBe(false);
  expect(isTrustedProgram("/etc/passwd")).toBe(false);
});

test("a missing program is reported by its name", () => {
  expect(missingProgram("haft-has-no-such-program")).toBe(
    "haft-has-no-such-program is not installed.",
  );
});
