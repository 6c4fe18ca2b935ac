import { isNode, type Add, type Node } from "./replacements.ts";

/** An answer, and the weaker one in its place. */
const weaker: ReadonlyMap<string, string> = new Map([
  ["deny", "allow"],
  ["ask", "allow"],
  ["file", "tree"],
  ["deny-all", "deny"],
  ["delete", "modify"],
  ["unknown", "read"],
  ["wx", "w"],
]);

/** Calls whose result differs from their object only where it matters. */
const narrowing = new Set(["filter", "slice", "toSorted", "toLowerCase", "trim", "normalize"]);
const copying = new Set(["Map", "Set", "Uint8Array"]);
const opposite: ReadonlyMap<string, string> = new Map([
  ["every", "some"],
  ["some", "every"],
  ["startsWith", "includes"],
  ["endsWith", "includes"],
]);

/**
 * Changes of what code promises: a condition of a decision dropped, a part of a list or an object left out, a copy
 * skipped, a scope widened, a flag, a mode or an answer made weaker, a loop or the rest of a function not run.
 */
export function mutateMeaning(node: Node, source: string, add: Add): void {
  switch (node.type) {
    case "LogicalExpression":
      keepOneSide(node, source, add);
      break;
    case "BinaryExpression":
      // One flag of several.
      if (node["operator"] === "|") keepOneSide(node, source, add);
      break;
    case "ArrayExpression":
      skipParts(node, node["elements"], add);
      unwrapCopy(node, { parts: node["elements"], source, add });
      break;
    case "ObjectExpression":
      skipParts(node, node["properties"], add);
      unwrapCopy(node, { parts: node["properties"], source, add });
      break;
    case "NewExpression":
      unwrapConstructor(node, source, add);
      break;
    case "ConditionalExpression":
      if (isOptionalMember(node, source)) {
        add(node.start, node.end, "({})");
      } else {
        chooseAlways(node, source, add);
      }
      break;
    case "IfStatement":
      // A guard or a special case that is not there.
      if (node["alternate"] === null) add(node.start, node.end, ";");
      break;
    case "CallExpression":
      skipCall(node, source, add);
      break;
    case "Literal":
      weaken(node, source, add);
      break;
    case "ForOfStatement":
    case "WhileStatement":
      add(node.start, node.end, ";");
      break;
    case "ContinueStatement":
    case "BreakStatement":
      add(node.start, node.end, ";");
      break;
    case "AwaitExpression":
      skipAwaited(node, add);
      break;
    default:
  }
}

function keepOneSide(node: Node, source: string, add: Add): void {
  for (const side of [node["left"], node["right"]]) {
    if (isNode(side)) add(node.start, node.end, `(${source.slice(side.start, side.end)})`);
  }
}

function chooseAlways(node: Node, source: string, add: Add): void {
  for (const branch of [node["consequent"], node["alternate"]]) {
    if (isNode(branch)) add(node.start, node.end, `(${source.slice(branch.start, branch.end)})`);
  }
}

/** `x === undefined ? {} : { x }`: with the member always there it would be undefined, which reads the same. */
function isOptionalMember({ test, consequent, alternate }: Node, source: string): boolean {
  if (!isNode(test) || !isNode(consequent) || !isNode(alternate)) return false;
  const { left, right } = test;
  if (test["operator"] !== "===" || !isNode(left) || !isNode(right)) return false;
  if (right["name"] !== "undefined" || consequent.type !== "ObjectExpression") return false;
  if (nodesIn(consequent["properties"]).length > 0) return false;
  const [member, ...others] = nodesIn(alternate["properties"]);
  const value = member?.["value"];
  if (others.length > 0 || !isNode(value)) return false;
  return source.slice(value.start, value.end) === source.slice(left.start, left.end);
}

function nodesIn(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Leaves out one spread part of a list, or one member of an object. */
function skipParts(node: Node, value: unknown, add: Add): void {
  const parts = nodesIn(value);
  if (parts.length < 2) return;
  for (const [index, part] of parts.entries()) {
    if (node.type === "ArrayExpression" && part.type !== "SpreadElement") continue;
    const own = part["value"];
    // A member that is undefined reads the same left out, and one that is false nearly so: it is turned instead.
    if (isNode(own) && own["name"] === "undefined") continue;
    if (isNode(own) && own["value"] === false) {
      add(own.start, own.end, "true");
      continue;
    }
    const next = parts[index + 1];
    const before = parts[index - 1];
    if (next !== undefined) add(part.start, next.start, "");
    else if (before !== undefined) add(before.end, part.end, "");
  }
}

interface Copy {
  readonly parts: unknown;
  readonly source: string;
  readonly add: Add;
}

/** `[...list]` and `{...object}` become the original. */
function unwrapCopy(node: Node, { parts, source, add }: Copy): void {
  const [only, ...others] = nodesIn(parts);
  const argument = only?.["argument"];
  if (only?.type !== "SpreadElement" || others.length > 0 || !isNode(argument)) return;
  add(node.start, node.end, source.slice(argument.start, argument.end));
}

function unwrapConstructor(node: Node, source: string, add: Add): void {
  const { callee } = node;
  const [argument, ...others] = nodesIn(node["arguments"]);
  if (!isNode(callee) || argument === undefined || others.length > 0) return;
  // A list that is written there is nobody else's, so nothing is copied.
  if (argument.type === "ArrayExpression") return;
  if (copying.has(String(callee["name"])))
    add(node.start, node.end, source.slice(argument.start, argument.end));
}

function skipCall(node: Node, source: string, add: Add): void {
  const { callee } = node;
  const [argument] = nodesIn(node["arguments"]);
  if (!isNode(callee)) return;
  if (callee["name"] === "structuredClone" && argument !== undefined) {
    add(node.start, node.end, source.slice(argument.start, argument.end));
  }
  const { object, property } = callee;
  if (callee.type !== "MemberExpression" || !isNode(object) || !isNode(property)) return;
  const name = String(property["name"]);
  if (narrowing.has(name)) add(object.end, node.end, "");
  const other = opposite.get(name);
  if (other !== undefined) add(property.start, property.end, other);
}

function weaken(node: Node, source: string, add: Add): void {
  const { value } = node;
  const text = source.slice(node.start, node.end);
  const answer = typeof value === "string" ? weaker.get(value) : undefined;
  if (answer !== undefined) add(node.start, node.end, JSON.stringify(answer));
  // A private mode becomes one that everyone may use.
  if (/^0o[67]00$/u.test(text)) add(node.start, node.end, text === "0o600" ? "0o666" : "0o777");
}

/** Something is done and its end not awaited: what follows runs too early. */
function skipAwaited(node: Node, add: Add): void {
  const { argument } = node;
  if (isNode(argument) && argument.type === "CallExpression") {
    add(node.start, argument.start, "void ");
  }
}
