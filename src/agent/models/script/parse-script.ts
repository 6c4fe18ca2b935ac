import type { Node, ParseError } from "jsonc-parser";
import { ToolError } from "../../../core/index.ts";
import { phraseOf } from "../../../text/index.ts";
import { checkScript, scriptPlace, type ScriptProblem } from "./check-script.ts";
import type { Script } from "./script.ts";

/** Maximum number of problems in one error; more would only hide the first. */
const maxProblems = 5;

/** Parses a script; comments and trailing commas are allowed. Every error names `file` and its line. */
export async function parseScript(source: string, file: string): Promise<Script> {
  const { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } =
    await import("jsonc-parser");
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true, allowEmptyContent: false });
  const [first] = errors;
  if (first !== undefined) {
    const what = phraseOf(printParseErrorCode(first.error));
    throw invalid([`${file}:${lineAt(source, first.offset)}: ${what}`], "Correct the JSON.");
  }
  if (root === undefined) throw invalid([`${file}:1: it is empty`], "Write a script into it.");
  const value: unknown = getNodeValue(root);
  const checked = checkScript(value);
  if (checked.ok) return checked.script;
  const lines = checked.problems.slice(0, maxProblems).map((problem) => {
    const node = nearest(problem, (path) => findNodeAtLocation(root, path)) ?? root;
    return `${file}:${lineAt(source, node.offset)}: ${scriptPlace(problem.path)} ${problem.message}`;
  });
  throw invalid(lines, "Correct the script; docs/reference/script.md describes its format.");
}

function invalid(lines: readonly string[], hint: string): ToolError {
  return new ToolError("INVALID_INPUT", `The script cannot be played.\n${lines.join("\n")}`, {
    hint,
  });
}

/** Node that a problem is about, or its closest ancestor. */
function nearest(
  { path }: ScriptProblem,
  find: (path: (string | number)[]) => Node | undefined,
): Node | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = find(path.slice(0, length));
    if (node !== undefined) return node.parent?.type === "property" ? node.parent : node;
  }
  return undefined;
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
