import type { Argument } from "../words/words.ts";
import { at, type Reading } from "./bash-reading.ts";
import { checkName, joinText, readWord } from "./bash-words.ts";
import type { Assignment } from "./syntax.ts";
import type { AssignmentPrefix, BashAssignment } from "./unbash.ts";

/** Reads an assignment, of one word or of the elements of an array; a subscript that bash evaluates is a hazard. */
export function readAssignment(node: AssignmentPrefix, held: Reading): Assignment {
  const span = at(node, held);
  const { index, value } = node;
  if (index !== undefined) {
    readWord(index, held);
    if (!/^\d+$/u.test(index.text)) {
      held.hazards.push({ because: "bash evaluates the subscript of an array", span });
    }
  }
  checkName(node.name, node, held);
  if (value.type === "Word") {
    const read = readWord(value, held);
    const isWhole = node.append !== true && index === undefined;
    return { name: node.name, whole: isWhole ? read : undefined, value: read, span };
  }
  const elements = value.elements.map((element) => {
    if (element.text.startsWith("[")) {
      held.hazards.push({ because: "bash evaluates the subscript of an array", span });
    }
    return readWord(element, held);
  });
  return {
    name: node.name,
    whole: undefined,
    value: { dynamic: "an array", pieces: [{ kind: "opaque" }], splits: false },
    elements,
    span,
  };
}

/** Assignment before a command, whose value is one word: patterns and braces in it are literal characters. */
export function plainValue(assignment: Assignment): Assignment {
  const { value } = assignment;
  if (typeof value === "string") return assignment;
  const texts = value.pieces.map((piece) =>
    typeof piece !== "string" && piece.kind === "pattern" && !/["'\\]/u.test(piece.text)
      ? piece.text
      : piece,
  );
  const [only] = joinText(texts);
  const isPlain = texts.every((piece) => typeof piece === "string");
  if (!isPlain) return assignment;
  const plain = typeof only === "string" ? only : "";
  return {
    ...assignment,
    value: plain,
    whole: assignment.whole === undefined ? undefined : plain,
  };
}

/** Reads `name=value` after a command's name: an assignment for `export` and similar builtins, otherwise a word. */
export function readAssignmentWord(node: BashAssignment, held: Reading): Argument {
  const { name, value } = readAssignment(node, held);
  const start =
    node.index === undefined ? `${name}${node.append === true ? "+" : ""}=` : `${name}[`;
  if (typeof value === "string" && node.index === undefined) return start + value;
  const pieces = typeof value === "string" ? [value] : value.pieces;
  const dynamic = typeof value === "string" ? "an array subscript" : value.dynamic;
  // For a program this is an ordinary word, so an unquoted variable in it is split.
  const splits = typeof value !== "string" && value.splits;
  return { dynamic, pieces: [start, ...pieces], splits };
}
