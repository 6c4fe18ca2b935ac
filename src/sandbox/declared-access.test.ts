import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { declaredPolicy } from "./declared-access.ts";
import type { SandboxNetwork } from "./policy/policy.ts";

let directory = "";
beforeEach(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "haft-declared-")));
});
afterEach(async () => await rm(directory, { recursive: true, force: true }));

const hosts = ["api.example.com:443", "other.example.org:443"];

const rows: readonly (readonly [SandboxNetwork, SandboxNetwork])[] = [
  [{ kind: "open" }, { kind: "hosts", hosts }],
  [{ kind: "none" }, { kind: "none" }],
  [
    { kind: "hosts", hosts: ["*.example.com"] },
    { kind: "hosts", hosts: ["api.example.com:443"] },
  ],
  [{ kind: "hosts", hosts: ["example.net"] }, { kind: "none" }],
];

test.each(rows)(
  "where programs have the network %j, declared hosts get %j",
  async (network, expected) => {
    const declared = { reads: [], writes: [], hosts, isOpen: false };

    const policy = await declaredPolicy(declared, {
      home: directory,
      secrets: undefined,
      directory,
      network,
      hide: [],
      keep: [],
    });

    expect(policy.network).toEqual(expected);
    expect(policy.writable.map((each) => each.path)).toEqual([directory]);
    expect(policy.readable).not.toContain("/");
    // Only a program with hosts needs the relay, which is part of haft.
    expect(policy.readable.some((each) => import.meta.dirname.startsWith(`${each}/`))).toBe(
      expected.kind === "hosts",
    );
  },
);

test("a directory is opened only where everything below it is declared", async () => {
  const folder = path.join(directory, "folder");
  const file = path.join(directory, "file.txt");
  await mkdir(folder);
  await writeFile(file, "");
  const both = (scope: "file" | "tree") => [
    { path: folder, scope },
    { path: file, scope: "file" as const },
  ];
  const policyOf = async (scope: "file" | "tree") =>
    await declaredPolicy(
      { reads: both(scope), writes: both(scope), hosts: [], isOpen: false },
      {
        home: directory,
        secrets: undefined,
        directory: await mkdtemp(path.join(directory, "own-")),
        network: { kind: "none" },
        hide: [],
        keep: [],
      },
    );

  const [asFile, asTree] = [await policyOf("file"), await policyOf("tree")];

  for (const list of ["readable", "writable"] as const) {
    const paths = (policy: typeof asFile): readonly string[] =>
      policy[list].map((each) => (typeof each === "string" ? each : each.path));
    expect(paths(asFile)).not.toContain(folder);
    expect(paths(asFile)).toContain(file);
    expect(paths(asTree)).toContain(folder);
  }
});
