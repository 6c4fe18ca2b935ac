import type { Answer, Ask } from "../../index.ts";
import { visibleText } from "../print/visible-text.ts";
import type { Terminal } from "../terminal.ts";

/** Shows a question of a tool with its choices. */
export function showQuestion(
  { displayName, question, reason, options = [] }: Ask,
  terminal: Terminal,
): void {
  terminal.err(`\n${terminal.style("bold", `${displayName}: ${visibleText(question)}`)}\n`);
  terminal.err(`  ${visibleText(reason)}\n`);
  for (const [index, { label, description }] of options.entries()) {
    const more = description === undefined ? "" : `: ${visibleText(description)}`;
    terminal.err(`  ${index + 1} ${visibleText(label)}${more}\n`);
  }
}

/** Shows a plan, whole: it is what the user approves. */
export function showPlan({ displayName, question, reason, input }: Ask, terminal: Terminal): void {
  terminal.err(`\n${terminal.style("bold", `${displayName}: ${visibleText(question)}`)}\n`);
  terminal.err(`  ${visibleText(reason)}\n\n`);
  const plan = typeof input === "object" && input !== null && "plan" in input ? input.plan : "";
  terminal.err(`${visibleText(String(plan)).replaceAll(/^/gmu, "  ")}\n\n`);
}

type TypeLine = (text: string) => Promise<string>;

/** Reads the answer to a question: numbers of choices, or a text of the user. */
export async function answerQuestion(
  { options = [], isMultiSelect = false }: Ask,
  terminal: Terminal,
  typeLine: TypeLine,
): Promise<Answer> {
  const choose = isMultiSelect ? "numbers" : "number";
  const offered = options.length === 0 ? "" : `${choose}, or `;
  for (;;) {
    const typed = (await typeLine(`${offered}your own words; s skip, q stop > `)).trim();
    if (typed === "") continue;
    if (typed === "s") return { kind: "deny" };
    if (typed === "q") return { kind: "abort" };
    if (options.length === 0 || !/^[\d\s,]+$/u.test(typed)) {
      return { kind: "answer", choices: [], text: typed };
    }
    const numbers = typed.split(/[\s,]+/u).filter((each) => each !== "");
    const choices = [...new Set(numbers)].flatMap((each) => options[Number(each) - 1]?.label ?? []);
    const isKnown = choices.length === new Set(numbers).size;
    if (isKnown && (isMultiSelect || choices.length === 1)) return { kind: "answer", choices };
    terminal.err(
      isKnown ? "  Type one number.\n" : `  Type a number from 1 to ${options.length}.\n`,
    );
  }
}

export interface PlanAnswers {
  readonly typeLine: TypeLine;
  readonly edit: () => Promise<Answer>;
  readonly deny: () => Promise<Answer>;
}

/** Reads the answer to a plan. */
export async function answerPlan(
  terminal: Terminal,
  { typeLine, edit, deny }: PlanAnswers,
): Promise<Answer> {
  for (;;) {
    const typed = (await typeLine("y approve, e edit, n refuse, q stop > ")).trim();
    if (typed === "y" || typed === "yes") return { kind: "once" };
    if (typed === "e" || typed === "edit") return await edit();
    if (typed === "n" || typed === "no") return await deny();
    if (typed === "q") return { kind: "abort" };
    if (typed !== "") terminal.err("  Type one of these letters.\n");
  }
}
