import { ToolError, type Host } from "../../core/index.ts";

/** Programs that run text from an argument, or from a file that an argument names. */
export const interpreters = /(?:^|\/)(?:python[\d.]*|node|nodejs|bun|deno|tsx|perl|ruby|php|lua)$/u;
const maxScriptBytes = 262_144;

/**
 * Returns the text of the file named by the first argument that is not an option; empty if it is not a file, or too
 * long.
 */
export async function scriptOf(
  words: readonly string[],
  { host, workspace }: { readonly host: Pick<Host, "fs">; readonly workspace: string },
): Promise<string> {
  const path = words.find((word) => word !== "" && !word.startsWith("-"));
  if (path === undefined) return "";
  try {
    const file = await host.fs.canonical(path, { base: workspace });
    const { bytes } = await host.fs.readFile(file, { maxBytes: maxScriptBytes });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (ToolError.is(error)) return "";
    throw error;
  }
}
