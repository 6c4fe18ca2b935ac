import { parseSync } from "oxc-parser";

/** A node of the syntax tree. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Another text for a part of the source. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type Add = (start: number, end: number, text: string) => void;

/** Adds the changes that a set of operators makes of one node. */
export type Operators = (node: Node, source: string, add: Add) => void;

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** Every change that the operators make of a file. */
export function replacementsIn(
  file: string,
  source: string,
  operators: Operators,
): readonly Replacement[] {
  const found: Replacement[] = [];
  const { program } = parseSync(file, source);
  walk({ ...program }, (node) =>
    operators(node, source, (start, end, text) => found.push({ start, end, text })),
  );
  return found;
}

function walk(node: Node, visit: (node: Node) => void): void {
  // No test that runs can notice a change of something that only the compiler reads.
  if (node.type.startsWith("TS") && !/^TS(As|Satisfies|NonNull)Expression$/u.test(node.type))
    return;
  visit(node);
  for (const child of Object.values(node)) {
    for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) walk(each, visit);
  }
}
