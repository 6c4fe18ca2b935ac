import type { CommandClass } from "../command-class.ts";
import {
  optionTable,
  readOptions,
  type CommandLine,
  type OptionTable,
  type OptionTraits,
} from "./options.ts";
import type { Change, Program, Site } from "../walk/invocation-context.ts";
import { maySeveral, type Argument } from "../words/words.ts";

/** Meaning of the operands of a row. */
export type OperandRule =
  | "read"
  | "tree"
  | "text"
  | "none"
  | Change
  | { readonly scope: "tree"; readonly change: Change };

/** Description of one program; `check` covers what a table cannot express. */
export interface Row {
  /** Class; a filter counts as `read` if it reads a file, and leaves the class unchanged in a pipe. */
  readonly is: CommandClass | "neutral" | "filter";
  /** Options in the written form of `optionTable`. */
  readonly options?: string;
  readonly traits?: OptionTraits;
  readonly operands?: OperandRule;
  /** Options that replace the first operand, which is otherwise text (a pattern, a script). */
  readonly textFirst?: readonly string[];
  /** Path that the program reads if no operand names one. */
  readonly otherwise?: { readonly path: string; readonly scope: "file" | "tree" };
  /** Runs last, with the parsed command line. */
  readonly check?: (line: CommandLine, site: Site) => void;
}

const shared = "--help --version";

/** Turns rows into programs that judge commands; builds each option table on first use. */
export function programs(rows: Readonly<Record<string, Row>>): ReadonlyMap<string, Program> {
  const out = new Map<string, Program>();
  for (const [names, row] of Object.entries(rows)) {
    let judge: Program | undefined;
    const program: Program = (site) => {
      judge ??= judgeRow(row);
      judge(site);
    };
    for (const name of names.split(" ")) out.set(name, program);
  }
  return out;
}

function judgeRow(row: Row): Program {
  const table = optionTable(`${row.options ?? ""} ${shared}`, row.traits);
  const reads = row.operands === "read" || row.operands === "tree" || namesFiles(table);
  return (site) => {
    const line = readOptions(site.args, table);
    noteProblems(line, site);
    noteFiles(line, site);
    if (reads)
      for (const word of line.loose) site.read(word, row.operands === "tree" ? "tree" : "file");
    const files = judgeOperands(row, line, site);
    classify(row, files, site);
    row.check?.(line, site);
  };
}

/** Whether an option of the table names files to read. */
function namesFiles({ short, long }: OptionTable): boolean {
  return [...short.values(), ...long.values()].some(
    ({ role }) => role === "read" || role === "tree" || role === "names",
  );
}

/** Reports the parts of a command line that are not understood. */
export function noteProblems(line: CommandLine, site: Site): void {
  for (const { because, through } of line.problems) site.unknown(because, through);
}

/** Reports the files that options name. */
export function noteFiles(line: CommandLine, site: Site): void {
  for (const { role, value, written } of line.options) {
    if (value === undefined || role === "text" || role === "number") continue;
    if (role === "write") {
      if (value !== "-") site.writeThrough(written, value, "any");
      continue;
    }
    if (value !== "-" || role !== "names") site.read(value, role === "tree" ? "tree" : "file");
    if (role === "names") site.readNamed();
  }
}

function classify(row: Row, files: number, site: Site): void {
  if (row.is === "filter") site.classify(files === 0 && site.piped ? undefined : "read");
  else site.classify(row.is === "neutral" ? undefined : row.is);
}

/** Applies the row's rule to the operands; returns the number of files among them. */
function judgeOperands(row: Row, line: CommandLine, site: Site): number {
  const rule = row.operands ?? "none";
  const files = row.textFirst === undefined ? line.operands : filesAfterText(line, row.textFirst);
  if (rule === "text") return 0;
  if (rule === "none") {
    if (files.length > 0) site.unknown("it was not expected to be given anything here");
    return 0;
  }
  for (const word of files) {
    if (word === "-") continue;
    if (rule === "read" || rule === "tree") site.read(word, rule === "tree" ? "tree" : "file");
    else if (typeof rule === "string") site.write(word, rule);
    else site.write(word, rule.change, rule.scope);
  }
  if (files.length === 0 && row.otherwise !== undefined && !hasOption(line, ["help", "version"])) {
    site.read(row.otherwise.path, row.otherwise.scope);
  }
  return files.length;
}

/** Operands that name files where the first one is text, unless one of the options `given` replaces it. */
export function filesAfterText(line: CommandLine, given: readonly string[]): readonly Argument[] {
  const { operands } = line;
  const [first] = operands;
  // A first word that may become several names files behind the text.
  const isText = first !== undefined && !hasOption(line, given) && !maySeveral(first);
  return isText ? operands.slice(1) : operands;
}

/** Whether any of these options was given. */
export function hasOption(line: CommandLine, names: readonly string[]): boolean {
  return line.options.some((option) => names.includes(option.name));
}

/** Last value given for any of these options. */
export function optionValue(line: CommandLine, names: readonly string[]): Argument | undefined {
  return line.options.findLast((option) => names.includes(option.name))?.value;
}
