import type { Span } from "../../core/index.ts";
import type { Hazard, Inside, ShellNode, VariableSet } from "./syntax.ts";
import type { BashScript } from "./unbash.ts";

/** Maximum nesting depth of commands; a deeper script is refused. */
export const maxDepth = 64;

/** Reason to refuse a script, thrown from any depth of it. */
export class Refusal extends Error {
  readonly span: Span;
  constructor(because: string, span: Span) {
    super(because);
    this.span = span;
  }
}

/** Position of a text in the text of the call. */
export interface TextOrigin {
  /** Span used for everything if offsets do not index the text of the call. */
  readonly fixed: Span | undefined;
  /** Offset at which it begins in the text of the call. */
  readonly offset: number;
}

/** Origin of the text of the call itself. */
export const wholeText: TextOrigin = { fixed: undefined, offset: 0 };

/** Text being read, with the collections for the content of its words. */
export interface Reading extends TextOrigin {
  /** Text being read, which the node positions index. */
  readonly text: string;
  readonly count: { commands: number };
  /** Whether the script may redefine a name such as `cat`. */
  readonly redefines: () => boolean;
  readonly depth: number;
  /** Function that reads the script of a substitution. */
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

/** Copy of a reading with separate collections for the content of words. */
export function holding(reading: Reading): Reading {
  return { ...reading, scripts: [], hazards: [], sets: [] };
}

export function insideOf(held: Reading): Inside | undefined {
  const { scripts, hazards, sets } = held;
  if (scripts.length === 0 && hazards.length === 0 && sets.length === 0) return undefined;
  return { scripts, hazards, sets };
}

/** Reads the script of a substitution into the collections of `held`. */
export function readSubstitution(
  node: Placed & { readonly script: BashScript | undefined },
  held: Reading,
): ShellNode | undefined {
  if (node.script === undefined) {
    held.hazards.push({ because: "a substitution that could not be read", span: at(node, held) });
    return undefined;
  }
  const nested = deeper(holding(held), node);
  // Escaped backticks are read from decoded text, whose offsets do not match the source.
  const { source } = node.script;
  const fixed = source === undefined ? held.fixed : at(node, held);
  const body = held.script(node.script, { ...nested, fixed, text: source ?? held.text });
  held.scripts.push({ kind: "subshell", body });
  return body;
}
