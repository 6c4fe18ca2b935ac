import type { CodeFinding } from "../../core/index.ts";
import { isAbsolutePath, isRecord, joinPath, visibleText } from "../../text/index.ts";

/** Output of a checker. */
export interface CheckerOutput {
  readonly name: string;
  readonly text: string;
  /** Directory that relative paths start from. */
  readonly workspace: string;
}

const maxFindings = 2000;
const maxLineChars = 2000;
const maxMessageChars = 500;

/**
 * Reads what a checker printed: JSON (an array of problems, or of files with problems, as eslint, pyright, ruff and
 * biome print them) or lines such as `file:line:column: message` and `file(line,column): message`.
 */
export function readOutput(output: CheckerOutput): readonly CodeFinding[] {
  const text = output.text.trim();
  const json = text.startsWith("[") || text.startsWith("{") ? parsed(text) : undefined;
  const found = json === undefined ? fromLines(text, output) : fromJson(json, output);
  return found.slice(0, maxFindings);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const lineForms = [
  /^(?<file>[^\s:(][^:(]*):(?<line>\d+)(?::(?<column>\d+))?(?:-\d+)?(?::\s*|\s+)(?:-\s+)?(?<rest>\S.*)$/u,
  /^(?<file>[^\s:(][^:(]*)\((?<line>\d+)(?:,(?<column>\d+))?\):\s*(?<rest>\S.*)$/u,
] as const;

const restForm =
  /^(?:(?<kind>fatal error|error|warning|note|info|information|hint)\b:?\s*)?(?:\[?(?<code>[A-Z]+\d+)\]?:?\s+)?(?<message>.*)$/iu;

function fromLines(text: string, output: CheckerOutput): readonly CodeFinding[] {
  const found: CodeFinding[] = [];
  for (const line of text.split("\n")) {
    if (found.length >= maxFindings) break;
    if (line.length > maxLineChars) continue;
    const trimmed = line.trimEnd();
    const match = lineForms[0].exec(trimmed) ?? lineForms[1].exec(trimmed);
    const { file, line: number, column, rest } = match?.groups ?? {};
    if (file === undefined || number === undefined || rest === undefined) continue;
    const { kind, code, message = "" } = restForm.exec(rest)?.groups ?? {};
    const severity = severityOf(kind);
    if (severity === undefined || message === "") continue;
    found.push(finding(output, { file, line: Number(number), column, severity, message, code }));
  }
  return found;
}

/** Problems in JSON, wherever they are nested; a problem without a file belongs to the object around it. */
function fromJson(json: unknown, output: CheckerOutput): readonly CodeFinding[] {
  const found: CodeFinding[] = [];
  const take = (value: unknown, around: string | undefined, depth: number): void => {
    if (depth > 6 || found.length >= maxFindings) return;
    if (Array.isArray(value)) {
      for (const each of value) take(each, around, depth + 1);
      return;
    }
    if (!isRecord(value)) return;
    const file = textIn(value, ["file", "filePath", "filename", "path", "uri"]) ?? around;
    const message = textIn(value, ["message", "text", "description"]);
    const line = lineIn(value);
    if (file === undefined || message === undefined || line === undefined) {
      for (const each of Object.values(value)) take(each, file, depth + 1);
      return;
    }
    const severity = severityOf(value["severity"] ?? value["level"] ?? value["type"]);
    if (severity === undefined) return;
    const code = textIn(value, ["code", "ruleId", "rule"]);
    found.push(finding(output, { file, ...line, severity, message, code }));
  };
  take(json, undefined, 0);
  return found;
}

function lineIn(value: Readonly<Record<string, unknown>>): Place | undefined {
  const { line, column, range, location, start } = value;
  if (typeof line === "number" || typeof line === "string") {
    return /^\d+$/u.test(String(line)) ? { line: Number(line), column } : undefined;
  }
  if (isRecord(range) && isRecord(range["start"])) {
    // Ranges of the Language Server Protocol, as in pyright, count from 0.
    const { line: first, character } = range["start"];
    if (typeof first !== "number") return undefined;
    return { line: first + 1, column: typeof character === "number" ? character + 1 : undefined };
  }
  const [inner] = [location, start].filter((each) => isRecord(each));
  if (inner === undefined) return undefined;
  const { row } = inner;
  return typeof row === "number" ? { line: row, column: inner["column"] } : lineIn(inner);
}

interface Place {
  readonly line: number;
  readonly column: unknown;
}

function textIn(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | undefined {
  for (const name of names) {
    const text = value[name];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

function severityOf(kind: unknown): CodeFinding["severity"] | undefined {
  if (kind === 1) return "warning";
  if (typeof kind !== "string") return "error";
  const text = kind.toLowerCase();
  if (text.includes("warn")) return "warning";
  return ["note", "info", "information", "hint"].includes(text) ? undefined : "error";
}

interface ReadFinding extends Place {
  readonly file: string;
  readonly severity: CodeFinding["severity"];
  readonly message: string;
  readonly code?: string | undefined;
}

function finding({ name, workspace }: CheckerOutput, read: ReadFinding): CodeFinding {
  const { file, line, column, severity, message, code } = read;
  const path = file.startsWith("file://") ? file.slice("file://".length) : file;
  const at = Number(column);
  return {
    path: isAbsolutePath(path) ? path : joinPath(workspace, path.replace(/^\.\//u, "")),
    line: Math.max(1, line),
    column: Number.isInteger(at) && at > 0 ? at : 1,
    severity,
    message: visibleText(message.replaceAll(/\s+/gu, " ").trim()).slice(0, maxMessageChars),
    ...(code === undefined ? {} : { code: visibleText(code).slice(0, 100) }),
    source: name,
  };
}
