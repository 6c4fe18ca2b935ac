import { ToolError, type Host } from "../../../core/index.ts";

/**
 * Text of the link at a path whose directory is canonical; undefined for anything else. A host that is
 * limited to a grant follows links in `stat`, so that its kind does not tell.
 */
export async function linkText(host: Host, path: string): Promise<string | undefined> {
  try {
    return await host.fs.readLink(path);
  } catch (error) {
    const isNone =
      ToolError.is(error) && /^(?:INVALID_INPUT|NOT_FOUND|NOT_A_DIRECTORY)$/u.test(error.code);
    if (isNone) return undefined;
    throw error;
  }
}
