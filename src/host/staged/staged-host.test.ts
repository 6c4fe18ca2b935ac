import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ToolError, type HostFs, type StagedChange } from "../../core/index.ts";
import { memoryHost, type MemoryHost } from "../memory/memory-host.ts";
import { stagedHost } from "./staged-host.ts";
import { runs } from "../../../test/support/law-runs.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A small tree with every kind of node. */
function machine(): MemoryHost {
  const host = memoryHost({
    files: { a: "one", b: "two", "d/a": "three", "d/e/b": "four", "e/a": "five" },
  });
  host.control.plant("b", { kind: "file", content: "two", mode: 0o755 });
  host.control.plant("d/l", { kind: "symlink", target: "../a" });
  host.control.plant("e/empty", { kind: "directory", mode: 0o700 });
  return host;
}

type Tree = Readonly<Record<string, string>>;

async function treeOf(fs: HostFs, root = "/project"): Promise<Tree> {
  const found: Record<string, string> = {};
  for await (const { name } of fs.list(root)) {
    const path = `${root}/${name}`;
    const { kind, mode } = await fs.stat(path);
    const what =
      kind === "file"
        ? new TextDecoder().decode((await fs.readFile(path)).bytes)
        : kind === "symlink"
          ? await fs.readLink(path)
          : "";
    found[path] = `${kind} ${kind === "symlink" ? "" : mode.toString(8)} ${what}`;
    if (kind === "directory") Object.assign(found, await treeOf(fs, path));
  }
  return found;
}

type Change = (fs: HostFs) => Promise<unknown>;

const name = fc.constantFrom("a", "b", "d", "e", "l", "empty");
const path = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((parts) => `/project/${parts.join("/")}`);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(path, fc.constantFrom("", "one", "new text"), fc.constantFrom(0o644, 0o600)).map(
    ([at, text, mode]): Change =>
      (fs) =>
        fs.writeAtomic(at, encode(text), { mode }),
  ),
  path.map(
    (at): Change =>
      (fs) =>
        fs.append(at, encode("+")),
  ),
  path.map(
    (at): Change =>
      (fs) =>
        fs.mkdir(at),
  ),
  fc.tuple(path, fc.boolean()).map(
    ([at, recursive]): Change =>
      (fs) =>
        fs.remove(at, { recursive }),
  ),
  fc.tuple(path, path).map(
    ([from, to]): Change =>
      (fs) =>
        fs.move(from, to),
  ),
);

/** Code of the error, or "" on success. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "";
  } catch (error) {
    if (ToolError.is(error)) return error.code;
    throw error;
  }
}

describe("a staged host", () => {
  test("does what its base host would do, leaves that unchanged, and reports the difference exactly", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const base = machine();
        const real = machine();
        const staged = stagedHost(base);
        const before = await treeOf(base.fs);

        for (const each of changes) {
          expect(await outcomeOf(each(staged.host.fs))).toBe(await outcomeOf(each(real.fs)));
        }

        const after = await treeOf(real.fs);
        expect(await treeOf(staged.host.fs)).toEqual(after);
        expect(await treeOf(base.fs)).toEqual(before);
        const told = await staged.changes();
        expect(told.changes.map(({ path: at }) => at)).toEqual(differing(before, after));
        for (const { path: at, to } of told.changes) {
          expect(await shown(to, staged.host.fs)).toBe(after[at]);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test("a moved tree is not read", async () => {
    const base = machine();
    const staged = stagedHost(base);
    const { host } = staged;
    const stop = base.control.fail({
      operation: "readFile",
      fails: "EIO",
    });
    await host.fs.move("/project/d", "/project/moved");
    const told = await staged.changes();
    stop();

    expect(told.changes.map(({ path: at }) => at)).toContain("/project/moved/e/b");
    expect((await host.fs.readFile("/project/moved/e/b")).bytes).toEqual(encode("four"));
    expect(await host.fs.readRange("/project/moved/e/b", { offset: 1, length: 2 })).toEqual(
      encode("ou"),
    );
  });

  test("searches see what was staged", async () => {
    const { host } = stagedHost(machine());
    await host.fs.writeAtomic("/project/new.txt", encode("needle"));
    await host.fs.remove("/project/a");
    const found: string[] = [];
    for await (const event of host.search.glob({ root: "/project", pattern: "*" })) {
      if (event.kind === "files") found.push(...event.files.map((file) => file.path));
    }

    expect(found).toContain("/project/new.txt");
    expect(found).not.toContain("/project/a");
  });

  test("a link that was removed is no longer followed", async () => {
    const { host } = stagedHost(machine());

    expect(await host.fs.canonical("/project/d/l")).toBe("/project/a");
    await host.fs.remove("/project/d/l");
    expect(await host.fs.canonical("/project/d/l")).toBe("/project/d/l");
  });

  test("starts no programs and connects to nothing", async () => {
    const { host } = stagedHost(machine());

    await expect(host.proc.start({ id: "a", argv: ["ls"], cwd: "/project" })).rejects.toMatchObject(
      { code: "UNAVAILABLE" },
    );
    await expect(host.net.fetch({ url: "http://localhost/" })).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
    expect(host.info.capabilities).toMatchObject({ processes: false, network: false });
  });
});

function differing(before: Tree, after: Tree): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((at) => before[at] !== after[at]).toSorted();
}

async function shown(to: StagedChange["to"], fs: HostFs): Promise<string | undefined> {
  switch (to.kind) {
    case "absent":
      return undefined;
    case "directory":
      return `directory ${to.mode.toString(8)} `;
    case "symlink":
      return `symlink  ${to.target}`;
    case "file": {
      const { bytes, stat } = await fs.readFile(to.source);
      const size = to.size === stat.size ? "" : " of another size";
      return `file${size} ${to.mode.toString(8)} ${new TextDecoder().decode(bytes)}`;
    }
  }
}
