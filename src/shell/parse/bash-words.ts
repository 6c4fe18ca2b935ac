import { setsQuietly } from "../words/environment.ts";
import { at, readSubstitution, type Reading } from "./bash-reading.ts";
import type { Redirection } from "./syntax.ts";
import type {
  ArithmeticExpression,
  BashRedirection,
  BashWord,
  DoubleQuotedChild,
  ParameterExpansionPart,
  WordPart,
} from "./unbash.ts";
import type { Argument, Gap } from "../words/words.ts";

type Piece = string | Gap;

/** Checks a name that a loop or an assignment sets: bash evaluates any name that is not plain. */
export function checkName(name: string, node: { pos: number; end: number }, held: Reading): void {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) return;
  held.hazards.push({ because: `bash evaluates the name ${name}`, span: at(node, held) });
}

/** Checks the variable of a loop, which is set repeatedly: it is plain only if no program obeys it. */
export function checkSet(name: string, node: { pos: number; end: number }, held: Reading): void {
  if (setsQuietly(name) || !/^\w+$/u.test(name)) return;
  held.hazards.push({ because: `it sets ${name}, which programs may obey`, span: at(node, held) });
}

export function readRedirect(node: BashRedirection, held: Reading): Redirection {
  const span = at(node, held);
  const descriptor = node.descriptor?.type === "FileDescriptor" ? node.descriptor.value : undefined;
  if (node.descriptor?.type === "FileDescriptorVariable") {
    // Bash stores the descriptor in this variable, and evaluates its subscript if there is one.
    checkName(node.descriptor.name, node.descriptor, held);
    checkSet(node.descriptor.name, node.descriptor, held);
    held.sets.push({ name: node.descriptor.name, isNumber: false });
  }
  if (node.type === "HereDoc") {
    const { parts, text } = node.body;
    const pieces: Piece[] = [];
    let dynamic = "";
    for (const part of parts ?? []) dynamic = readPart(part, pieces, held) ?? dynamic;
    const strip = node.operator === "<<-";
    const whole = strip ? text.replace(/^\t+/gmu, "") : text;
    const quoted = node.delimiter?.quoted === true;
    // In a body without quoting bash removes backslashes, so only a plain body is literal.
    const plain = quoted || (dynamic === "" && !text.includes("\\") && !/[$`]/u.test(text));
    const target: Argument = plain
      ? whole
      : {
          dynamic: dynamic === "" ? "a here-document bash still edits" : dynamic,
          pieces: [{ kind: "opaque" }],
          splits: false,
        };
    return { operator: "<<", descriptor, target, span };
  }
  const target = node.target === undefined ? "" : readWord(node.target, held);
  return { operator: node.operator, descriptor, target, span };
}

const plainWord = /^[A-Za-z0-9_./:,%^@+-][A-Za-z0-9_./:,%^@=#+-]*$/u;

export function readWord(word: BashWord, held: Reading): Argument {
  const { text } = word;
  if (plainWord.test(text)) return text;
  // No user writes such a long pattern, and parsing it is slow; code inside it would need one of these characters.
  if (text.length > 4096 && !/[$`'"\\<>]/u.test(text)) {
    return { dynamic: "a very long pattern", pieces: [{ kind: "opaque" }], splits: true };
  }
  // Next to a dollar sign the parser does not join continued lines, so such a word is unknown.
  const joined = text.includes("\\\n") && text.includes("$");
  const pieces: Piece[] = [];
  let dynamic: string | undefined;
  let splits = false;
  for (const part of word.parts ?? []) {
    const before = pieces.length;
    dynamic = readPart(part, pieces, held) ?? dynamic;
    if (pieces.length > before || part.type === "DoubleQuoted") splits ||= mayBecomeSeveral(part);
  }
  if (word.parts === undefined) pieces.push(word.value);
  if (joined) {
    return {
      dynamic: "a line joined inside an expansion",
      pieces: [{ kind: "opaque" }],
      splits: true,
    };
  }
  if (text.startsWith("~")) dynamic = readTilde(text, pieces) ?? dynamic;
  else if (/^[A-Za-z_]\w*\+?=(?:.*:)?~/u.test(text)) {
    return { dynamic: "a home directory after =", pieces: [{ kind: "opaque" }], splits: false };
  }
  const joinedPieces = joinText(pieces);
  const [whole] = joinedPieces;
  if (dynamic !== undefined) return { dynamic, pieces: joinedPieces, splits };
  return typeof whole === "string" ? whole : "";
}

/** Joins adjacent texts of a word. */
export function joinText(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (typeof piece === "string" && typeof last === "string") out[out.length - 1] = last + piece;
    else if (piece !== "") out.push(piece);
  }
  return out;
}

function readTilde(text: string, pieces: Piece[]): string | undefined {
  const [first] = pieces;
  if (typeof first !== "string" || !first.startsWith("~")) return undefined;
  const name = /^~[^/]*/u.exec(text)?.[0] ?? "~";
  if (name === "~") {
    pieces.splice(0, 1, { kind: "variable", name: "HOME" }, first.slice(1));
    return "a home directory";
  }
  // Quotes in the name disable the expansion; the parts then contain the text.
  if (/[\\'"]/u.test(name)) return undefined;
  pieces.splice(0, 1, { kind: "opaque" });
  return "another person's home directory";
}

/** Adds the content of a word part to `pieces`; returns the reason if it is unknown. */
function readPart(part: WordPart, pieces: Piece[], held: Reading): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      pieces.push(part.value);
      return undefined;
    case "AnsiCQuoted":
      // Bash ends the word at a NUL.
      pieces.push(part.value.split("\0", 1)[0] ?? "");
      return undefined;
    case "DoubleQuoted":
      return readQuoted(part.parts, pieces, held);
    case "LocaleString":
      readQuoted(part.parts, [], held);
      pieces.push({ kind: "opaque" });
      return "a translated string";
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion": {
      for (const inner of part.parts ?? []) readPart(inner, [], held);
      const fixed = (part.parts ?? []).every((inner) => !holdsExpansion(inner));
      pieces.push(fixed ? { kind: "pattern", text: part.text } : { kind: "opaque" });
      return part.type === "BraceExpansion" ? "braces" : "a file name pattern";
    }
    case "SimpleExpansion": {
      pieces.push(
        /^\$[#?$]$/u.test(part.text)
          ? { kind: "number", signed: false }
          : { kind: "variable", name: part.text.slice(1) },
      );
      return `the variable ${part.text}`;
    }
    case "ParameterExpansion":
      return readParameter(part, pieces, held);
    case "CommandExpansion":
    case "ProcessSubstitution": {
      const script = readSubstitution(part, held);
      if (part.type === "ProcessSubstitution") {
        const isInput = part.operator === "<" && script !== undefined;
        pieces.push(isInput ? { kind: "stream", script } : { kind: "stream" });
      } else pieces.push(script === undefined ? { kind: "opaque" } : { kind: "output", script });
      return "the output of a command";
    }
    case "ArithmeticExpansion":
      pieces.push({ kind: "number", signed: true });
      if (part.expression !== undefined) readArithmetic(part.expression, held);
      else
        held.hazards.push({ because: "arithmetic that could not be read", span: at(part, held) });
      return "the result of arithmetic";
  }
}

function holdsExpansion(part: WordPart): boolean {
  return !["Literal", "Glob", "SingleQuoted", "ExtendedGlob", "BraceExpansion"].includes(part.type);
}

function readQuoted(
  parts: readonly DoubleQuotedChild[],
  pieces: Piece[],
  held: Reading,
): string | undefined {
  let dynamic: string | undefined;
  for (const child of parts) {
    const before = held.scripts.length;
    const length = pieces.length;
    const why = readPart(child, pieces, held);
    const text = child.type === "CommandExpansion" ? printedText(held, before) : undefined;
    if (text === undefined) dynamic = why ?? dynamic;
    else pieces.splice(length, 1, text);
  }
  return dynamic;
}

/** Output of `cat` for a literal here-document, a common way to write a word of several lines. */
function printedText(held: Reading, before: number): string | undefined {
  const script = held.scripts[before];
  if (held.scripts.length !== before + 1 || script?.kind !== "subshell") return undefined;
  const { body } = script;
  if (body.kind !== "command" || body.inside !== undefined || body.assigns.length > 0)
    return undefined;
  const [redirect, ...others] = body.redirects;
  if (body.words.length !== 1 || body.words[0] !== "cat" || others.length > 0) return undefined;
  if (redirect?.operator !== "<<" || (redirect.descriptor ?? 0) !== 0) return undefined;
  const { target } = redirect;
  if (typeof target !== "string" || target.includes("\0") || held.redefines()) return undefined;
  return target.replace(/\n+$/u, "");
}

/** Whether the shell may expand this part to several words, or none. */
function mayBecomeSeveral(part: WordPart): boolean {
  if (part.type === "DoubleQuoted") {
    return part.parts.some(
      (child) =>
        (child.type === "SimpleExpansion" && child.text === "$@") ||
        (child.type === "ParameterExpansion" && /[@*]/u.test(child.text)),
    );
  }
  const expands =
    part.type === "SimpleExpansion" ||
    part.type === "ParameterExpansion" ||
    part.type === "CommandExpansion" ||
    part.type === "LocaleString";
  return expands && !/^\$[#?$]$/u.test(part.text);
}

function readParameter(part: ParameterExpansionPart, pieces: Piece[], held: Reading): string {
  const { index, operation, parameter, prefix } = part;
  const span = at(part, held);
  const hazard = (because: string): void => {
    held.hazards.push({ because, span });
  };
  const plain = index === undefined && operation === undefined && prefix === undefined;
  const isLength = prefix === "#" && operation === undefined;
  if (plain) pieces.push({ kind: "variable", name: parameter });
  else pieces.push(isLength ? { kind: "number", signed: false } : { kind: "opaque" });
  if (index !== undefined) {
    readWord(index, held);
    if (!/^(?:\d+|[@*])$/u.test(index.text)) hazard("bash evaluates the subscript of an array");
  }
  if (prefix === "!" && operation?.type !== "Names")
    hazard("an indirect variable may be evaluated");
  if (operation === undefined) return `the variable ${part.text}`;
  switch (operation.type) {
    case "Default":
      readWord(operation.operand, held);
      if (operation.operator.endsWith("=")) {
        checkSet(parameter, part, held);
        held.sets.push({ name: parameter, isNumber: false });
      }
      break;
    case "Remove":
      readWord(operation.operand, held);
      break;
    case "Replace":
      readWord(operation.pattern, held);
      readWord(operation.replacement, held);
      break;
    case "Slice":
      for (const word of [operation.offset, operation.length]) {
        if (word === undefined) continue;
        readWord(word, held);
        if (!/^\s*-?\d+\s*$/u.test(word.text)) hazard("bash evaluates the offset of a slice");
      }
      break;
    case "CaseModification":
      if (operation.operand !== undefined) readWord(operation.operand, held);
      break;
    case "Transform":
      if (!/^[QUuLKkAa]$/u.test(operation.operand.text)) hazard("bash runs the value as a prompt");
      break;
    case "Names":
      break;
    case "Unknown":
      hazard("an expansion that is not known");
      break;
  }
  return `the variable ${part.text}`;
}

function isPlainName(node: ArithmeticExpression): boolean {
  return node.type === "ArithmeticWord" && /^[A-Za-z_]\w*$/u.test(node.value);
}

function noteSet(node: ArithmeticExpression, held: Reading): void {
  if (node.type !== "ArithmeticWord") return;
  checkSet(node.value, node, held);
  held.sets.push({ name: node.value, isNumber: isPlainName(node) });
}

/** Reads the initial expression of a counting loop, which only sets its variable. */
export function readInitial(node: ArithmeticExpression, held: Reading): void {
  if (node.type === "ArithmeticBinary" && node.operator === "=" && isPlainName(node.left)) {
    readArithmetic(node.right, held);
    noteSet(node.left, held);
  } else readArithmetic(node, held);
}

const number = /^(?:\d+|0[xX][0-9a-fA-F]+|\d+#[0-9a-zA-Z]+)$/u;

/** Reads an arithmetic expression; bash evaluates its variables like code, so only numbers are certain. */
export function readArithmetic(node: ArithmeticExpression, held: Reading): void {
  switch (node.type) {
    case "ArithmeticWord": {
      if (number.test(node.value)) return;
      const pieces: Piece[] = [];
      for (const part of node.parts ?? []) readPart(part, pieces, held);
      // The word may contain more than a name, such as a subscript.
      const [only] = pieces;
      const isExpanded =
        pieces.length === 1 && typeof only === "object" && node.parts?.length === 1;
      const name = /^\$?([A-Za-z_]\w*)$|^\$\{([A-Za-z_]\w*)\}$/u.exec(node.value);
      const named = name?.[1] ?? name?.[2];
      if (named === undefined && isExpanded && only?.kind === "number") return;
      held.hazards.push({
        because: `bash evaluates ${node.value} in arithmetic`,
        span: at(node, held),
        ...(named === undefined ? {} : { numbers: [named] }),
        ...(isExpanded && only?.kind === "output" ? { output: only.script } : {}),
      });
      return;
    }
    case "ArithmeticCommandExpansion": {
      const script = readSubstitution(node, held);
      held.hazards.push({
        because: "bash evaluates a command's output in arithmetic",
        span: at(node, held),
        ...(script === undefined ? {} : { output: script }),
      });
      return;
    }
    case "ArithmeticBinary":
      readArithmetic(node.left, held);
      readArithmetic(node.right, held);
      if (/^(?:[-+*/%&|^]|<<|>>)?=$/u.test(node.operator)) noteSet(node.left, held);
      return;
    case "ArithmeticUnary":
      readArithmetic(node.operand, held);
      if (node.operator === "++" || node.operator === "--") noteSet(node.operand, held);
      return;
    case "ArithmeticGroup":
      readArithmetic(node.expression, held);
      return;
    case "ArithmeticTernary":
      readArithmetic(node.test, held);
      readArithmetic(node.consequent, held);
      readArithmetic(node.alternate, held);
      return;
  }
}
