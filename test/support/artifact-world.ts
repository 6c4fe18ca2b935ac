import { artifacts } from "../../src/artifacts/index.ts";
import type { Limits } from "../../src/core/index.ts";
import { memoryHost, type MemoryHost } from "../../src/host/index.ts";

export const directory = "/data/artifacts";
export const hourMs = 60 * 60 * 1000;

/** A store of artifacts in memory. */
export function store(quota: Partial<Limits["artifacts"]> = {}, host: MemoryHost = memoryHost()) {
  return { host, store: artifacts({ host, directory, quota }) };
}

/** The stored texts, by path. */
export function texts(host: MemoryHost): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(host.control.texts()).filter(([path]) => path.startsWith(directory)),
  );
}
