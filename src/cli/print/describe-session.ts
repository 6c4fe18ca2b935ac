import type { SessionInfo } from "../../index.ts";
import { visibleText } from "./visible-text.ts";

/** One line for each session: id, status, age, size, cost and title. */
export function describeSessions(sessions: readonly SessionInfo[], now: number): readonly string[] {
  return sessions.map((session) => {
    const { sessionId, status, turns, updatedAt, title } = session;
    if (session.isDamaged === true && updatedAt === 0) return `${sessionId}  damaged`;
    const state = session.isDamaged === true ? `${status} (damaged)` : status;
    const facts = [state, ageOf(now - updatedAt), counted(turns, "turn"), ...moneyOf(session)];
    return `${sessionId}  ${facts.join(", ")}  ${visibleText(title)}`;
  });
}

/** Facts of one session, one a line. */
export function describeSession(session: SessionInfo): readonly string[] {
  const { sessionId, title, status, model, workspace, messages, turns, calls } = session;
  const { forkedFrom } = session;
  return [
    `${sessionId}: ${visibleText(title)}`,
    `  ${[status, ...[model, workspace].flatMap((text) => (text === undefined ? [] : [visibleText(text)]))].join(", ")}`,
    `  ${[counted(messages, "message"), counted(turns, "turn"), counted(calls, "call"), usageOf(session), ...moneyOf(session)].join(", ")}`,
    ...(forkedFrom === undefined
      ? []
      : [`  forked from ${forkedFrom.sessionId} after message ${forkedFrom.message}`]),
  ];
}

/** Tokens and, where prices are known, money. */
export function usageOf({ usage }: Pick<SessionInfo, "usage">): string {
  return `${usage.input} tokens in, ${usage.output} out`;
}

export function moneyOf({ costUsd }: { readonly costUsd?: number }): readonly string[] {
  if (costUsd === undefined) return [];
  return [`$${costUsd < 0.01 && costUsd > 0 ? costUsd.toPrecision(2) : costUsd.toFixed(2)}`];
}

/** Messages of exported JSON Lines, numbered as `haft sessions fork --message` counts them. */
export function logLines(exported: string): readonly string[] {
  const lines: string[] = [];
  let agent = "";
  for (const text of exported.split("\n")) {
    const line: unknown = text === "" ? undefined : JSON.parse(text);
    if (!isLogLine(line)) continue;
    if (line.agentId !== agent) {
      agent = line.agentId;
      lines.push("", `Agent ${visibleText(agent)}`);
    }
    const { number } = line;
    if (line.type === "compaction") {
      lines.push("", `${number} (compacted to ${counted(line.messages.length, "message")})`);
      continue;
    }
    for (const { role, content } of line.messages) {
      lines.push("", `${number} ${role}`, ...content.flatMap(partLines));
    }
  }
  return lines;
}

interface LogLine {
  readonly type: "message" | "compaction";
  /** As `haft sessions fork --message` counts. */
  readonly number: number;
  readonly agentId: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: readonly Part[];
  }[];
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: string;
  readonly content?: readonly Part[];
}

/** Whether a line has messages; the store wrote it, so its type is sufficient evidence. */
function isLogLine(line: unknown): line is LogLine {
  const type = typeof line === "object" && line !== null && "type" in line ? line.type : undefined;
  return type === "message" || type === "compaction";
}

function partLines(part: Part): readonly string[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      return indented(part.text ?? "");
    case "tool-call":
      return indented(`${part.name} ${part.input}`);
    case "tool-result":
      return (part.content ?? []).flatMap(partLines);
    default:
      return [`  [${part.type}]`];
  }
}

function indented(text: string): readonly string[] {
  return visibleText(text)
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`);
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

function ageOf(milliseconds: number): string {
  if (milliseconds < minuteMs) return "now";
  if (milliseconds < hourMs) return `${Math.floor(milliseconds / minuteMs)} min ago`;
  if (milliseconds < dayMs) return `${Math.floor(milliseconds / hourMs)} h ago`;
  return `${Math.floor(milliseconds / dayMs)} d ago`;
}

/** Number of things, as in `2 turns`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
