import type { Answer, Ask, SaveScope, ToolkitOptions } from "../../index.ts";
import { UserLeft } from "./lines.ts";
import { printDiff } from "../print/print-diff.ts";
import type { Lines } from "./lines.ts";
import { answerPlan, answerQuestion, showPlan, showQuestion } from "./prompt-question.ts";
import type { Terminal } from "../terminal.ts";
import { visibleJson, visibleText } from "../print/visible-text.ts";

type OnAsk = NonNullable<ToolkitOptions["onAsk"]>;

const scopes: ReadonlyMap<string, SaveScope> = new Map([
  ["s", "session"],
  ["l", "local"],
  ["p", "project"],
  ["u", "user"],
]);

/** Maximum characters shown of one field. */
const shownChars = 10_000;

/**
 * Asks the user in the terminal: what, why, and what would change; one letter answers. Leaving the question stops the
 * turn.
 */
export function prompter(terminal: Terminal): OnAsk {
  return async (ask, { signal }) => {
    const lines = await terminal.openLines();
    const asking = { ask, terminal, lines, ...(signal === undefined ? {} : { signal }) };
    const typeLine = async (text: string): Promise<string> => await typedLine(asking, text);
    try {
      switch (ask.kind) {
        case "permission":
          show(ask, terminal);
          return await answer(asking);
        case "question":
          showQuestion(ask, terminal);
          return await answerQuestion(ask, terminal, typeLine);
        case "plan":
          showPlan(ask, terminal);
          return await answerPlan(terminal, {
            typeLine,
            edit: async () => await edit(asking),
            deny: async () => await deny(asking, "deny"),
          });
      }
    } catch (error) {
      if (error instanceof UserLeft) return { kind: "abort" };
      throw error;
    } finally {
      lines.close();
    }
  };
}

interface Asking {
  readonly ask: Ask;
  readonly terminal: Terminal;
  readonly lines: Lines;
  readonly signal?: AbortSignal;
}

function show(ask: Ask, terminal: Terminal): void {
  const { displayName, question, reason, input, effects, preview, notUndoable, refusals } = ask;
  // The diff does not show other effects of a command.
  const isInDiff =
    preview !== undefined && effects.every(({ kind }) => kind === "read" || kind === "write");
  const asker = ask.agentId === undefined ? "" : `Agent ${visibleText(ask.agentId)}, `;
  terminal.err(`\n${terminal.style("bold", `${asker}${displayName}: ${visibleText(question)}`)}\n`);
  terminal.err(`  ${visibleText(reason)}\n`);
  for (const line of describeInput(input, isInDiff)) terminal.err(`  ${line}\n`);
  if (preview !== undefined) terminal.err(printDiff(preview, terminal));
  if (notUndoable !== undefined) {
    terminal.err(`  ${terminal.style("yellow", visibleText(notUndoable))}\n`);
  }
  if (refusals > 0) {
    terminal.err(
      `  This exact call was refused ${refusals === 1 ? "once" : `${refusals} times`} before.\n`,
    );
  }
}

/**
 * Describes every field on a line of its own, with a note where it is shortened; if a diff shows the effect of long
 * ones, only their first line.
 */
function describeInput(input: unknown, isInDiff: boolean): string[] {
  if (typeof input !== "object" || input === null)
    return [visibleText(JSON.stringify(input) ?? "")];
  return Object.entries(input).map(([key, value]) => {
    const text = visibleText(typeof value === "string" ? value : JSON.stringify(value));
    const shown = isInDiff ? firstLine(text) : cut(text);
    return `${visibleText(key)}: ${shown.replaceAll("\n", "\n    ")}`;
  });
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? cut(text) : `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/** Shows the beginning and the end: text hidden behind a long harmless part is at the end. */
function cut(text: string): string {
  const more = text.length - shownChars;
  if (more <= 0) return text;
  const end = shownChars / 4;
  return `${text.slice(0, shownChars - end)}… (${more} more characters) …${text.slice(-end)}`;
}

async function answer(asking: Asking): Promise<Answer> {
  const { ask, terminal } = asking;
  const { suggestion } = ask;
  if (suggestion !== undefined) {
    terminal.err(`  always would save ${rulesText(suggestion)}\n`);
  }
  const always = suggestion === undefined ? "" : ", a always";
  for (;;) {
    const typed = await typedLine(
      asking,
      `y once${always}, e edit, n deny, N deny all, q stop, ? why > `,
    );
    switch (typed.trim()) {
      case "y":
      case "yes":
        return { kind: "once" };
      case "a":
      case "always":
        if (suggestion !== undefined) return await save(asking, suggestion);
        terminal.err("  No rule is narrow enough to be saved for this.\n");
        break;
      case "e":
      case "edit":
        return await edit(asking);
      case "n":
      case "no":
        return await deny(asking, "deny");
      case "N":
        return await deny(asking, "deny-all");
      case "q":
        return { kind: "abort" };
      case "?":
        for (const { verdict, text } of ask.trail)
          terminal.err(`  ${verdict}: ${visibleText(text)}\n`);
        break;
      case "":
        break;
      default:
        terminal.err("  Type one of these letters.\n");
    }
  }
}

async function save(asking: Asking, suggestion: string): Promise<Answer> {
  const { terminal } = asking;
  // A single rule can be edited in its line; several rules, and one with invisible characters, are saved as shown.
  const isOne = !suggestion.includes("\n") && visibleText(suggestion) === suggestion;
  const typed = isOne ? await typedLine(asking, "Rule to save: ", suggestion) : suggestion;
  const rule = typed.trim() === "" ? suggestion : typed.trim();
  for (;;) {
    const letter = await typedLine(
      asking,
      "Save for: s this session, l you in this workspace, p everyone in this workspace, u you everywhere [s]: ",
    );
    const scope = scopes.get(letter.trim() === "" ? "s" : letter.trim());
    if (scope === undefined) continue;
    terminal.err(`  Saving ${rulesText(rule)} (${scope}).\n`);
    return { kind: "save", rule, scope };
  }
}

function rulesText(rules: string): string {
  return visibleText(rules.split("\n").join(", "));
}

async function edit(asking: Asking): Promise<Answer> {
  for (;;) {
    const typed = await typedLine(asking, "Input as JSON: ", visibleJson(asking.ask.input));
    try {
      const input: unknown = JSON.parse(typed);
      return { kind: "edit", input };
    } catch {
      asking.terminal.err("  That is not JSON.\n");
    }
  }
}

async function deny(asking: Asking, kind: "deny" | "deny-all"): Promise<Answer> {
  const reason = (await typedLine(asking, "Reason, for the model (may be empty): ")).trim();
  return reason === "" ? { kind } : { kind, reason };
}

async function typedLine(
  { lines, signal }: Asking,
  text: string,
  offered?: string,
): Promise<string> {
  return await lines.question(text, {
    ...(offered === undefined ? {} : { offered }),
    ...(signal === undefined ? {} : { signal }),
  });
}
