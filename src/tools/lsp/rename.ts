import {
  languageServers,
  ToolError,
  type CodePlace,
  type EffectContext,
  type TextReplacement,
} from "../../core/index.ts";
import { displayPath } from "../files/paths/display-path.ts";

/** A file as it is after a rename. */
export interface RenamedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Content hash of the file that the replacements are for. */
  readonly hash: string;
  readonly count: number;
}

export interface Renaming {
  readonly at: CodePlace;
  readonly name: string;
}

/** Asks the server for the changes and applies them in memory. */
export async function plannedRename(
  { at, name }: Renaming,
  context: EffectContext,
): Promise<readonly RenamedFile[]> {
  const { host, cwd, signal } = context;
  const files = await context.service(languageServers).rename(at, name, signal);
  const renamed: RenamedFile[] = [];
  for (const { path: named, edits } of files) {
    if (edits.length === 0) continue;
    const path = await host.fs.canonical(named, { base: cwd, signal });
    const { bytes, hash } = await host.fs.readFile(path, { signal });
    const text = decoded(bytes);
    const isTwice = renamed.some((each) => each.path === path);
    const replaced =
      text === undefined || isTwice || strangeLineEnd.test(text)
        ? undefined
        : withReplacements(text, edits);
    if (replaced === undefined) {
      throw new ToolError(
        "TOOL_FAILED",
        `The server's changes do not fit ${displayPath(path, cwd)}, so nothing was renamed.`,
        { hint: "Change the places with Edit; LSP with references lists them." },
      );
    }
    if (replaced !== text) {
      renamed.push({ path, bytes: new TextEncoder().encode(replaced), hash, count: edits.length });
    }
  }
  if (renamed.length > 0) return renamed;
  throw new ToolError("NO_CHANGE", "The rename changes nothing.", {
    hint: "Give another name, or the line in which the symbol occurs.",
  });
}

/** Ends of lines that only some servers count, so that a line number may mean two places. */
const strangeLineEnd = /\r(?!\n)|[\u2028\u2029]/u;

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Text after replacements that are sorted; undefined where they overlap or lie outside the text. */
export function withReplacements(
  text: string,
  edits: readonly TextReplacement[],
): string | undefined {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = ({ line, character }: TextReplacement["start"]): number | undefined => {
    const start = starts[line];
    const end = (starts[line + 1] ?? text.length + 1) - 1;
    return start === undefined || start + character > end ? undefined : start + character;
  };
  const parts: string[] = [];
  let last = 0;
  for (const { start, end, newText } of edits) {
    const [from, to] = [offset(start), offset(end)];
    if (from === undefined || to === undefined || from < last || to < from) return undefined;
    parts.push(text.slice(last, from), newText);
    last = to;
  }
  parts.push(text.slice(last));
  return parts.join("");
}
