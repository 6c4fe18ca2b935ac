import { createToolkit, type Call, type Explanation, type Kit } from "../index.ts";
import { callInput } from "./call-arguments.ts";
import { describeEffect } from "./describe-effect.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { kitOptions, kitOptionsHelp, parseWords, toolkitOptions } from "./options.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const help = `Usage: haft explain [--call] TOOL [key=text | key:=json | JSON | -]... [options]
       haft explain '<shell command>' [options]

Says what a call would touch, what the rules make of it, and why. Nothing runs. One word that names no tool is
taken as a shell command. Exits with 0 for allow, 3 for deny, 4 for ask.

${kitOptionsHelp}`;

/** `haft explain`: a call's effects and decision, without running it. */
export async function explain(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const parsed = parseWords(words, { ...kitOptions, call: { type: "boolean" } });
  const { values } = parsed;
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [name, ...rest] = parsed.words;
  if (name === undefined) {
    throw new UsageError(
      "Explain what?",
      "haft explain Read file_path=README.md, or haft explain 'rm -r build'.",
    );
  }
  const kit = await createToolkit(toolkitOptions(values, terminal));
  try {
    const isCommand =
      values.call !== true && rest.length === 0 && kit.registry.resolve(name) === undefined;
    const call = isCommand
      ? { name: "Bash", input: { command: name } }
      : { name, input: await callInput(rest, () => terminal.readStdin()) };
    return await explainCall({ kit, call, json: values.json === true, terminal });
  } finally {
    await kit.dispose();
  }
}

/** Prints what a call means; shared with `haft call --dry-run`. */
export async function explainCall(given: {
  readonly kit: Kit;
  readonly call: Call;
  readonly json: boolean;
  readonly terminal: Terminal;
}): Promise<ExitCode> {
  const { kit, call, json, terminal } = given;
  const explanation = await kit.explain(call);
  if (json) terminal.out(`${JSON.stringify(explanation, null, 2)}\n`);
  else terminal.out(describe(explanation, call));
  if (explanation.error !== undefined) return exitCodes.failed;
  switch (explanation.decision?.kind) {
    case "deny":
      return exitCodes.denied;
    case "ask":
      return exitCodes.approvalNeeded;
    case "allow":
    case undefined:
      return exitCodes.ok;
  }
}

function describe({ tool, repairs, effects, decision, error }: Explanation, call: Call): string {
  const lines = [tool ?? call.name];
  for (const { message } of repairs) lines.push(`  mended: ${message}`);
  if (error !== undefined) {
    lines.push(`  ${error.code}: ${error.message}`);
    if (error.hint !== undefined) lines.push(`  ${error.hint}`);
    return `${lines.join("\n")}\n`;
  }
  lines.push(effects.length === 0 ? "  touches nothing" : "  would");
  for (const effect of effects) lines.push(`    ${describeEffect(effect)}`);
  if (decision === undefined) return `${lines.join("\n")}\n`;
  lines.push(`  ${decision.kind}${decision.kind === "allow" ? "" : `: ${decision.reason}`}`);
  if (decision.rule !== undefined) lines.push(`    by ${describeRule(decision.rule)}`);
  for (const { verdict, text } of decision.trail) lines.push(`    ${verdict}: ${text}`);
  if (decision.kind === "ask" && decision.suggestion !== undefined) {
    lines.push(`    to allow it from now on: ${decision.suggestion}`);
  }
  return `${lines.join("\n")}\n`;
}

type Rule = NonNullable<NonNullable<Explanation["decision"]>["rule"]>;

function describeRule({ rule, list, scope, file, line }: Rule): string {
  const place = file === undefined ? "" : ` in ${file}${line === undefined ? "" : `:${line}`}`;
  return `${list} rule ${rule} (${scope}${place})`;
}
