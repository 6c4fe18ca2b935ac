import { createInterface, type Interface } from "node:readline/promises";
import type { Answer, Ask, SaveScope, ToolkitOptions } from "../index.ts";
import { printDiff } from "./print-diff.ts";
import type { Terminal } from "./terminal.ts";

const scopes: ReadonlyMap<string, SaveScope> = new Map([
  ["s", "session"],
  ["l", "local"],
  ["p", "project"],
  ["u", "user"],
]);

/** Asks a person in the terminal: what, why, what would change; one letter answers. */
export function prompter(terminal: Terminal): NonNullable<ToolkitOptions["onAsk"]> {
  return async (ask, { signal }) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      show(ask, terminal);
      return await answer({ ask, terminal, lines, signal });
    } finally {
      lines.close();
    }
  };
}

interface Asking {
  readonly ask: Ask;
  readonly terminal: Terminal;
  readonly lines: Interface;
  readonly signal: AbortSignal | undefined;
}

function show(ask: Ask, terminal: Terminal): void {
  terminal.err(`\n${terminal.style("bold", ask.question)}\n`);
  terminal.err(`  ${ask.reason}\n`);
  for (const line of describeInput(ask.input)) terminal.err(`  ${line}\n`);
  if (ask.preview !== undefined) terminal.err(printDiff(ask.preview, terminal));
  if (ask.refusals > 0)
    terminal.err(`  This very call was refused ${ask.refusals} times before.\n`);
}

/** Every field on a line of its own; long text is cut, what decides is in the question. */
function describeInput(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [JSON.stringify(input)];
  return Object.entries(input).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const shown = text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
    return `${key}: ${shown.replaceAll("\n", "\n    ")}`;
  });
}

async function answer(asking: Asking): Promise<Answer> {
  const { ask, terminal, lines, signal } = asking;
  const options = signal === undefined ? {} : { signal };
  const always = ask.suggestion === undefined ? "" : `, a always (${ask.suggestion})`;
  for (;;) {
    const typed = await lines.question(
      `y once${always}, e edit, n deny, N deny all, q stop, ? explain > `,
      options,
    );
    switch (typed.trim()) {
      case "y":
      case "yes":
        return { kind: "once" };
      case "a":
        if (ask.suggestion !== undefined) return await save(asking, ask.suggestion);
        break;
      case "e":
        return await edit(asking);
      case "n":
      case "no":
        return await deny(asking, "deny");
      case "N":
        return await deny(asking, "deny-all");
      case "q":
        return { kind: "abort" };
      case "?":
        for (const { verdict, text } of ask.trail) terminal.err(`  ${verdict}: ${text}\n`);
        break;
      default:
        terminal.err("  One letter, please.\n");
    }
  }
}

async function save({ lines, terminal }: Asking, suggestion: string): Promise<Answer> {
  const asked = await lines.question(`Rule to save [${suggestion}]: `);
  const rule = asked.trim() === "" ? suggestion : asked.trim();
  for (;;) {
    const typed = await lines.question(
      "Save for s this session, l you here, p the project, u you everywhere [s]: ",
    );
    const scope = scopes.get(typed.trim() === "" ? "s" : typed.trim());
    if (scope !== undefined) {
      terminal.err(`  Saved ${rule} (${scope}).\n`);
      return { kind: "save", rule, scope };
    }
  }
}

async function edit({ ask, lines, terminal }: Asking): Promise<Answer> {
  for (;;) {
    const typed = lines.question("Input as JSON: ");
    lines.write(JSON.stringify(ask.input));
    try {
      return { kind: "edit", input: JSON.parse(await typed) };
    } catch {
      terminal.err("  That is not JSON.\n");
    }
  }
}

async function deny({ lines }: Asking, kind: "deny" | "deny-all"): Promise<Answer> {
  const reason = (await lines.question("Reason, for the model (may be empty): ")).trim();
  return reason === "" ? { kind } : { kind, reason };
}
