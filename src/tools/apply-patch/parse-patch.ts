import { ToolError } from "../../core/index.ts";

/** Consecutive lines to find in a file, and the lines that replace them. */
export interface Hunk {
  /** Line of the patch at which it begins, from 1. */
  readonly at: number;
  /** Lines above the hunk, outermost first, from its `@@` lines. */
  readonly headers: readonly string[];
  /** Context lines and removed lines. */
  readonly oldLines: readonly string[];
  /** Context lines and added lines. */
  readonly newLines: readonly string[];
  readonly isAtEnd: boolean;
}

/** Change of a patch to one file, at the path it gives. */
export type FileChange =
  | { readonly kind: "add"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo: string | undefined;
      readonly hunks: readonly Hunk[];
    };

/**
 * Parses a patch: `*** Begin Patch`, sections for files, `*** End Patch`. Lines may end with `\r\n`, and a code fence
 * or here-document around the patch is ignored. Anything else that is invalid is INVALID_INPUT with the line: a
 * truncated patch must never be applied in part.
 */
export function parsePatch(patch: string): readonly FileChange[] {
  const lines = unwrapped(patch.split("\n").map((line) => line.replace(/\r$/u, "")));
  const first = lines[0];
  if (first?.text.trim() !== "*** Begin Patch") {
    const isDiff = lines.some(({ text }) => /^(?:diff --git |--- |Index: )/u.test(text));
    const what = isDiff ? "This is a diff as of git or diff, which is not taken here. " : "";
    throw wrong(first, `${what}A patch begins with the line "*** Begin Patch".`, format);
  }
  if (lines.length < 2 || lines.at(-1)?.text.trim() !== "*** End Patch") {
    throw wrong(lines.at(-1), 'The patch does not end with "*** End Patch", so it may be cut off.');
  }
  const body = new Reader(lines.slice(1, -1));
  const changes: FileChange[] = [];
  while (body.next !== undefined) changes.push(readFile(body));
  if (changes.length === 0) throw wrong(first, "The patch names no file.");
  refuseRepeats(changes);
  return changes;
}

interface Line {
  readonly text: string;
  /** Line number in the patch as given, from 1. */
  readonly number: number;
}

class Reader {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  get next(): Line | undefined {
    return this.#lines[this.#at];
  }

  take(): void {
    this.#at++;
  }
}

const wrappers: readonly { readonly opens: RegExp; readonly closes: RegExp }[] = [
  { opens: /^(?:`{3,}|~{3,})[\w-]*\s*$/u, closes: /^(?:`{3,}|~{3,})\s*$/u },
  { opens: /^(?:apply_patch\s+)?<<-?\s*["']?EOF["']?\s*$/u, closes: /^EOF\s*$/u },
];

function unwrapped(texts: readonly string[]): readonly Line[] {
  let lines: Line[] = texts.map((text, index) => ({ text, number: index + 1 }));
  const trim = (): void => {
    const from = lines.findIndex(({ text }) => text.trim() !== "");
    const to = lines.findLastIndex(({ text }) => text.trim() !== "");
    // If all lines are blank, both are -1, and the slice is empty.
    lines = lines.slice(from, to + 1);
  };
  trim();
  for (const { opens, closes } of wrappers) {
    const isWrapped = opens.test(lines[0]?.text ?? "") && closes.test(lines.at(-1)?.text ?? "");
    if (!isWrapped) continue;
    lines = lines.slice(1, -1);
    trim();
  }
  return lines;
}

/** Lines that git writes about a deleted binary file, up to the one that says so. */
const gitDeletion = [
  /^deleted file mode \d+$/u,
  /^index [\da-f]+\.\.0+(?: \d+)?$/u,
  /^Binary files (?:a\/)?(.+) and \/dev\/null differ$/u,
] as const;

/** Reads the deletion of a binary file as git writes it; for anything else, returns undefined and consumes nothing. */
function readGitDeletion(body: Reader): FileChange | undefined {
  const header = /^diff --git a\/(.+) b\/\1$/u.exec(body.next?.text.trimEnd() ?? "");
  if (header === null) return undefined;
  const start = body.next;
  body.take();
  for (const pattern of gitDeletion) {
    const match = pattern.exec(body.next?.text.trimEnd() ?? "");
    const isOfFile = match !== null && (match[1] ?? header[1]) === header[1];
    if (!isOfFile) {
      throw wrong(
        body.next ?? start,
        "Of a diff as of git only a deleted binary file is taken.",
        format,
      );
    }
    body.take();
  }
  return { kind: "delete", path: relativePath(header[1] ?? "", start) };
}

const fileHeader = /^\*\*\* (Add|Delete|Update) File:(.*)$/u;

function readFile(body: Reader): FileChange {
  const deleted = readGitDeletion(body);
  if (deleted !== undefined) return deleted;
  const line = body.next;
  const match = fileHeader.exec(line?.text.trimEnd() ?? "");
  if (match === null) {
    throw wrong(
      line,
      'Here a file must begin: "*** Add File: ", "*** Update File: " or "*** Delete File: " and its path.',
    );
  }
  body.take();
  const path = relativePath(match[2] ?? "", line);
  if (match[1] === "Add") return { kind: "add", path, content: readContent(body, line) };
  return match[1] === "Delete" ? { kind: "delete", path } : readUpdate(body, path, line);
}

function readContent(body: Reader, header: Line | undefined): string {
  let content = "";
  for (let line = body.next; line !== undefined && !isMark(line); line = body.next) {
    if (!line.text.startsWith("+")) throw wrong(line, "Every line of an added file begins with +.");
    content += `${line.text.slice(1)}\n`;
    body.take();
  }
  if (content === "")
    throw wrong(header, "An added file needs at least one line, which begins with +.");
  return content;
}

function readUpdate(body: Reader, path: string, header: Line | undefined): FileChange {
  let moveTo: string | undefined;
  const move = /^\*\*\* Move to:(.*)$/u.exec(body.next?.text.trimEnd() ?? "");
  if (move !== null) {
    moveTo = relativePath(move[1] ?? "", body.next);
    body.take();
  }
  const hunks: Hunk[] = [];
  for (let line = body.next; line !== undefined && !isMark(line); line = body.next) {
    hunks.push(readHunk(body, line, hunks.length === 0));
  }
  if (hunks.length === 0 && moveTo === undefined) {
    throw wrong(header, "An updated file needs at least one hunk.");
  }
  return { kind: "update", path, moveTo, hunks };
}

function readHunk(body: Reader, start: Line, isFirst: boolean): Hunk {
  const headers: string[] = [];
  for (let line = body.next; line?.text.startsWith("@@") === true; line = body.next) {
    const header = headerOf(line.text);
    if (header !== "") headers.push(header);
    body.take();
  }
  if (start === body.next && !isFirst) throw wrong(start, "A hunk after the first begins with @@.");
  const oldLines: string[] = [];
  const newLines: string[] = [];
  let isAtEnd = false;
  for (let line = body.next; line !== undefined; line = body.next) {
    if (line.text.trimEnd() === "*** End of File") {
      isAtEnd = true;
      body.take();
      break;
    }
    if (isMark(line) || line.text.startsWith("@@")) break;
    takeLine(line, oldLines, newLines);
    body.take();
  }
  if (oldLines.length === 0 && newLines.length === 0) throw wrong(start, "This hunk has no lines.");
  return { at: start.number, headers, oldLines, newLines, isAtEnd };
}

/**
 * Text of an `@@` line. Line numbers, which other formats put after `@@`, are unreliable and removed; the text after
 * them is used.
 */
function headerOf(text: string): string {
  return text
    .slice(2)
    .trim()
    .replace(/^-\d+(?:,\d+)? \+\d+(?:,\d+)? ?(?:@@)?/u, "")
    .replace(/\s*@@$/u, "")
    .trim();
}

function takeLine(line: Line, oldLines: string[], newLines: string[]): void {
  const content = line.text.slice(1);
  switch (line.text[0]) {
    case " ":
      oldLines.push(content);
      newLines.push(content);
      return;
    case "-":
      oldLines.push(content);
      return;
    case "+":
      newLines.push(content);
      return;
    case undefined:
      // An empty line can only be an empty context line.
      oldLines.push("");
      newLines.push("");
      return;
    default:
      throw wrong(line, "A line of a hunk begins with a space, with - or with +.");
  }
}

function isMark({ text }: Line): boolean {
  return text.startsWith("*** ") || text.startsWith("diff --git ");
}

function relativePath(given: string, line: Line | undefined): string {
  const path = given.trim();
  if (path === "") throw wrong(line, "A path is missing.");
  if (/^(?:[/\\~]|[A-Za-z]:[/\\])/u.test(path)) {
    throw wrong(
      line,
      `${path} is not relative. A patch takes paths relative to the working directory.`,
    );
  }
  return path;
}

/** Refuses several sections for one file: their combined meaning would depend on their order. */
function refuseRepeats(changes: readonly FileChange[]): void {
  const seen = new Set<string>();
  for (const change of changes) {
    const paths =
      change.kind === "update" && change.moveTo !== undefined
        ? [change.path, change.moveTo]
        : [change.path];
    for (const path of paths) {
      const plain = path.replaceAll(/(?:^|\/)\.(?=\/)/gu, "").replace(/^\//u, "");
      if (seen.has(plain)) {
        throw new ToolError("INVALID_INPUT", `The patch names ${path} more than once.`, {
          hint: "Put all changes of a file into one section.",
        });
      }
      seen.add(plain);
    }
  }
}

const format =
  "Send it as: *** Begin Patch, *** Update File: path, @@, lines that begin with a space, - or +, *** End Patch.";

function wrong(
  line: Line | undefined,
  message: string,
  hint = "Send the whole patch again.",
): ToolError {
  const where =
    line === undefined ? "" : ` (line ${line.number}: ${JSON.stringify(line.text.slice(0, 120))})`;
  return new ToolError("INVALID_INPUT", `${message}${where}`, {
    hint,
    ...(line === undefined ? {} : { data: { line: line.number } }),
  });
}
