import { describeExplanation } from "./describe-explanation.ts";
import { shellQuoted } from "./describe-effect.ts";
import type { ExplainedText } from "../verbs/explain/explain-command-text.ts";
import type { Terminal } from "../terminal.ts";
import { underlined } from "./underline.ts";
import { visibleText } from "./visible-text.ts";

/**
 * Describes a command for the user: what it would run, with the position in the text, then what it touches and the
 * decision.
 */
export function describeCommand(
  explained: ExplainedText,
  { workspace, terminal }: { readonly workspace: string; readonly terminal: Terminal },
): string {
  const { input, decision, error } = explained;
  const call = { name: "Bash", input: { command: input } };
  const known = "commands" in explained ? explained : undefined;
  const rest = describeExplanation(
    {
      tool: "Bash",
      repairs: [],
      effects: known?.effects ?? [],
      ...(decision === undefined ? {} : { decision }),
      ...(error === undefined ? {} : { error }),
    },
    call,
    { workspace, terminal },
  );
  if (known === undefined) return rest;
  const { commands } = known;
  const lines = underlined(input, commands).map((line) => `  ${line}`);
  const listed = commands.map(({ argv, via }, index) => {
    const words = argv.map((word) => (typeof word === "string" ? shellQuoted(word) : "…"));
    const through = via.length === 0 ? "" : `  (through ${via.join(", ")})`;
    return `  ${index + 1}  ${visibleText(words.join(" "))}${through}`;
  });
  const kind = `${known.class}${known.readOnly ? ", only reads" : ""}`;
  return [...lines, "", ...listed, "", `Class: ${kind}`, "", rest].join("\n");
}
