import { ToolError } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import type { Message } from "../messages/messages.ts";
import { exportVersion } from "./export-lines.ts";
import { isAmount, usageFrom, type RunRow } from "./session-rows.ts";
import { messageFrom } from "./stored-message.ts";

/** A session as it was exported. */
export interface ImportedSession {
  /** Id of the exported session; undefined for one that could not be named on a command line. */
  readonly sessionId: string | undefined;
  readonly title: string;
  readonly workspace?: string;
  readonly createdAt: number;
  readonly runs: readonly Omit<RunRow, "sessionId" | "owner" | "key" | "leaseUntil">[];
  readonly entries: readonly ImportedEntry[];
}

export interface ImportedEntry {
  readonly kind: "message" | "compaction";
  readonly agentId: string;
  readonly runId: string;
  readonly at: number;
  readonly messages: readonly Message[];
}

type Line = Readonly<Record<string, unknown>>;

/** Reads an exported session. Rejects text that is not one with INVALID_INPUT, naming the line. */
export function importLines(text: string): ImportedSession {
  const lines = text.split("\n");
  const parsed = lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [{ line: parse(line, index + 1), number: index + 1 }],
  );
  const [head, ...rest] = parsed;
  if (head === undefined || head.line["type"] !== "session") {
    throw invalid(1, "does not start a session", "Pass the JSON Lines of haft sessions export.");
  }
  checkVersion(head.line["version"]);
  const runs: ImportedSession["runs"][number][] = [];
  const entries: ImportedEntry[] = [];
  for (const { line, number } of rest) {
    if (line["type"] === "run") runs.push(runFrom(line, number));
    else entries.push(entryFrom(line, number));
  }
  const workspace = head.line["workspace"];
  return {
    sessionId: idIn(head.line),
    title: textIn(head.line, "title", 1),
    ...(typeof workspace === "string" ? { workspace } : {}),
    createdAt: timeIn(head.line, "createdAt"),
    runs,
    entries,
  };
}

function checkVersion(version: unknown): void {
  if (version === exportVersion) return;
  if (typeof version === "number" && version > exportVersion) {
    throw new ToolError("UNAVAILABLE", "The session was exported by a newer version of haft.", {
      hint: "Update haft.",
      data: { found: version, known: exportVersion },
    });
  }
  throw invalid(1, "has no version", "Pass the JSON Lines of haft sessions export.");
}

function parse(text: string, number: number): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && isDeep(value)) throw tooDeep(number);
    if (isRecord(value)) return value;
  } catch (error) {
    if (ToolError.is(error)) throw error;
    // Reported below, like a value that is not an object.
  }
  throw invalid(number, "is not a JSON object", "Export the session again.");
}

/** Maximum levels of values in values. No message has as many, and storing one would exhaust the stack. */
const maxLevels = 500;

function isDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth < maxLevels; depth += 1) {
    level = level.flatMap((each): unknown[] =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

function tooDeep(number: number): ToolError {
  return invalid(number, `has more than ${maxLevels} levels`, "Remove the line.");
}

/** Ids that a user can type, and that are not the name of another session. */
function idIn(head: Line): string | undefined {
  const id = textIn(head, "sessionId", 1);
  return /^(?!-)[\x21-\x7e]{1,200}$/u.test(id) && id !== "latest" ? id : undefined;
}

function runFrom(line: Line, number: number): ImportedSession["runs"][number] {
  const { status, costUsd, endedAt, parentAgentId } = line;
  return {
    runId: textIn(line, "runId", number),
    agentId: textIn(line, "agentId", number),
    parentAgentId: typeof parentAgentId === "string" ? parentAgentId : undefined,
    task: textIn(line, "task", number),
    model: textIn(line, "model", number),
    // The run ended as far as this machine is concerned.
    status:
      typeof status === "string" && /^(?!running$)[a-z-]{1,20}$/u.test(status) ? status : undefined,
    turns: countIn(line, "turns"),
    calls: countIn(line, "calls"),
    usage: usageFrom(line["usage"]),
    costUsd: isAmount(costUsd) ? costUsd : undefined,
    startedAt: timeIn(line, "startedAt"),
    endedAt: typeof endedAt === "number" ? timeIn(line, "endedAt") : undefined,
  };
}

function entryFrom(line: Line, number: number): ImportedEntry {
  const { type, messages } = line;
  if (type !== "message" && type !== "compaction") {
    throw invalid(number, "has an unknown type", "Update haft, or remove the line.");
  }
  const read = Array.isArray(messages)
    ? messages.map((each: unknown) =>
        isRecord(each) ? messageFrom(each["role"], each["content"]) : undefined,
      )
    : [];
  const found = read.flatMap((message) => message ?? []);
  if (found.length === 0 || found.length < read.length) {
    throw invalid(number, "has a message with unknown parts", "Update haft, or remove the line.");
  }
  return {
    kind: type,
    agentId: textIn(line, "agentId", number),
    runId: textIn(line, "runId", number),
    at: timeIn(line, "at"),
    messages: found,
  };
}

function textIn(line: Line, name: string, number: number): string {
  const value = line[name];
  if (typeof value === "string") return value;
  throw invalid(number, `has no ${name}`, "Export the session again.");
}

/** A whole number, or 0 for what is not a count. */
function countIn(line: Line, name: string): number {
  const value = line[name];
  return isAmount(value) && Number.isSafeInteger(Math.trunc(value)) ? Math.trunc(value) : 0;
}

/** Latest time that a date has. */
const maxTime = 8.64e15;

function timeIn(line: Line, name: string): number {
  const time = countIn(line, name);
  return time <= maxTime ? time : 0;
}

function invalid(line: number, what: string, hint: string): ToolError {
  return new ToolError("INVALID_INPUT", `Line ${line} of the session ${what}.`, {
    hint,
    data: { line },
  });
}
