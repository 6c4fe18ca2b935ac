import type { CommandClass } from "../command-class.ts";
import { optionTable, readOptions, type CommandLine, type OptionTraits } from "./options.ts";
import type { Change, Program, Site } from "../walk/invocation-context.ts";
import type { Argument } from "../words/words.ts";

/** How a row reads its operands. */
export type OperandRule =
  | "read"
  | "tree"
  | "text"
  | "none"
  | Change
  | { readonly scope: "tree"; readonly change: Change };

/** One program as data; `check` holds what a table cannot say. */
export interface Row {
  /** Its class; a filter is `read` where it reads a file and changes nothing at the end of a pipe. */
  readonly is: CommandClass | "neutral" | "filter";
  /** In the written form of `optionTable`. */
  readonly options?: string;
  readonly traits?: OptionTraits;
  readonly operands?: OperandRule;
  /** The first operand is text (a pattern, a script) unless one of these options gave it. */
  readonly textFirst?: readonly string[];
  /** What it reads when no operand names it. */
  readonly otherwise?: { readonly path: string; readonly scope: "file" | "tree" };
  /** Runs last, with everything taken apart. */
  readonly check?: (line: CommandLine, site: Site) => void;
}

const shared = "--help --version";

/** Makes rows judge commands; each option table is built when its program is first met. */
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
  return (site) => {
    const line = readOptions(site.args, table);
    noteProblems(line, site);
    noteFiles(line, site);
    const files = judgeOperands(row, line, site);
    classify(row, files, site);
    row.check?.(line, site);
  };
}

/** Says what is not understood of a command line. */
export function noteProblems(line: CommandLine, site: Site): void {
  for (const { because, through } of line.problems) site.unknown(because, through);
}

/** Lists the files that options name. */
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

/** Applies the row's rule to its operands; returns how many of them are files. */
function judgeOperands(row: Row, line: CommandLine, site: Site): number {
  const rule = row.operands ?? "none";
  let files: readonly Argument[] = line.operands;
  if (row.textFirst !== undefined && !hasOption(line, row.textFirst)) files = files.slice(1);
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

/** Whether any of these options was given. */
export function hasOption(line: CommandLine, names: readonly string[]): boolean {
  return line.options.some((option) => names.includes(option.name));
}

/** The last value given for one of these options. */
export function optionValue(line: CommandLine, names: readonly string[]): Argument | undefined {
  return line.options.findLast((option) => names.includes(option.name))?.value;
}
