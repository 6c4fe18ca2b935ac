import { isNode, type Add, type Node } from "./replacements.ts";

const swaps = new Map([
  ["===", "!=="],
  ["!==", "==="],
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["&&", "||"],
  ["||", "&&"],
]);

/** One small change of an operator, a condition, a number, or a statement. */
export function mutateSyntax(node: Node, source: string, add: Add): void {
  const { left, right, operator, argument, test, value } = node;
  if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
    const swap = typeof operator === "string" ? swaps.get(operator) : undefined;
    if (swap !== undefined && typeof operator === "string" && isNode(left) && isNode(right)) {
      const at = source.indexOf(operator, left.end);
      if (at >= 0 && at < right.start) add(at, at + operator.length, swap);
    }
  } else if (node.type === "UnaryExpression" && operator === "!" && isNode(argument)) {
    add(node.start, argument.start, "");
  } else if (node.type === "IfStatement" && isNode(test)) {
    add(test.start, test.end, "false");
    add(test.start, test.end, "true");
  } else if (node.type === "Literal" && typeof value === "boolean") {
    add(node.start, node.end, String(!value));
  } else if (
    node.type === "Literal" &&
    typeof value === "number" &&
    Number.isInteger(value) &&
    value > 0
  ) {
    add(node.start, node.end, String(value + 1));
  } else if (node.type === "ThrowStatement") {
    add(node.start, node.end, ";");
  } else if (node.type === "ExpressionStatement" && isCall(node["expression"])) {
    add(node.start, node.end, ";");
  }
}

function isCall(value: unknown): boolean {
  if (!isNode(value)) return false;
  return value.type === "AwaitExpression"
    ? isCall(value["argument"])
    : value.type === "CallExpression";
}
