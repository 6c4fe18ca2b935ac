import { ToolError } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import type { Message } from "../messages/messages.ts";
import { exportVersion } from "./export-lines.ts";
import { usageFrom, type RunRow } from "./session-rows.ts";
import { messageFrom } from "./stored-message.ts";

/** A session as it was exported. */
export interface ImportedSession {
  readonly sessionId: string;
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
    sessionId: textIn(head.line, "sessionId", 1),
    title: textIn(head.line, "title", 1),
    ...(typeof workspace === "string" ? { workspace } : {}),
    createdAt: numberIn(head.line, "createdAt"),
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
    if (isRecord(value)) return value;
  } catch {
    // Reported below, like a value that is not an object.
  }
  throw invalid(number, "is not a JSON object", "Export the session again.");
}

function runFrom(line: Line, number: number): ImportedSession["runs"][number] {
  const { status, costUsd, endedAt, parentAgentId } = line;
  return {
    runId: textIn(line, "runId", number),
    agentId: textIn(line, "agentId", number),
    parentAgentId: typeof parentAgentId === "string" ? parentAgentId : undefined,
    task: textIn(line, "task", number),
    model: textIn(line, "model", number),
    status: typeof status === "string" ? status : undefined,
    turns: numberIn(line, "turns"),
    calls: numberIn(line, "calls"),
    usage: usageFrom(line["usage"]),
    costUsd: typeof costUsd === "number" ? costUsd : undefined,
    startedAt: numberIn(line, "startedAt"),
    endedAt: typeof endedAt === "number" ? Math.trunc(endedAt) : undefined,
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
    at: numberIn(line, "at"),
    messages: found,
  };
}

function textIn(line: Line, name: string, number: number): string {
  const value = line[name];
  if (typeof value === "string") return value;
  throw invalid(number, `has no ${name}`, "Export the session again.");
}

/** A number that every column accepts. */
function numberIn(line: Line, name: string): number {
  const value = line[name];
  return typeof value === "number" && Number.isSafeInteger(Math.trunc(value))
    ? Math.trunc(value)
    : 0;
}

function invalid(line: number, what: string, hint: string): ToolError {
  return new ToolError("INVALID_INPUT", `Line ${line} of the session ${what}.`, {
    hint,
    data: { line },
  });
}
