import {
  contentText,
  type ActiveWork,
  type DecisionRecord,
  type HaftEvent,
  type Outcome,
} from "../../index.ts";
import { agentLines } from "./agents/describe-agent.ts";
import { shortTitle } from "./describe-task.ts";
import { printDiff } from "./print-diff.ts";
import type { Terminal } from "../terminal.ts";
import { unsavedLine } from "./rule-not-saved.ts";
import { visibleText } from "./visible-text.ts";

/** Lines of a result shown under its call; the model gets all of it, the log stores it. */
const shownLines = 12;

export interface RunPrinter {
  print(event: HaftEvent): void;
  /** Returns the last text of the model, as it was printed. */
  lastText(): string;
}

/** Call that has started, with the printed lines; `end` is set once it has ended. */
interface ShownCall {
  readonly head: string;
  end?: string;
}

/**
 * Prints a run as it happens: each call with its decision, its changes, and how it ended. Calls that run together are
 * printed one after the other, so that a result is always under its call.
 */
export function runPrinter(terminal: Terminal): RunPrinter {
  const calls = new Map<string, ShownCall>();
  let current: string | undefined;
  let said = "";
  let isInText = false;
  const line = (text: string): void => {
    if (isInText) terminal.err("\n");
    isInText = false;
    terminal.err(text);
  };
  const show = (id: string, call: ShownCall): void => {
    line(call.head);
    current = id;
    if (call.end !== undefined) close(id, call.end);
  };
  const close = (id: string, end: string): void => {
    terminal.err(end);
    calls.delete(id);
    current = undefined;
    for (const [nextId, next] of calls) {
      if (current === undefined) show(nextId, next);
    }
  };
  const begin = (id: string, head: string): void => {
    const call: ShownCall = { head };
    calls.set(id, call);
    // If the user changed the input of a call, it is decided again and shown again.
    if (current === undefined || current === id) show(id, call);
  };
  const lineOf = agentLines(terminal);
  const print = (event: HaftEvent): void => {
    // Of agents below, only their state is shown: their texts and calls would mix with each other.
    if ((event.depth ?? 0) > 0 && !event.type.startsWith("agent-")) return;
    switch (event.type) {
      case "agent-start":
      case "agent-event":
      case "agent-end": {
        const text = lineOf(event);
        if (text !== undefined) line(text);
        return;
      }
      case "run-start":
        line(`${terminal.style("bold", `Task: ${visibleText(event.task)}`)}\n`);
        line(`${terminal.style("dim", `Model: ${event.model}`)}\n`);
        return;
      case "turn-start":
        said = "";
        return;
      case "model-text":
        if (!isInText) terminal.err("\n");
        isInText = true;
        said += event.text;
        terminal.err(visibleText(event.text));
        return;
      case "turn-discard":
        said = "";
        line(`${terminal.style("dim", "(This answer broke off and was discarded.)")}\n`);
        return;
      case "model-retry": {
        const { model, waitMs, reason } = event;
        const when = waitMs === 0 ? "now" : `in ${(waitMs / 1000).toFixed(1)} s`;
        line(`Asking ${visibleText(model)} again ${when}: ${visibleText(reason)}\n`);
        return;
      }
      case "compaction": {
        const { tokensBefore, tokensAfter } = event;
        line(`The conversation was shortened from ${tokensBefore} to ${tokensAfter} tokens.\n`);
        return;
      }
      case "hook": {
        const { result, hook, text } = event;
        // A block is shown with the call that it stops.
        if (result === "block" && event.callId !== undefined) return;
        const about =
          result === "message" ? "says" : result === "rewrite" ? "changed an input" : "failed";
        const detail = text === "" ? "" : `: ${visibleText(text)}`;
        line(`${terminal.style("yellow", `Hook ${visibleText(hook)} ${about}${detail}`)}\n`);
        return;
      }
      case "settings-change": {
        const { result, changes, because = "" } = event;
        const what =
          result === "applied"
            ? "Changed settings now apply"
            : `Changed settings do not apply in this session, because ${visibleText(because)}`;
        const lines = changes.map((each) => `  ${visibleText(each)}\n`).join("");
        line(`${terminal.style("yellow", `${what}:`)}\n${lines}`);
        return;
      }
      case "run-wait":
        line(`${terminal.style("dim", `Waiting for ${namesOf(event.work)}.`)}\n`);
        return;
      case "user-message":
        // The user's own text is on the screen already.
        if (event.workId === undefined) return;
        line(`${terminal.style("dim", visibleText(contentText(event.message.content)))}\n`);
        return;
      case "call-decided":
        begin(
          event.callId,
          headOf({ tool: event.tool, input: event.input }, event.decision, terminal),
        );
        return;
      case "call-end": {
        const { callId, outcome } = event;
        // A call without a decision, such as one of an unknown tool, has only an end.
        if (!calls.has(callId)) begin(callId, headOf({ tool: outcome.tool }, undefined, terminal));
        const call = calls.get(callId);
        const end = `${unsavedLine(outcome, terminal)}${endOf(outcome, terminal)}`;
        if (current === callId) close(callId, end);
        else if (call !== undefined) call.end = end;
        return;
      }
      case "run-end":
        if (isInText) terminal.err("\n");
        isInText = false;
        return;
      case "call-start":
      case "permission-ask":
      case "permission-answer":
      case "call-progress":
      case "call-output":
      case "task-start":
      case "task-end":
      case "task-change":
      case "mode-change":
      case "tools-change":
      case "turn-end":
      case "model-reasoning":
      case "events-dropped":
      case "request-start":
      case "request-end":
        return;
    }
  };
  return { print, lastText: () => said };
}

/** Background work by kind, id and title, on one line. */
function namesOf(work: readonly ActiveWork[]): string {
  return work.map(({ id, kind, title }) => `${kind} ${id}: ${shortTitle(title)}`).join("; ");
}

function headOf(
  { tool, input }: { readonly tool: string; readonly input?: unknown },
  decision: DecisionRecord | undefined,
  terminal: Terminal,
): string {
  const bullet = terminal.style("cyan", "●");
  const shown = input === undefined ? "" : ` ${shortInput(input)}`;
  const head = `\n${bullet} ${terminal.style("bold", visibleText(tool))}${shown}\n`;
  if (decision === undefined) return head;
  const by =
    decision.rule === undefined ? "" : ` by ${decision.rule.rule} (${decision.rule.scope})`;
  return `${head}  ${terminal.style("dim", `${decision.kind}${by}`)}\n`;
}

function endOf(outcome: Outcome, terminal: Terminal): string {
  const mark = outcome.isError ? terminal.style("red", "✗") : terminal.style("green", "✓");
  const summary =
    outcome.summary === "" ? (outcome.error?.code ?? outcome.status) : outcome.summary;
  // The text of a failure begins with its code and message; print them once.
  const first = outcome.error === undefined ? "" : `${outcome.error.code}: ${summary}`;
  const isSaid = first !== "" && `${outcome.text}\n`.startsWith(`${first}\n`);
  const head = `  ${mark} ${visibleText(isSaid ? first : summary)}\n`;
  const rest = isSaid ? outcome.text.slice(first.length + 1) : outcome.text;
  if (isSaid && rest === "") return head;
  const { diff, unkept, hookChanges } = outcome.metadata;
  if (typeof diff === "string" && diff !== "") {
    const lost = typeof unkept === "string" ? `    ${visibleText(unkept)}\n` : "";
    const hooked = Array.isArray(hookChanges) ? "    It changed again while a hook ran.\n" : "";
    return `${head}${printDiff(diff, terminal)}${hooked}${lost}`;
  }
  const lines = visibleText(rest).trimEnd().split("\n");
  const left = lines.length - shownLines;
  const more = left > 0 ? `    … ${left} ${left === 1 ? "line" : "lines"} before\n` : "";
  const shown = lines.slice(-shownLines).map((each) => `    ${terminal.style("dim", each)}\n`);
  return `${head}${more}${shown.join("")}`;
}

function shortInput(input: unknown): string {
  if (typeof input !== "object" || input === null) return visibleText(JSON.stringify(input) ?? "");
  const parts = Object.entries(input).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const flat = visibleText(text.replaceAll(/\s+/gu, " "));
    return `${visibleText(key)}=${flat.length > 60 ? `${flat.slice(0, 60)}…` : flat}`;
  });
  return parts.join(" ");
}
