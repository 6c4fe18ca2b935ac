import type { BigIntStats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

export interface LookedAt {
  readonly path: string;
  readonly stat: BigIntStats;
}

const pieceBytes = 65_536;

/** Whether two regular files have the same content, mode, owner and date. */
export async function isSameFile(left: LookedAt, right: LookedAt): Promise<boolean> {
  return (
    left.stat.size === right.stat.size &&
    left.stat.mode === right.stat.mode &&
    left.stat.mtimeNs === right.stat.mtimeNs &&
    left.stat.uid === right.stat.uid &&
    left.stat.gid === right.stat.gid &&
    (await hasSameContent(left.path, right.path))
  );
}

/** Compares the content of two files; false if one cannot be read. */
async function hasSameContent(left: string, right: string): Promise<boolean> {
  const handles: FileHandle[] = [];
  try {
    const one = await open(left);
    handles.push(one);
    const other = await open(right);
    handles.push(other);
    return await readSame(one, other);
  } catch {
    return false;
  } finally {
    for (const handle of handles) await handle.close();
  }
}

async function readSame(one: FileHandle, other: FileHandle): Promise<boolean> {
  const pieces = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)] as const;
  for (;;) {
    const [first, second] = await Promise.all([
      one.read(pieces[0], 0, pieceBytes),
      other.read(pieces[1], 0, pieceBytes),
    ]);
    if (first.bytesRead !== second.bytesRead) return false;
    if (first.bytesRead === 0) return true;
    const isSame = pieces[0]
      .subarray(0, first.bytesRead)
      .equals(pieces[1].subarray(0, second.bytesRead));
    if (!isSame) return false;
  }
}
