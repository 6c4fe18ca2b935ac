import { ToolError, type Host } from "../../core/index.ts";

/** Programs whose text is a word of theirs, or a file that one names. */
export const interpreters = /(?:^|\/)(?:python[\d.]*|node|nodejs|bun|deno|tsx|perl|ruby|php|lua)$/u;
const maxScriptBytes = 262_144;

/** The text of the file that the first word names which is no option; empty for what is no file, and of a long one. */
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
