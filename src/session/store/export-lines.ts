import { changedTexts, type ExportedSession, type TextChange } from "./exported-session.ts";

/** Version of the exported format. A change that an older import cannot read increases it. */
export const exportVersion = 1;

/** The session as JSON Lines: itself, its runs, and the messages of each agent in order. */
export function exportLines(session: ExportedSession, change: TextChange): string {
  const { info, runs, agents } = session;
  const { sessionId, title, workspace, createdAt } = info;
  const lines: unknown[] = [
    { type: "session", version: exportVersion, sessionId, title, workspace, createdAt },
  ];
  for (const {
    sessionId: _session,
    owner: _owner,
    key: _key,
    leaseUntil: _lease,
    ...run
  } of runs) {
    lines.push({ type: "run", ...run });
  }
  for (const { agentId, entries } of agents) {
    for (const { number, at, runId, kind, messages } of entries) {
      lines.push({ type: kind, number, agentId, runId, at, messages });
    }
  }
  return lines.map((line) => `${JSON.stringify(changedTexts(line, change))}\n`).join("");
}
