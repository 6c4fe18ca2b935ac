import { ToolError, type CreatedToolCheck, type Kit } from "../../index.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { printToolError } from "../print/print-tool-error.ts";
import { visibleText } from "../print/visible-text.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** `haft tools new`: writes the files of a small tool, for the user to change. */
export async function newTool(
  kit: Kit,
  { name, language }: { readonly name: string | undefined; readonly language: string | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  if (name === undefined) throw new UsageError("The new tool needs a name.", "haft tools new NAME");
  if (language !== undefined && language !== "javascript" && language !== "shell") {
    throw new UsageError(
      `There is no language ${JSON.stringify(language)}.`,
      "Languages: javascript, shell.",
    );
  }
  try {
    const paths = await kit.createdTools.scaffold(name, language);
    for (const path of paths) terminal.out(`${path}\n`);
    terminal.out(`Change them, then run haft trust add and haft tools test ${name}.\n`);
    return exitCodes.ok;
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    printToolError(error, terminal);
    return exitCodes.failed;
  }
}

/** `haft tools test`: calls tools with their examples. */
export async function testTools(
  kit: Kit,
  name: string | undefined,
  { json, terminal }: { readonly json: boolean; readonly terminal: Terminal },
): Promise<ExitCode> {
  const names =
    name === undefined ? (await kit.createdTools.list()).map((each) => each.name) : [name];
  if (names.length === 0)
    terminal.err("There are no tools in .haft/tools; haft tools new NAME writes one.\n");
  const results: { name: string; checks: readonly CreatedToolCheck[]; error?: string }[] = [];
  for (const each of names) {
    try {
      const checks = await kit.createdTools.test(each);
      results.push({ name: each, checks });
      if (!json) print(each, checks, terminal);
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      results.push({ name: each, checks: [], error: error.message });
      if (!json) printToolError(error, terminal);
    }
  }
  if (json) terminal.out(`${JSON.stringify(results, null, 2)}\n`);
  const isGood = results.every(
    ({ checks, error }) => error === undefined && checks.every(({ passed }) => passed),
  );
  return isGood ? exitCodes.ok : exitCodes.failed;
}

function print(name: string, checks: readonly CreatedToolCheck[], terminal: Terminal): void {
  for (const { input, text, passed } of checks) {
    const mark = terminal.style(passed ? "green" : "red", passed ? "passed" : "failed", "out");
    terminal.out(`${mark}  ${name} ${visibleText(JSON.stringify(input))}\n`);
    terminal.out(`${visibleText(text.trimEnd()).replaceAll(/^/gmu, "        ")}\n`);
  }
}
