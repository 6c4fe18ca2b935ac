import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { kindAt, resolved } from "./existing-path.ts";

const at = temporaryFolder("existing-path");

beforeEach(() => {
  mkdirSync(at("folder"));
  writeFileSync(at("folder/file"), "");
  symlinkSync("folder/file", at("to-file"));
  symlinkSync("folder", at("to-folder"));
  symlinkSync("to-folder", at("to-link"));
  symlinkSync("nowhere", at("dangling"));
  symlinkSync("loop", at("loop"));
});

test.each([
  { name: "folder", kind: "directory", leads: { path: "folder", kind: "directory" } },
  { name: "folder/file", kind: "file", leads: { path: "folder/file", kind: "file" } },
  { name: "to-file", kind: "link", leads: { path: "folder/file", kind: "file" } },
  { name: "to-link", kind: "link", leads: { path: "folder", kind: "directory" } },
  { name: "to-folder/file", kind: "file", leads: { path: "folder/file", kind: "file" } },
  { name: "dangling", kind: "link", leads: undefined },
  { name: "loop", kind: "link", leads: undefined },
  { name: "loop/file", kind: undefined, leads: undefined },
  { name: "nowhere", kind: undefined, leads: undefined },
  { name: "folder/file/below", kind: undefined, leads: undefined },
])("$name is a $kind and leads to $leads", async ({ name, kind, leads }) => {
  expect(kindAt(at(name))).toBe(kind);
  expect(resolved(at(name))).toEqual(leads && { ...leads, path: at(leads.path) });
});

test("a device is neither file nor directory, and is masked as a file", async () => {
  expect(kindAt("/dev/null")).toBe("other");
  expect(resolved("/dev/null")).toEqual({ path: "/dev/null", kind: "file" });
});
