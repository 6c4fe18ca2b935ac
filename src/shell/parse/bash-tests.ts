import { at, type Reading } from "./bash-reading.ts";
import { readWord } from "./bash-words.ts";
import type { TestExpression } from "./unbash.ts";

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
      readWord(node.left, held);
      readWord(node.right, held);
      if (!numericTests.has(node.operator)) return;
      for (const word of [node.left, node.right]) {
        if (!/^-?\d+$/u.test(word.text)) {
          const name = /^"?\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})"?$|^([A-Za-z_]\w*)$/u.exec(
            word.text,
          );
          const named = name?.[1] ?? name?.[2] ?? name?.[3];
          held.hazards.push({
            because: "bash evaluates what it compares as numbers",
            span: at(word, held),
            ...(named === undefined ? {} : { numbers: [named] }),
          });
        }
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
