import { at, type Reading } from "./bash-reading.ts";
import { readWord } from "./bash-words.ts";
import type { Argument } from "./syntax.ts";
import type { BashWord, TestExpression } from "./unbash.ts";

const numericTests = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

export function readTest(node: TestExpression, held: Reading): void {
  switch (node.type) {
    case "TestUnary":
      readWord(node.operand, held);
      if ((node.operator === "-v" || node.operator === "-R") && !/^\w+$/u.test(node.operand.text)) {
        held.hazards.push({
          because: "bash evaluates a name that is tested",
          span: at(node, held),
        });
      }
      return;
    case "TestBinary":
      for (const word of [node.left, node.right]) {
        const value = readWord(word, held);
        if (numericTests.has(node.operator)) noteNumber(word, value, held);
      }
      return;
    case "TestLogical":
      for (const operand of node.operands) readTest(operand, held);
      return;
    case "TestNot":
      readTest(node.operand, held);
      return;
    case "TestGroup":
      readTest(node.expression, held);
      return;
  }
}

/** Reports a word that bash evaluates as an arithmetic expression, unless it is certainly a number. */
function noteNumber(word: BashWord, value: Argument, held: Reading): void {
  if (/^-?\d+$/u.test(word.text)) return;
  const name = /^"?\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})"?$|^([A-Za-z_]\w*)$/u.exec(word.text);
  const named = name?.[1] ?? name?.[2] ?? name?.[3];
  const pieces = typeof value === "string" ? [] : value.pieces;
  const only = pieces.length === 1 ? pieces[0] : undefined;
  const gap = typeof only === "object" ? only : undefined;
  if (gap?.kind === "number") return;
  held.hazards.push({
    because: "bash evaluates what it compares as numbers",
    span: at(word, held),
    ...(named === undefined ? {} : { numbers: [named] }),
    ...(gap?.kind === "output" ? { output: gap.script } : {}),
  });
}
