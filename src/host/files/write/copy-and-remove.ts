import { constants } from "node:fs";
import { copyFile, open, rename, unlink } from "node:fs/promises";

/** Another file system: a copy beside the target takes its name, then the original goes. */
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
