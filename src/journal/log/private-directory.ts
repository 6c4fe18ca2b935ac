import { ToolError } from "../../core/index.ts";
import type { HostFs } from "../../core/index.ts";

/**
 * Creates a private directory of haft. An error explains what the directory is for, by default for undo, and how to
 * choose another one.
 */
export async function makeOwnFolder(
  fs: Pick<HostFs, "mkdir">,
  path: string,
  purpose = "What haft keeps for undo",
): Promise<void> {
  try {
    await fs.mkdir(path, { mode: 0o700 });
  } catch (cause) {
    if (!ToolError.is(cause)) throw cause;
    const { code, message, data } = cause;
    throw new ToolError(code, `${purpose} cannot be kept. ${message}`, {
      hint: "Name another directory with --data-dir, in a program with dataDirectory; haft doctor tries it.",
      ...(data === undefined ? {} : { data }),
      cause,
    });
  }
}
