import type { Span } from "../../core/index.ts";
import type { Hazard, Inside, ShellNode, VariableSet } from "./syntax.ts";
import type { BashScript } from "./unbash.ts";

/** How deep commands may nest before a script is refused. */
export const maxDepth = 64;

/** Why a script is not read, thrown from any depth of it. */
export class Refusal extends Error {
  readonly span: Span;
  constructor(because: string, span: Span) {
    super(because);
    this.span = span;
  }
}

/** Where a text stands in the text a person wrote. */
export interface TextOrigin {
  /** Where every span points when offsets do not index the text a person wrote. */
  readonly fixed: Span | undefined;
  /** How far into that text it begins. */
  readonly offset: number;
}

/** The text a person wrote, as it is. */
export const wholeText: TextOrigin = { fixed: undefined, offset: 0 };

/** What is being read, and where what its words hold is collected. */
export interface Reading extends TextOrigin {
  /** The text that is read; the places of its nodes are places in it. */
  readonly text: string;
  readonly count: { commands: number };
  /** Whether anything in the script may give a name like `cat` another meaning. */
  readonly redefines: () => boolean;
  readonly depth: number;
  /** Reads the script of a substitution. */
  readonly script: (script: BashScript, reading: Reading) => ShellNode;
  readonly scripts: ShellNode[];
  readonly hazards: Hazard[];
  readonly sets: VariableSet[];
}

interface Placed {
  readonly pos: number;
  readonly end: number;
}

export function at(node: Placed, reading: Reading): Span {
  return reading.fixed ?? { start: node.pos + reading.offset, end: node.end + reading.offset };
}

export function deeper(reading: Reading, node: Placed): Reading {
  if (reading.depth >= maxDepth) {
    throw new Refusal(`commands are nested more than ${maxDepth} deep`, at(node, reading));
  }
  return { ...reading, depth: reading.depth + 1 };
}

/** The same reading with its own place for what words hold. */
export function holding(reading: Reading): Reading {
  return { ...reading, scripts: [], hazards: [], sets: [] };
}

export function insideOf(held: Reading): Inside | undefined {
  const { scripts, hazards, sets } = held;
  if (scripts.length === 0 && hazards.length === 0 && sets.length === 0) return undefined;
  return { scripts, hazards, sets };
}

/** Reads the script of a substitution into what `held` collects. */
export function readSubstitution(
  node: Placed & { readonly script: BashScript | undefined },
  held: Reading,
): ShellNode | undefined {
  if (node.script === undefined) {
    held.hazards.push({ because: "a substitution that could not be read", span: at(node, held) });
    return undefined;
  }
  const nested = deeper(holding(held), node);
  // Escaped backticks are read from decoded text, whose offsets are its own.
  const { source } = node.script;
  const fixed = source === undefined ? held.fixed : at(node, held);
  const body = held.script(node.script, { ...nested, fixed, text: source ?? held.text });
  held.scripts.push({ kind: "subshell", body });
  return body;
}
