import type { Kit } from "../../../index.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { explainCommandText } from "./explain-command-text.ts";
import type { Terminal } from "../../terminal.ts";

/** Explains each line of standard input as it arrives, and prints one JSON document per line, in order. */
export async function explainLines(kit: Kit, terminal: Terminal): Promise<ExitCode> {
  let failed = false;
  for await (const line of terminal.readLines()) {
    if (line.trim() === "") continue;
    const answer = await answerTo(line, kit, terminal);
    failed ||= "error" in answer;
    terminal.out(`${JSON.stringify(answer)}\n`);
  }
  return failed ? exitCodes.failed : exitCodes.ok;
}

async function answerTo(line: string, kit: Kit, terminal: Terminal): Promise<object> {
  const asked = objectIn(line);
  if (asked === undefined) return await explainCommandText(kit, line, terminal.env);
  const { id, command, tool, input } = asked;
  const marked = id === undefined ? {} : { id };
  if (typeof command === "string") {
    return { ...marked, ...(await explainCommandText(kit, command, terminal.env)) };
  }
  if (typeof tool === "string") {
    return { ...marked, ...(await kit.explain({ name: tool, input: input ?? {} })) };
  }
  const message = "A line is a command, or an object with `command`, or with `tool` and `input`.";
  return { ...marked, error: { code: "INVALID_INPUT", message } };
}

/** Parses a line as JSON only if it is an object: anything else may be a command. */
function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
