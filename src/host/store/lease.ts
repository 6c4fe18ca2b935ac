import {
  ToolError,
  type HostClock,
  type Lease,
  type LockOptions,
  type StoreFs,
} from "../../core/index.ts";
import { baseName, joinPath, parentPath } from "../../text/index.ts";
import { throwIfAborted } from "../aborted.ts";

export interface LeaseParts {
  readonly fs: StoreFs;
  readonly clock: Pick<HostClock, "now" | "sleep">;
  /** Directory of the lock. */
  readonly directory: string;
}

/** Milliseconds between two attempts. */
const retryMs = 20;

/**
 * Waits for a lock and takes it. Each holder creates the file with the next number, which only one can, and writes into
 * it until when the lock is its own. The highest number counts and is never deleted, so a slow process cannot take a
 * lock that others have held in between.
 */
export async function takeLease(
  parts: LeaseParts,
  { leaseMs, signal }: LockOptions,
): Promise<Lease> {
  const { fs, clock, directory } = parts;
  await fs.mkdir(directory, { mode: 0o700 });
  for (;;) {
    throwIfAborted(signal);
    const last = Math.max(0, ...(await numbersIn(parts)));
    if (last === 0 || (await endOf(parts, last)) <= clock.now()) {
      const number = last + 1;
      const isMine = await create(parts, number, clock.now() + leaseMs);
      const present = isMine ? await numbersIn(parts) : [];
      if (isMine && Math.max(...present) === number) {
        for (const old of present.filter((each) => each < number)) {
          await fs.remove(fileOf(parts, old)).catch(() => undefined);
        }
        return lease(parts, number, leaseMs);
      }
      if (isMine) await fs.remove(fileOf(parts, number)).catch(() => undefined);
    }
    await clock.sleep(retryMs, signal === undefined ? {} : { signal });
  }
}

function lease(parts: LeaseParts, number: number, leaseMs: number): Lease {
  const { fs, clock } = parts;
  const isHeld = async (): Promise<boolean> => Math.max(...(await numbersIn(parts))) === number;
  const write = async (until: number): Promise<void> => {
    await fs.writeAtomic(fileOf(parts, number), encoded(until), { mode: 0o600 });
  };
  return {
    async renew() {
      if (!(await isHeld())) return false;
      await write(clock.now() + leaseMs);
      return await isHeld();
    },
    async release() {
      if (await isHeld()) await write(0);
    },
  };
}

async function create(parts: LeaseParts, number: number, until: number): Promise<boolean> {
  try {
    await parts.fs.writeAtomic(fileOf(parts, number), encoded(until), {
      ifMatch: null,
      mode: 0o600,
    });
    return true;
  } catch (error) {
    if (ToolError.is(error) && error.code === "ALREADY_EXISTS") return false;
    throw error;
  }
}

async function numbersIn({ fs, directory }: LeaseParts): Promise<readonly number[]> {
  const numbers: number[] = [];
  for await (const { name } of fs.list(directory)) {
    if (/^\d{12}$/u.test(name)) numbers.push(Number(name));
  }
  return numbers;
}

/** Time until which the lock is held. A file that its holder is renewing, or has deleted, counts as held. */
async function endOf(parts: LeaseParts, number: number): Promise<number> {
  try {
    const { bytes } = await parts.fs.readFile(fileOf(parts, number), { maxBytes: 64 });
    const until = Number(new TextDecoder().decode(bytes));
    return Number.isFinite(until) ? until : 0;
  } catch (error) {
    if (ToolError.is(error) && error.code === "NOT_FOUND") return Number.POSITIVE_INFINITY;
    throw error;
  }
}

function fileOf({ directory }: LeaseParts, number: number): string {
  return joinPath(directory, String(number).padStart(12, "0"));
}

function encoded(until: number): Uint8Array {
  return new TextEncoder().encode(String(until));
}

/** Directory of the lock of a file. */
export function lockDirectory(path: string): string {
  return joinPath(parentPath(path), `.${baseName(path)}.lock`);
}

/** Whether the name is one of a lock; locks are not files of the area. */
export function isOfLock(name: string): boolean {
  return name.split("/").some((part) => part.startsWith(".") && part.endsWith(".lock"));
}
