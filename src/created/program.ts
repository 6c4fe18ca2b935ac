import { systemProgram } from "../programs/index.ts";
import type { CreatedDefinition } from "../core/index.ts";

/** A program with its standard input. */
export interface CreatedProgram {
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Variables of the host that a created tool gets. */
export const keptVariables: readonly string[] = ["PATH", "LANG", "LC_*", "TZ"];

/** Maximum megabytes of JavaScript objects. */
const heapMb = 512;

/**
 * Runs the module of a tool. It comes with the input, so that the program is the one that was approved whatever is in
 * the file by now. The process exits with the result, so that timers and open connections end with it.
 */
const runner = `
const write = process.stdout.write.bind(process.stdout);
const exit = process.exit.bind(process);
const { stringify, parse } = JSON;
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { body, input } = parse(Buffer.concat(chunks).toString("utf8"));
globalThis.console = new console.Console(process.stderr, process.stderr);
const codeOf = ({ code }, text) => code && !text.includes(code) ? " [" + code + "]" : "";
const causeOf = ({ cause }, depth = 0) => {
  if (!(cause instanceof Error) || depth > 4) return "";
  const text = cause.message || cause.errors?.[0]?.message || "";
  return " (" + text + codeOf(cause, text) + ")" + causeOf(cause, depth + 1);
};
const fail = (error) => {
  const text = error instanceof Error
    ? error.name + codeOf(error, error.message) + ": " + error.message + causeOf(error)
    : String(error);
  process.stderr.write(text + "\\n", () => exit(1));
};
process.on("uncaughtException", fail);
try {
  const module = await import("data:text/javascript;base64," + Buffer.from(body).toString("base64"));
  if (typeof module.default !== "function") {
    throw new TypeError("The body has no default function; write export default (input) => result.");
  }
  const result = await module.default(input);
  write(typeof result === "string" ? result : (stringify(result, undefined, 2) ?? ""), () => exit(0));
} catch (error) {
  fail(error);
}
`;

/** Returns the program that runs one call of a tool. */
export function programOf(
  { language, body }: Pick<CreatedDefinition, "language" | "body">,
  input: Readonly<Record<string, unknown>>,
  { connects }: { readonly connects: boolean },
): CreatedProgram {
  if (language === "javascript") {
    return {
      argv: [process.execPath, ...nodeOptions(connects), "-e", runner],
      stdin: JSON.stringify({ body, input }),
      env: {},
    };
  }
  return {
    argv: [systemProgram("bash") ?? "bash", "--noprofile", "--norc", "-c", body],
    stdin: JSON.stringify(input),
    env: variablesOf(input),
  };
}

/**
 * Options of Node. The sandbox holds the program to its files and hosts; Node itself refuses to start programs, threads
 * and native code.
 */
function nodeOptions(connects: boolean): readonly string[] {
  const hasNetPermission = process.allowedNodeEnvironmentFlags.has("--allow-net");
  return [
    "--permission",
    "--allow-fs-read=*",
    "--allow-fs-write=*",
    ...(connects && hasNetPermission ? ["--allow-net"] : []),
    "--no-addons",
    "--no-warnings",
    `--max-old-space-size=${heapMb}`,
    "--input-type=module",
  ];
}

/** Maximum characters of a value passed as a variable; a longer one is in standard input only. */
const maxVariableChars = 32_768;

/** Texts, numbers and truth values of an input as variables, for programs that parse no JSON. */
function variablesOf(input: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]): [string, string][] => {
      if (!["string", "number", "boolean"].includes(typeof value)) return [];
      const text = String(value);
      if (text.length > maxVariableChars || text.includes("\0")) return [];
      return [[`INPUT_${name}`, text]];
    }),
  );
}
