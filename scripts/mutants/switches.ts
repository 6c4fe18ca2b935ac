import path from "node:path";
import { parseSync } from "oxc-parser";
import { isNode, type Node, type Replacement } from "./replacements.ts";

/** A change of a file behind a switch. */
export interface Switched extends Replacement {
  readonly id: number;
}

/** A part of the source that a choice between two texts can replace. */
interface Slot {
  readonly start: number;
  readonly end: number;
  readonly isStatement: boolean;
  readonly own: Switched[];
}

/** Statements that operators change as a whole; none declares a name that the code after it uses. */
const statements: ReadonlySet<string> = new Set([
  "IfStatement",
  "ForOfStatement",
  "ForStatement",
  "WhileStatement",
  "ContinueStatement",
  "BreakStatement",
  "ThrowStatement",
  "ExpressionStatement",
  "ReturnStatement",
  "LabeledStatement",
]);

/** Children that are written like expressions and cannot be a choice: targets, names, and what a call is made on. */
const fixed: ReadonlySet<string> = new Set([
  "AssignmentExpression.left",
  "AssignmentPattern.left",
  "CallExpression.callee",
  "ForInStatement.left",
  "ForOfStatement.left",
  "ImportAttribute.value",
  "ImportDeclaration.source",
  "ExportAllDeclaration.source",
  "ExportNamedDeclaration.source",
  "LabeledStatement.body",
  "MethodDefinition.value",
  "NewExpression.callee",
  "TaggedTemplateExpression.quasi",
  "TaggedTemplateExpression.tag",
  "UpdateExpression.argument",
]);

/**
 * In a program that a test starts, the environment says which mutant is on, and where to note which were reached. In a
 * worker of the tests the runner has set the switch before.
 */
const switchOfPrograms = [
  "globalThis.haftMutant ??= ((on, log, seen) => (id) => {",
  "if (log && !seen.has(id)) { seen.add(id);",
  'try { process.getBuiltinModule("node:fs").appendFileSync(log, `${id}\\n`); } catch {} }',
  "return on === String(id); })",
  '(process.env["HAFT_MUTANT"], process.env["HAFT_MUTANTS_REACHED"], new Set());',
].join(" ");

/** The text of a file with every change in it, each behind a switch that is off. */
export function withSwitches(file: string, source: string, changes: readonly Switched[]): string {
  const slots = slotsIn(file, source);
  for (const change of changes) {
    const slot = smallestAround(slots, change);
    if (slot === undefined)
      throw new Error(`No place for a switch: ${path.basename(file)} ${change.text}`);
    slot.own.push(change);
  }
  const used = slots
    .filter(({ own }) => own.length > 0)
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
  return `${switchOfPrograms} ${render(source, { start: 0, end: source.length }, used)}`;
}

function smallestAround(slots: readonly Slot[], change: Switched): Slot | undefined {
  let best: Slot | undefined;
  for (const slot of slots) {
    if (slot.start > change.start || slot.end < change.end) continue;
    if (best === undefined || slot.end - slot.start <= best.end - best.start) best = slot;
  }
  return best;
}

function render(
  source: string,
  { start, end }: Pick<Slot, "start" | "end">,
  inside: readonly Slot[],
): string {
  const [first, ...others] = inside;
  if (first === undefined) return source.slice(start, end);
  const nested = others.filter((slot) => slot.end <= first.end);
  const after = others.filter((slot) => slot.start >= first.end);
  const chosen = choice(source, first, render(source, first, nested));
  return (
    source.slice(start, first.start) + chosen + render(source, { start: first.end, end }, after)
  );
}

function choice(source: string, slot: Slot, original: string): string {
  return slot.own.reduce((otherwise, change) => {
    const before = source.slice(slot.start, change.start);
    const mutated = before + change.text + source.slice(change.end, slot.end);
    const isOn = `globalThis.haftMutant?.(${change.id})`;
    return slot.isStatement
      ? `{ if (${isOn}) { ${mutated} } else { ${otherwise} } }`
      : `(${isOn} ? (${mutated}) : (${otherwise}))`;
  }, original);
}

interface Around {
  readonly parent?: Node;
  readonly key: string;
  /** Part of `a?.b.c`: what `?.` skips ends at the end of the chain, so no part of it can be a choice. */
  readonly isInChain: boolean;
}

function slotsIn(file: string, source: string): readonly Slot[] {
  const slots: Slot[] = [];
  const visit = (node: Node, around: Around) => {
    if (node.type.startsWith("TS") && !/^TS(As|Satisfies|NonNull)Expression$/u.test(node.type))
      return;
    const { start, end } = node;
    const isStatement = statements.has(node.type);
    if (isStatement ? !isFixed(around) : isChoosable(node, around))
      slots.push({ start, end, isStatement, own: [] });
    const leadsOn = node.type === "ChainExpression" || around.isInChain;
    for (const [key, child] of Object.entries(node)) {
      const isInChain = leadsOn && /^(?:expression|object|callee)$/u.test(key);
      for (const each of Array.isArray(child) ? child : [child])
        if (isNode(each)) visit(each, { parent: node, key, isInChain });
    }
  };
  visit({ ...parseSync(file, source).program }, { key: "", isInChain: false });
  return slots;
}

function isChoosable(node: Node, around: Around): boolean {
  const { parent, key, isInChain } = around;
  if (parent === undefined || isInChain || isFixed(around)) return false;
  if (!/Expression$|^Literal$|^TemplateLiteral$/u.test(node.type) || node.type.startsWith("TS"))
    return false;
  if (key === "key" && parent["computed"] !== true) return false;
  if (parent["method"] === true || parent["kind"] === "get" || parent["kind"] === "set")
    return false;
  if (parent.type === "UnaryExpression" && parent["operator"] === "delete") return false;
  return parent.type !== "ExpressionStatement" || typeof parent["directive"] !== "string";
}

function isFixed({ parent, key }: Around): boolean {
  return fixed.has(`${parent?.type}.${key}`);
}
