import { defaultLimits, ToolError, type HostClock, type HostFs } from "../../core/index.ts";
import { isAbsolutePath, isNotFound, joinPath } from "../../text/index.ts";
import { inBatches } from "../../text/index.ts";

/** Data with which a tool can undo its own call. */
export interface ToolUndoRecord {
  readonly callId: string;
  readonly tool: string;
  /** Input with which the call ran. */
  readonly input: unknown;
  /** Outcome of the run, as JSON. */
  readonly outcome: unknown;
  readonly sessionId?: string;
  readonly agentId?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `undone`: undone and not redone since. */
  readonly state: "done" | "undone";
  /** Calls whose files the latest undo restored together with this one. */
  readonly undoneWith?: readonly string[];
}

export interface Compensations {
  /** Durable when it resolves; false if it is too large to be stored. */
  keep(compensation: Omit<ToolUndoRecord, "state" | "undoneWith">): Promise<boolean>;
  /** Newest first. */
  list(): Promise<readonly ToolUndoRecord[]>;
  replace(compensation: ToolUndoRecord): Promise<void>;
  /** Deletes the oldest beyond the limits of number, age and size. A dry run only reports what it would delete. */
  gc(options?: { readonly dryRun?: boolean }): Promise<CompensationsCollected>;
}

/** Result of a collection: calls and bytes removed. */
export interface CompensationsCollected {
  readonly calls: number;
  readonly bytes: number;
}

/** Maximum size of one record in bytes. */
const maxBytes = 1024 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
const version = 1;

/** Stores one file per call in a directory outside the workspace that no tool can reach. */
export function createCompensations(options: {
  readonly fs: HostFs;
  readonly clock: Pick<HostClock, "now">;
  readonly directory: string;
  /** Maximum number and age; the oldest beyond it are deleted. Default: `defaultLimits.undo`. */
  readonly quota?: { readonly calls: number; readonly days: number };
}): Compensations {
  const { fs, clock, directory } = options;
  const { calls: maxKept, days: maxDays } = options.quota ?? defaultLimits.undo;
  if (!isAbsolutePath(directory)) {
    throw new TypeError("The directory of compensations must be an absolute path.");
  }

  async function names(): Promise<readonly string[]> {
    const found: string[] = [];
    try {
      for await (const { name } of fs.list(directory)) if (form.test(name)) found.push(name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return found.toSorted().toReversed();
  }

  async function read(name: string): Promise<ToolUndoRecord | undefined> {
    try {
      const { bytes } = await fs.readFile(joinPath(directory, name));
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      return isCompensation(value) ? value : undefined;
    } catch (error) {
      // A file that cannot be read must not hide the others.
      if (error instanceof SyntaxError || isNotFound(error)) return undefined;
      throw error;
    }
  }

  async function nameOf(callId: string): Promise<string | undefined> {
    for (const name of await names()) if ((await read(name))?.callId === callId) return name;
    return undefined;
  }

  return {
    async keep(given) {
      const bytes = serialised({ ...given, state: "done" });
      if (bytes === undefined || bytes.length > maxBytes) return false;
      await fs.mkdir(directory, { mode: 0o700 });
      const kept = await names();
      for (let count = 0; ; count += 1) {
        const name = `${String(given.at).padStart(15, "0")}.${String(count).padStart(4, "0")}.json`;
        try {
          await fs.writeAtomic(joinPath(directory, name), bytes, { ifMatch: null, mode: 0o600 });
          break;
        } catch (error) {
          if (!ToolError.is(error) || error.code !== "ALREADY_EXISTS") throw error;
        }
      }
      for (const name of kept.slice(maxKept - 1)) await fs.remove(joinPath(directory, name));
      return true;
    },
    async list() {
      const found = await inBatches(await names(), read);
      return found.flatMap((each) => each ?? []);
    },
    async replace(compensation) {
      const name = await nameOf(compensation.callId);
      const bytes = serialised(compensation);
      if (name === undefined || bytes === undefined) return;
      await fs.writeAtomic(joinPath(directory, name), bytes, { mode: 0o600 });
    },
    async gc({ dryRun = false } = {}) {
      let calls = 0;
      let bytes = 0;
      let left = 0;
      for (const [index, name] of (await names()).entries()) {
        const path = joinPath(directory, name);
        try {
          const { size } = await fs.stat(path);
          left += size;
          const isOld = clock.now() - Number(name.slice(0, 15)) > maxDays * dayMs;
          if (!isOld && index < maxKept && left <= maxTotalBytes) continue;
          if (!dryRun) await fs.remove(path);
          calls += 1;
          bytes += size;
        } catch (error) {
          // Another process collects too.
          if (!isNotFound(error)) throw error;
        }
      }
      return { calls, bytes };
    },
  };
}

const form = /^\d{15}\.\d{4}\.json$/u;

function serialised(compensation: ToolUndoRecord): Uint8Array | undefined {
  try {
    return new TextEncoder().encode(`${JSON.stringify({ version, ...compensation })}\n`);
  } catch {
    return undefined;
  }
}

function isCompensation(value: unknown): value is ToolUndoRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    Reflect.get(value, "version") === version &&
    typeof Reflect.get(value, "callId") === "string" &&
    typeof Reflect.get(value, "tool") === "string" &&
    typeof Reflect.get(value, "at") === "number" &&
    (Reflect.get(value, "state") === "done" || Reflect.get(value, "state") === "undone")
  );
}
