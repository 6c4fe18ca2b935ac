import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { landlockProgram, outsideWritable } from "./landlock-program.ts";
import { plainPolicy } from "../probe/cache.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { seccompProgram } from "../seccomp/seccomp-program.ts";

const at = temporaryFolder("landlock-program");
const folder = (name: string) => ({ path: at(name), kind: "directory" }) as const;
const file = (name: string) => ({ path: at(name), kind: "file" }) as const;

beforeEach(() => {
  for (const name of ["a/secret/deep", "a/open", "b", "work"]) {
    mkdirSync(at(name), { recursive: true });
  }
  writeFileSync(at("a/file"), "");
  symlinkSync(at("b"), at("a/link"));
});

async function programOf(more: Partial<SandboxPolicy>) {
  return await landlockProgram({ ...plainPolicy, readable: [at("")], ...more });
}

const devices = ["null", "zero", "full", "random", "urandom"].map((name) => ({
  path: `/dev/${name}`,
  kind: "file",
}));

async function readable(more: Partial<SandboxPolicy>): Promise<readonly string[]> {
  const { readable: trees = [], writable } = await programOf(more);
  return trees
    .slice(0, trees.length - writable.length)
    .map((each) => path.relative(at(""), each.path));
}

test("where nothing is hidden, all can be read", async () => {
  expect(await landlockProgram(plainPolicy)).not.toHaveProperty("readable");
});

test("what can be written is what the policy opens, and devices without memory", async () => {
  const { writable } = await programOf({ writable: [folder("work")], granted: [file("a/file")] });

  expect(writable).toEqual([folder("work"), file("a/file"), ...devices]);
});

test("a tree that is protected as a whole can be read and not written", async () => {
  const { readable: trees, writable } = await programOf({
    writable: [folder("work"), folder("b")],
    protected: [folder("work"), folder("b/part")],
    hidden: [folder("a/secret")],
  });

  expect(writable).toEqual([folder("b"), ...devices]);
  expect(trees).toContainEqual(folder("work"));
});

test("a tree without its secrets is named by what is left, links aside", async () => {
  expect((await readable({ hidden: [folder("a/secret")] })).toSorted()).toEqual([
    "a/file",
    "a/open",
    "b",
    "work",
  ]);
  expect((await readable({ hidden: [folder("a/secret/deep")] })).toSorted()).toEqual([
    "a/file",
    "a/open",
    "b",
    "work",
  ]);
  expect(await readable({ hidden: [file("a/file")], readable: [at("a/file"), at("b")] })).toEqual([
    "b",
  ]);
});

test("where all could be read, a secret narrows it as well", async () => {
  const { readable: trees = [] } = await programOf({ readable: ["/"], hidden: [folder("a")] });

  expect(trees).toContainEqual(folder("b"));
  expect(trees).not.toContainEqual({ path: "/", kind: "directory" });
});

test("of trees that are listed those that are there can be read, files as files", async () => {
  const { readable: trees } = await programOf({ readable: [at("a/file"), at("b"), at("missing")] });

  expect(trees).toEqual([file("a/file"), folder("b"), ...devices]);
});

test("of what is hidden, what is shown can be read", async () => {
  const revealed = [file("a/secret/shown")];

  expect(await readable({ hidden: [folder("a")], revealed })).toEqual([
    "b",
    "work",
    "a/secret/shown",
  ]);
});

test("a secret in what can be written cannot be kept back", () => {
  const writable = [folder("b"), folder("work")];
  const hidden = [folder("work/keys"), folder("a/secret")];

  expect(outsideWritable({ ...plainPolicy, writable, hidden })).toEqual([folder("a/secret")]);
});

test.each([
  { kind: "open", isOffline: false, sockets: "internet" },
  { kind: "none", isOffline: true, sockets: "none" },
] as const)("a network that is $kind", async ({ kind, isOffline, sockets }) => {
  const program = await programOf({ network: { kind } });

  expect(program.isOffline).toBe(isOffline);
  const filter = seccompProgram({ sockets, sharesProcesses: true });
  expect(program.filter).toBe(Buffer.from(filter).toString("base64"));
});
