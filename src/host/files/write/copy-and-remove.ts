import { constants } from "node:fs";
import { copyFile, open, rename, unlink } from "node:fs/promises";

/** Moves a file to another file system: copies it next to the target, renames the copy, then removes the original. */
export async function moveAcross(source: string, target: string, draft: string): Promise<void> {
  try {
    await copyFile(source, draft, constants.COPYFILE_EXCL);
    const handle = await open(draft, constants.O_RDWR);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  await unlink(source);
}
