import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { phraseOf } from "../../text/index.ts";

/** JSON with comments, parsed as far as possible. */
export interface SettingsText {
  readonly value: unknown;
  /** First syntax error, apart from comments and trailing commas, which are allowed. */
  readonly broken: { readonly message: string; readonly line: number } | undefined;
  /** Line, from 1, on which the value at this path begins. */
  lineOf(path: readonly (string | number)[]): number | undefined;
  /** Keys that occur more than once in an object: only the last one would count. */
  readonly repeated: readonly { readonly key: string; readonly line: number }[];
}

/** Parses the text of a settings file. Invalid text is parsed as far as possible and reported in `broken`. */
export function readSettingsText(text: string): SettingsText {
  const content = text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text;
  let tree: SettingsText | undefined;
  // Most files are plain JSON, of which the tree is only needed to name a line.
  const read = (): SettingsText => (tree ??= readTree(content));
  const plain = plainJson(content);
  return plain === undefined
    ? read()
    : { ...plain, broken: undefined, repeated: [], lineOf: (path) => read().lineOf(path) };
}

function readTree(content: string): SettingsText {
  const errors: ParseError[] = [];
  const starts = lineStarts(content);
  const deep = tooDeep(content);
  const read = { allowTrailingComma: true, allowEmptyContent: true };
  const root = deep === undefined ? parseTree(content, errors, read) : undefined;
  const lineAt = (offset: number): number => countUpTo(offset, starts);
  const [error] = errors;
  return {
    value: root === undefined ? undefined : getNodeValue(root),
    broken:
      deep !== undefined
        ? { message: `more than ${maxDepth} brackets in one another`, line: lineAt(deep) }
        : error === undefined
          ? undefined
          : { message: phraseOf(printParseErrorCode(error.error)), line: lineAt(error.offset) },
    lineOf(path) {
      const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
      return node === undefined ? undefined : lineAt(node.offset);
    },
    repeated: root === undefined ? [] : repeatedKeys(root, lineAt),
  };
}

/** Number of characters up to which a text is worth parsing in a second way. */
const maxPlainChars = 200_000;

/**
 * The value of a text that is exactly how its value is written as JSON, apart from blanks: then it is valid, and no key
 * occurs twice in an object. Undefined for any other text.
 */
function plainJson(content: string): { readonly value: unknown } | undefined {
  if (content.length > maxPlainChars) return undefined;
  if (content.split(/[[{]/u).length > maxDepth) return undefined;
  try {
    const value: unknown = JSON.parse(content);
    const written = content.replaceAll(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/gu, "$1");
    return JSON.stringify(value) === written ? { value: withoutPrototypes(value) } : undefined;
  } catch {
    return undefined;
  }
}

/** The value itself, whose objects then have only the keys of the text. */
function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) Object.setPrototypeOf(value, null);
  for (const each of Object.values(value)) withoutPrototypes(each);
  return value;
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

/** Number of these ascending values that are at most `limit`. */
function countUpTo(limit: number, ascending: readonly number[]): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Maximum depth. A deeper text is not a settings file, and parsing it would overflow the stack. */
const maxDepth = 100;

/** Position at which brackets are nested deeper than `maxDepth`; brackets in strings and comments count as well. */
function tooDeep(content: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code === 91 || code === 123) {
      depth++;
      if (depth > maxDepth) return at;
    } else if ((code === 93 || code === 125) && depth > 0) depth--;
  }
  return undefined;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
