import {
  ToolError,
  type CodePlace,
  type CodeSymbol,
  type FileReplacements,
  type TextReplacement,
} from "../../core/index.ts";
import { isRecord, visibleText } from "../../text/index.ts";
import { pathOf } from "./uri.ts";

/** Maximum number of places, symbols, files and replacements that are read, and characters of a description. */
const maxItems = 5000;
const maxHoverChars = 8000;
/** Maximum depth of nested symbols that are read. */
const maxSymbolDepth = 100;

/** Places in an answer: one, several, or links. Those outside of files are left out. */
export function placesIn(answer: unknown): readonly CodePlace[] {
  const items = Array.isArray(answer) ? answer : [answer];
  const places = items.slice(0, maxItems).flatMap((each) => place(each) ?? []);
  const seen = new Set<string>();
  return places.filter(({ path, line, column }) => {
    const key = `${path}:${line}:${column}`;
    return !seen.has(key) && seen.add(key);
  });
}

function place(value: unknown): CodePlace | undefined {
  if (!isRecord(value)) return undefined;
  const path = pathOf(value["uri"] ?? value["targetUri"]);
  const range = value["targetSelectionRange"] ?? value["targetRange"] ?? value["range"];
  const start = positionIn(range, "start");
  return path === undefined || start === undefined
    ? undefined
    : { path, line: start.line + 1, column: start.character + 1 };
}

/** Text of a hover in any of its forms. */
export function hoverText(answer: unknown): string {
  if (!isRecord(answer)) return "";
  const { contents } = answer;
  const parts = Array.isArray(contents) ? contents.slice(0, 50) : [contents];
  const texts = parts.flatMap((part) => {
    if (typeof part === "string") return part;
    return isRecord(part) && typeof part["value"] === "string" ? part["value"] : [];
  });
  return visibleText(texts.join("\n").trim()).slice(0, maxHoverChars);
}

/** Symbols in an answer, nested or not. Nested ones are of the file that was asked about. */
export function symbolsIn(answer: unknown, path?: string): readonly CodeSymbol[] {
  const found: CodeSymbol[] = [];
  const take = (value: unknown, container: string | undefined, depth: number): void => {
    if (found.length >= maxItems || !isRecord(value) || typeof value["name"] !== "string") return;
    const { name, kind, location, selectionRange, range, children, containerName } = value;
    const at = location === undefined ? inFile(path, selectionRange ?? range) : place(location);
    if (at === undefined) return;
    const outer = container ?? (typeof containerName === "string" ? containerName : "");
    found.push({
      ...at,
      name: visibleText(name).slice(0, 200),
      kind: kinds[Number(kind) - 1] ?? "symbol",
      ...(outer === "" ? {} : { container: visibleText(outer).slice(0, 200) }),
    });
    if (!Array.isArray(children) || depth === maxSymbolDepth) return;
    for (const each of children) take(each, name, depth + 1);
  };
  if (Array.isArray(answer)) for (const each of answer) take(each, undefined, 1);
  return found;
}

function inFile(path: string | undefined, range: unknown): CodePlace | undefined {
  const start = positionIn(range, "start");
  return path === undefined || start === undefined
    ? undefined
    : { path, line: start.line + 1, column: start.character + 1 };
}

/** Names of the kinds of symbols, in the order of the protocol. */
const kinds = [
  "file",
  "module",
  "namespace",
  "package",
  "class",
  "method",
  "property",
  "field",
  "constructor",
  "enum",
  "interface",
  "function",
  "variable",
  "constant",
  "string",
  "number",
  "boolean",
  "array",
  "object",
  "key",
  "null",
  "enum member",
  "struct",
  "event",
  "operator",
  "type parameter",
] as const;

/** Maximum number of files that a rename changes. */
const maxFiles = 200;

/** Changes of files in an answer. Anything else than changed text is refused: it would be half of what is meant. */
export function replacementsIn(answer: unknown): readonly FileReplacements[] {
  if (!isRecord(answer)) {
    throw new ToolError("NO_MATCH", "There is nothing to rename at this place.", {
      hint: "Name a line and the symbol in it.",
    });
  }
  const byPath = new Map<string, TextReplacement[]>();
  const { documentChanges, changes } = answer;
  const files: readonly unknown[] = Array.isArray(documentChanges)
    ? documentChanges
    : Object.entries(isRecord(changes) ? changes : {}).map(([uri, edits]) => ({
        textDocument: { uri },
        edits,
      }));
  for (const file of files) {
    const document = isRecord(file) ? file["textDocument"] : undefined;
    const path = isRecord(document) ? pathOf(document["uri"]) : undefined;
    const edits: unknown = isRecord(file) ? file["edits"] : undefined;
    if (path === undefined || !Array.isArray(edits)) throw malformed();
    const known = byPath.get(path) ?? [];
    for (const edit of edits) known.push(replacement(edit));
    if (known.length > maxItems) throw malformed();
    byPath.set(path, known);
  }
  if (byPath.size > maxFiles) throw malformed();
  return [...byPath].map(([path, edits]) => ({ path, edits: edits.toSorted(byStart) }));
}

function replacement(value: unknown): TextReplacement {
  const range = isRecord(value) ? value["range"] : undefined;
  const [start, end] = [positionIn(range, "start"), positionIn(range, "end")];
  const newText = isRecord(value) ? value["newText"] : undefined;
  if (start === undefined || end === undefined || typeof newText !== "string") throw malformed();
  return { start, end, newText };
}

function byStart(one: TextReplacement, other: TextReplacement): number {
  return one.start.line - other.start.line || one.start.character - other.start.character;
}

function positionIn(range: unknown, side: "start" | "end"): TextReplacement["start"] | undefined {
  const position = isRecord(range) ? range[side] : undefined;
  if (!isRecord(position)) return undefined;
  const { line, character } = position;
  const isPlace = Number.isInteger(line) && Number.isInteger(character);
  return isPlace && Number(line) >= 0 && Number(character) >= 0
    ? { line: Number(line), character: Number(character) }
    : undefined;
}

function malformed(): ToolError {
  return new ToolError(
    "TOOL_FAILED",
    "The language server answered with changes that haft cannot make.",
    {
      hint: "Change the files with Edit; LSP with references lists the places.",
    },
  );
}
