import type { HookListing, HookTestResult, Kit } from "../../../index.ts";
import { callInput } from "../../input/call-arguments.ts";
import { didYouMean } from "../../input/nearest.ts";
import { parseWords, refuseMore } from "../../input/parse-arguments.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { openKit } from "../../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../../options.ts";
import { visibleText } from "../../print/visible-text.ts";
import type { Terminal } from "../../terminal.ts";
import { UsageError } from "../../usage-error.ts";

const help = `Usage: haft hooks [list]                            list the hooks of the settings, with file and line
       haft hooks test EVENT [TOOL [KEY=VALUE …]]   run the hooks of an event with a sample call

Hooks are commands, addresses and prompts in settings that run around calls, tasks and sessions (docs/hooks.md). Those
of a workspace that is not trusted never run; haft trust shows its state. A test really runs the hooks, confined like
commands of tools; nothing else runs. Example: haft hooks test PreToolUse Bash command="rm -rf build"

${kitOptionsHelp}
Exit codes: 0 ok, 1 a hook failed or blocked the sample, 2 usage.
`;

/** `haft hooks`: lists the hooks of the settings and tries them. */
export async function hooks(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: given } = parseWords(words, kitOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [verb = "list", event, tool, ...rest] = given;
  if (verb !== "list" && verb !== "test") {
    const near = didYouMean(verb, ["list", "test"]);
    throw new UsageError(`hooks has no ${JSON.stringify(verb)}.${near}`, "It can list and test.");
  }
  if (verb === "list") refuseMore(given, 1, "haft hooks list takes no more arguments.");
  else if (event === undefined) {
    throw new UsageError("Which event?", "Name one, as in haft hooks test PreToolUse Bash.");
  }
  const json = values.json === true;
  const kit = await openKit(values, terminal);
  try {
    if (verb === "list" || event === undefined) return await list(kit, { json, terminal });
    const input = await callInput(rest, { readStdin: async () => await terminal.readStdin() });
    const fields = rest.length === 0 ? {} : { tool_input: parsed(input) };
    const results = await kit.hooks.test(event, tool === undefined ? {} : { tool, fields });
    return printTests(results, { event, json, terminal });
  } finally {
    await kit.dispose();
  }
}

interface Printing {
  readonly json: boolean;
  readonly terminal: Terminal;
}

async function list(kit: Kit, { json, terminal }: Printing): Promise<ExitCode> {
  const all = await kit.hooks.list();
  if (json) terminal.out(`${JSON.stringify(all, null, 2)}\n`);
  else if (all.length === 0) terminal.err("The settings have no hooks.\n");
  else {
    const width = Math.max(...all.map((hook) => nameOf(hook).length));
    for (const hook of all) {
      const marks = [
        `on failure: ${hook.onFailure}`,
        ...(hook.needsTrust ? ["needs trust"] : []),
        ...(hook.condition === undefined ? [] : [`if ${hook.condition}`]),
      ];
      terminal.out(
        `${nameOf(hook).padEnd(width)}  ${visibleText(hook.text)}  ${terminal.style("dim", `${placeOf(hook)} (${visibleText(marks.join("; "))})`)}\n`,
      );
    }
  }
  return exitCodes.ok;
}

function printTests(
  results: readonly HookTestResult[],
  { event, json, terminal }: Printing & { readonly event: string },
): ExitCode {
  if (json) terminal.out(`${JSON.stringify(results, null, 2)}\n`);
  else if (results.length === 0) terminal.err(`No hook runs for ${event} with this sample.\n`);
  else {
    for (const { hook, result, decision, text } of results) {
      const says = result === "failure" ? "failed" : (decision ?? "ok");
      const detail = text === "" ? "" : `: ${visibleText(text)}`;
      terminal.out(`${says.padEnd(6)}  ${nameOf(hook)}  ${visibleText(hook.text)}${detail}\n`);
    }
  }
  const isBad = results.some(({ result, decision }) => result === "failure" || decision === "deny");
  return isBad ? exitCodes.failed : exitCodes.ok;
}

function nameOf({ event, matcher }: HookListing): string {
  return visibleText(matcher === "" ? event : `${event}(${matcher})`);
}

function placeOf({ scope, file, line }: HookListing): string {
  if (file === undefined) return scope;
  return visibleText(line === undefined ? file : `${file}:${line}`);
}

function parsed(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    throw new UsageError(
      "The input is not JSON.",
      "Write key=text, key:=json, or one JSON object.",
    );
  }
}
