import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";

/** JSON with comments, as far as it can be read. */
export interface SettingsText {
  readonly value: unknown;
  /** The first thing that makes it no JSON, comments and trailing commas aside. */
  readonly broken: { readonly message: string; readonly line: number } | undefined;
  /** The line, from 1, on which the value at this path begins. */
  lineOf(path: readonly (string | number)[]): number | undefined;
  /** Keys that stand in an object more than once: only the last would count. */
  readonly repeated: readonly { readonly key: string; readonly line: number }[];
}

/** Reads the text of a settings file. Broken text is read as far as it goes and says so. */
export function readSettingsText(text: string): SettingsText {
  const errors: ParseError[] = [];
  const content = text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text;
  const root = parseTree(content, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const starts = lineStarts(content);
  const lineAt = (offset: number): number => starts.filter((start) => start <= offset).length;
  const [error] = errors;
  return {
    value: root === undefined ? undefined : getNodeValue(root),
    broken:
      error === undefined
        ? undefined
        : { message: printParseErrorCode(error.error), line: lineAt(error.offset) },
    lineOf(path) {
      const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
      return node === undefined ? undefined : lineAt(node.offset);
    },
    repeated: root === undefined ? [] : repeatedKeys(root, lineAt),
  };
}

function repeatedKeys(
  node: Node,
  lineAt: (offset: number) => number,
): readonly { readonly key: string; readonly line: number }[] {
  const found: { key: string; line: number }[] = [];
  const seen = new Set<string>();
  for (const child of node.children ?? []) {
    const key: unknown = node.type === "object" ? child.children?.[0]?.value : undefined;
    if (typeof key === "string") {
      if (seen.has(key)) found.push({ key, line: lineAt(child.offset) });
      seen.add(key);
    }
    found.push(...repeatedKeys(child, lineAt));
  }
  return found;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
