import * as fc from "fast-check";
import { isWithin, joinPath, parentPath } from "../../src/text/index.ts";
import {
  ToolError,
  type HostFs,
  type StagedChange,
  type WriteEffect,
} from "../../src/core/index.ts";
import { memoryHost, type MemoryHost } from "../../src/host/index.ts";

export const root = "/project";

/** A host with one of everything in its project. */
export function worldOfEverything(): MemoryHost {
  const host = memoryHost({
    root,
    files: { "a.txt": "a", "d/b.txt": "b", "d/e/c.txt": "c", "f/g": "g", other: "o" },
  });
  host.control.plant("link", { kind: "symlink", target: "a.txt" });
  host.control.plant("run.sh", { kind: "file", content: "#!", mode: 0o755, mtimeMs: 5000.125 });
  host.control.plant("empty", { kind: "directory", mode: 0o700 });
  return host;
}

/** One path as text: kind, mode, time, content. */
async function entryOf(fs: HostFs, path: string): Promise<string> {
  const { kind, mode, mtimeMs } = await fs.stat(path);
  if (kind === "symlink") return `-> ${await fs.readLink(path)}`;
  if (kind !== "file") return `${mode.toString(8)}/`;
  // The owner may read it, whatever its mode says.
  await fs.setMode?.(path, mode | 0o400);
  const { bytes } = await fs.readFile(path);
  await fs.setMode?.(path, mode);
  return `${mode.toString(8)} ${mtimeMs} ${new TextDecoder().decode(bytes)}`;
}

/** Everything below the project, by path. */
export async function treeOf(fs: HostFs, path: string = root): Promise<Record<string, string>> {
  const tree: [string, string][] = [];
  for await (const { name, kind } of fs.list(path)) {
    const at = joinPath(path, name);
    tree.push([at, await entryOf(fs, at)]);
    if (kind === "directory") tree.push(...Object.entries(await treeOf(fs, at)));
  }
  return Object.fromEntries(tree.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const names = [
  "a.txt",
  "run.sh",
  "link",
  "d",
  "d/b.txt",
  "d/e",
  "d/e/c.txt",
  "empty",
  "empty/x",
  "f",
  "f/g",
  "new",
  "new/y/z",
];
export const somePath = fc.constantFrom(...names).map((name) => joinPath(root, name));

/** Change of a tool or a command to one path. */
export const someDeed = fc.oneof(
  fc.record({ kind: fc.constant("write"), path: somePath, text: fc.constantFrom("", "1", "2") }),
  fc.record({ kind: fc.constant("remove"), path: somePath }),
  fc.record({ kind: fc.constant("mkdir"), path: somePath }),
  fc.record({ kind: fc.constant("link"), path: somePath, text: fc.constantFrom("a.txt", "d") }),
  fc.record({
    kind: fc.constant("mode"),
    path: somePath,
    mode: fc.constantFrom(0o700, 0o755, 0o750, 0o500, 0o600),
  }),
  fc.record({ kind: fc.constant("touch"), path: somePath, mtimeMs: fc.constantFrom(1, 2.5) }),
  fc.record({ kind: fc.constant("move"), path: somePath, to: somePath }),
);

export type Deed = typeof someDeed extends fc.Arbitrary<infer D> ? D : never;

/** Does what it can: what the host refuses is not done. */
export async function act(fs: HostFs, deed: Deed): Promise<void> {
  const { path } = deed;
  const bytes = new TextEncoder().encode("text" in deed ? deed.text : "");
  const isDirectory = (await fs.stat(path).catch(() => undefined))?.kind === "directory";
  const doing: Record<Deed["kind"], () => Promise<unknown>> = {
    write: async () => {
      await fs.mkdir(parentPath(path));
      await fs.writeAtomic(path, bytes);
    },
    remove: () => fs.remove(path, { recursive: true }),
    mkdir: () => fs.mkdir(path),
    link: async () => {
      await fs.remove(path, { recursive: true }).catch(() => undefined);
      if ("text" in deed) await fs.makeLink?.(path, deed.text);
    },
    mode: async () => {
      // A test cannot read a directory that nobody may enter.
      if ("mode" in deed) await fs.setMode?.(path, isDirectory ? deed.mode | 0o500 : deed.mode);
    },
    touch: async () => {
      if ("mtimeMs" in deed && !isDirectory) await fs.setModified?.(path, deed.mtimeMs);
    },
    move: async () => {
      if ("to" in deed) await fs.move(path, deed.to);
    },
  };
  await doing[deed.kind]().catch((error: unknown) => {
    if (!ToolError.is(error)) throw error;
  });
}

/** The writes a tool that does these says it has. */
export function declared(deeds: readonly Deed[]): readonly WriteEffect[] {
  return deeds.flatMap((deed) =>
    [deed.path, ...("to" in deed ? [deed.to] : [])].map((path): WriteEffect => {
      const isTree = ["remove", "move", "link"].includes(deed.kind);
      return { kind: "write", path, scope: isTree ? "tree" : "file", change: "any" };
    }),
  );
}

/** Staged changes of a command that did these on an overlay of the project; the project itself stays. */
export async function stagedBy(
  host: MemoryHost,
  deeds: readonly Deed[],
): Promise<readonly StagedChange[]> {
  const { fs } = host;
  const copy = memoryHost({ root, now: host.clock.now() });
  const before = await treeOf(fs);
  for (const path of Object.keys(before)) {
    const { kind, mode, mtimeMs } = await fs.stat(path);
    if (kind === "symlink") copy.control.plant(path, { kind, target: await fs.readLink(path) });
    else if (kind === "directory") copy.control.plant(path, { kind, mode: 0o700 });
    else copy.control.plant(path, { kind: "file", content: contentOf(host, path), mode, mtimeMs });
  }
  for (const path of Object.keys(before)) {
    const { kind, mode } = await fs.stat(path);
    if (kind === "directory") await copy.fs.setMode?.(path, mode);
  }
  copy.control.advance(7);
  for (const deed of deeds) await act(copy.fs, deed);
  const after = await treeOf(copy.fs);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .toSorted()
    .filter((path) => before[path] !== after[path]);
  return Promise.all(changed.map((path) => stagedChange(host, copy, path)));
}

async function stagedChange(
  host: MemoryHost,
  copy: MemoryHost,
  path: string,
): Promise<StagedChange> {
  const stat = await copy.fs.stat(path).catch(() => undefined);
  if (stat === undefined) return { path, to: { kind: "absent" } };
  const { kind, mode, mtimeMs, size } = stat;
  if (kind === "symlink") return { path, to: { kind, target: await copy.fs.readLink(path) } };
  if (kind === "directory") return { path, to: { kind, mode } };
  const source = `/stage/${path.replaceAll("/", "+")}`;
  host.control.plant(source, { kind: "file", content: contentOf(copy, path), mode, mtimeMs });
  return { path, to: { kind: "file", source, size, mode, mtimeMs } };
}

function contentOf(host: MemoryHost, path: string): string {
  return host.control.texts()[path] ?? "";
}

/** The contents of files, and of what lies below a path only, that begin so. */
export function contentsWith(host: MemoryHost, start: string): readonly string[] {
  return Object.entries(host.control.texts())
    .filter(([path, text]) => isWithin(root, path) && text.startsWith(start))
    .map(([, text]) => text)
    .toSorted();
}
