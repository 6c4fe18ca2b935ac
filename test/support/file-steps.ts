import type * as named from "node:fs";
import { constants, promises } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";

type Step = (...given: readonly unknown[]) => unknown;

/**
 * Result of a step of the file system: an error, or "stop" as in a process that is killed; undefined: the step
 * itself.
 */
export type Meddling = (step: string, count: number) => Error | "stop" | undefined;

/** How a step says what became of it. */
type Style = "promise" | "callback" | "sync";

interface Watched {
  readonly owner: object;
  /** In its owner. */
  readonly key: string;
  /** Name in the report. */
  readonly name: string;
  readonly style: Style;
}

/** The steps by which a change reaches the disk, and those between them. */
const promised = ["open", "rename", "link", "unlink", "mkdir", "rm"];
const handled = ["writeFile", "chmod", "chown", "sync", "stat"];
const synchronous = new Map([
  ["openSync", "open"],
  ["writeSync", "write"],
  ["fchmodSync", "chmod"],
  // Where nothing is kept beyond memory.
  ["fsyncSync", "sync"],
  ["fdatasyncSync", "sync"],
  ["renameSync", "rename"],
  ["linkSync", "link"],
  ["unlinkSync", "unlink"],
]);
const called = new Map([
  ["write", "write"],
  ["fsync", "sync"],
  ["fdatasync", "sync"],
  ["fchown", "chown"],
  ["rename", "rename"],
]);

/** Every step of the file system by which this process changes something, until the returned function is called. */
export async function meddle(meddling: Meddling): Promise<() => void> {
  const probe = await promises.open(process.execPath);
  const prototype: unknown = Object.getPrototypeOf(probe);
  await probe.close();
  if (typeof prototype !== "object" || prototype === null) throw new TypeError("No file handle.");
  // Only the object that is required can be changed; what is imported follows it.
  const fs: typeof named = createRequire(import.meta.url)("node:fs") as typeof named;
  let count = 0;
  const all: readonly Watched[] = [
    ...promised.map((name) => ({ owner: promises, key: name, name, style: "promise" as const })),
    ...handled.map((name) => ({ owner: prototype, key: name, name, style: "promise" as const })),
    ...Array.from(synchronous, ([key, name]) => ({ owner: fs, key, name, style: "sync" as const })),
    ...Array.from(called, ([key, name]) => ({ owner: fs, key, name, style: "callback" as const })),
  ];
  const restores = all.map(({ owner, key, name, style }) => {
    const real: unknown = Reflect.get(owner, key);
    if (typeof real !== "function") throw new TypeError(`There is no ${key}.`);
    const watched: Step = function watched(this: unknown, ...given) {
      if (name === "open" && !makes(given[1])) return Reflect.apply(real, this, given);
      count += 1;
      const said = meddling(name, count);
      return said === undefined ? Reflect.apply(real, this, given) : instead(said, style, given);
    };
    Reflect.set(owner, key, watched);
    return () => Reflect.set(owner, key, real);
  });
  syncBuiltinESMExports();
  return () => {
    for (const restore of restores) restore();
    syncBuiltinESMExports();
  };
}

/** Reading a file changes nothing, so opening it for that is not a step. */
function makes(flags: unknown): boolean {
  return typeof flags === "number" && (flags & constants.O_CREAT) !== 0;
}

/** Where a step cannot hang it fails, and so does every step after it: nothing more reaches the disk. */
function instead(said: Error | "stop", style: Style, given: readonly unknown[]): unknown {
  if (style === "sync") throw said === "stop" ? new Error("stopped") : said;
  if (style === "promise") {
    return said === "stop" ? new Promise<never>(() => undefined) : Promise.reject(said);
  }
  const callback = given.at(-1);
  if (said !== "stop" && typeof callback === "function") queueMicrotask(() => callback(said));
  return undefined;
}
