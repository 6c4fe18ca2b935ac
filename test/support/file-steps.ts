import { promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

type Step = (...given: readonly unknown[]) => unknown;

/** What is done where a step of the file system would be taken; undefined: the step itself. */
export type Meddling = (step: string, count: number) => Promise<unknown> | undefined;

/** The steps by which a change reaches the disk, and those between them. */
const steps = ["open", "rename", "link", "unlink", "mkdir", "rm"];
const handleSteps = ["writeFile", "chmod", "chown", "sync", "stat"];

/** Every asynchronous step of the file system that this process takes, until the returned function is called. */
export async function meddle(meddling: Meddling): Promise<() => void> {
  const probe = await promises.open(process.execPath);
  const prototype: unknown = Object.getPrototypeOf(probe);
  await probe.close();
  if (typeof prototype !== "object" || prototype === null) throw new TypeError("No file handle.");
  let count = 0;
  const restores = [
    ...steps.map((name) => ({ owner: promises, name })),
    ...handleSteps.map((name) => ({ owner: prototype, name })),
  ].map(({ owner, name }) => {
    const real: unknown = Reflect.get(owner, name);
    if (typeof real !== "function") throw new TypeError(`There is no ${name}.`);
    const watched: Step = function watched(this: unknown, ...given) {
      count += 1;
      return meddling(name, count) ?? Reflect.apply(real, this, given);
    };
    Reflect.set(owner, name, watched);
    return () => Reflect.set(owner, name, real);
  });
  syncBuiltinESMExports();
  return () => {
    for (const restore of restores) restore();
    syncBuiltinESMExports();
  };
}
