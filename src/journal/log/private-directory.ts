import { ToolError } from "../../core/index.ts";
import type { HostFs } from "../../core/index.ts";

/** Makes a folder in which haft keeps what is its own. A failure says whose folder it is, and how to have another. */
export async function makeOwnFolder(fs: Pick<HostFs, "mkdir">, path: string): Promise<void> {
  try {
    await fs.mkdir(path, { mode: 0o700 });
  } catch (cause) {
    if (!ToolError.is(cause)) throw cause;
    const { code, message, data } = cause;
    throw new ToolError(code, `What haft keeps for undo cannot be kept. ${message}`, {
      hint: "Name another folder with --data-dir, in a program with dataDirectory; haft doctor tries it.",
      ...(data === undefined ? {} : { data }),
      cause,
    });
  }
}
