import { isRecord, sentenceOf } from "../../text/index.ts";

/** A Markdown file with YAML fields between two lines `---` at its start, as skills, commands and agents have. */
export interface MarkdownDocument {
  /** Empty if the file has no fields, or if they cannot be read. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Text below the fields, with line feeds as line ends. */
  readonly body: string;
  /** Line of the file where the body starts, counted from 1. */
  readonly bodyLine: number;
  /** Empty only if the whole file was understood. */
  readonly problems: readonly DocumentProblem[];
}

/** A part of a file that could not be understood, for the user. */
export interface DocumentProblem {
  readonly message: string;
  /** Line of the file, counted from 1. */
  readonly line?: number;
}

/** Longest fields that are read, in UTF-16 code units: a hostile file cannot make the parser slow. */
export const maxFieldsLength = 65_536;

/**
 * Reads the fields and the body of a Markdown file. Never throws: what cannot be read is a problem. Fields are plain
 * data: anchors, aliases, merge keys, tags, repeated keys and keys that are not text are problems, and then no field is
 * returned, because a rule that is half read could widen what it meant to restrict.
 */
export async function readDocument(text: string): Promise<MarkdownDocument> {
  const lines = text.replace(/^\uFEFF/u, "").replaceAll(/\r\n?/gu, "\n");
  if (!/^---[ \t]*\n/u.test(lines)) return { fields: {}, body: lines, bodyLine: 1, problems: [] };
  const start = lines.indexOf("\n") + 1;
  const end = /^---[ \t]*$/mu.exec(lines.slice(start));
  if (end === null) {
    const message = "The line --- that ends the fields is missing.";
    return { fields: {}, body: "", bodyLine: 1, problems: [{ message, line: 1 }] };
  }
  const source = lines.slice(start, start + end.index);
  const body = lines.slice(start + end.index + end[0].length).replace(/^\n/u, "");
  const bodyLine = source.split("\n").length + 2;
  if (source.length > maxFieldsLength) {
    const message = `The fields have ${source.length} characters; at most ${maxFieldsLength} are read.`;
    return { fields: {}, body, bodyLine, problems: [{ message, line: 1 }] };
  }
  return { body, bodyLine, ...(await readFields(source)) };
}

/** Remedy for the most frequent error, in place of how the parser came to it. */
const syntaxSentences: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: "a value that contains a colon and a blank must be in quotes.",
};

async function readFields(source: string): Promise<Pick<MarkdownDocument, "fields" | "problems">> {
  // Loaded with the first file that has fields.
  const { isAlias, isNode, isPair, isScalar, LineCounter, parseDocument, visit } =
    await import("yaml");
  const lineCounter = new LineCounter();
  const document = parseDocument(source, {
    lineCounter,
    merge: false,
    prettyErrors: false,
    schema: "core",
    stringKeys: false,
    uniqueKeys: true,
  });
  // The first line of the file is the line `---`.
  const at = (offset: number | undefined): Pick<DocumentProblem, "line"> =>
    offset === undefined ? {} : { line: lineCounter.linePos(offset).line + 1 };
  const problems: DocumentProblem[] = [...document.errors, ...document.warnings]
    // Errors of syntax after the first one are its consequences.
    .filter((error, index) => index === 0 || error.code === "DUPLICATE_KEY")
    .map((error) => ({
      message: `The fields are not valid YAML: ${syntaxSentences[error.code] ?? sentenceOf(error.message)}`,
      ...at(error.pos[0]),
    }));
  visit(document, (_key, node) => {
    if (isPair(node)) {
      if (isScalar(node.key) && typeof node.key.value === "string" && node.key.value !== "<<")
        return;
      const offset = isScalar(node.key) ? node.key.range?.[0] : undefined;
      problems.push({ message: "A key is not plain text; put it in quotes.", ...at(offset) });
    } else if (isAlias(node) || (isScalar(node) && node.anchor !== undefined)) {
      problems.push({
        message: "Anchors and aliases are not allowed in fields; write the value out.",
        ...at(node.range?.[0]),
      });
    } else if (isNode(node) && node.tag !== undefined) {
      problems.push({
        message: `The tag ${node.tag} is not allowed in fields.`,
        ...at(node.range?.[0]),
      });
    }
  });
  if (problems.length > 0) return { fields: {}, problems: withoutRepetitions(problems) };
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (value === null) return { fields: {}, problems: [] };
  if (isRecord(value)) return { fields: value, problems: [] };
  return {
    fields: {},
    problems: [{ message: "The fields are not a list of keys with values.", line: 2 }],
  };
}

/** Maximum number of lines that are named with the same problem. */
const maxLines = 3;

/** Problems without repetitions: a line with twenty aliases has one problem, and of many lines the first are named. */
function withoutRepetitions(problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  const lines = new Map<string, Set<number | undefined>>();
  for (const { message, line } of problems) {
    lines.set(message, (lines.get(message) ?? new Set()).add(line));
  }
  return [...lines].flatMap(([message, found]) => {
    const left = found.size - maxLines;
    return [...found].slice(0, maxLines).map((line, index) => ({
      message:
        left > 0 && index === maxLines - 1
          ? `${message.replace(/\.$/u, "")} (and ${left} more lines).`
          : message,
      ...(line === undefined ? {} : { line }),
    }));
  });
}
