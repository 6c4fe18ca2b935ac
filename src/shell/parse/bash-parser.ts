import type { Span } from "../../core/index.ts";
import {
  at,
  deeper,
  holding,
  insideOf,
  Refusal,
  wholeText,
  type Reading,
  type TextOrigin,
} from "./bash-reading.ts";
import { plainValue, readAssignment, readAssignmentWord } from "./bash-assignments.ts";
import { readTest } from "./bash-tests.ts";
import {
  checkName,
  checkSet,
  readArithmetic,
  readInitial,
  readRedirect,
  readWord,
} from "./bash-words.ts";
import type { Assignment, ParsedScript, Redirection, ShellNode } from "./syntax.ts";
import {
  forEachChild,
  parse,
  type BashScript,
  type Command,
  type CompoundList,
  type Statement,
  type SyntaxNode,
} from "./unbash.ts";
import type { Argument } from "../words/words.ts";

/** Maximum number of commands in a script; a longer script is refused. */
export const maxCommands = 256;

type StructureNode = Statement["command"] | CompoundList | BashScript;

/**
 * Parses bash text into this layer's own tree, or refuses it: a text that has a syntax error at any depth, is nested
 * too deeply or has too many commands is never partly accepted.
 *
 * `origin` is the position of a text that is itself a word of another command.
 */
export function parseBash(text: string, origin: TextOrigin = wholeText): ParsedScript {
  const count = { commands: 0 };
  try {
    const tree = parse(text);
    let redefines: boolean | undefined;
    const reading: Reading = {
      ...origin,
      text,
      count,
      // The text of a nested script does not show what the outer script has redefined.
      redefines: () => origin !== wholeText || (redefines ??= redefinesNames(tree)),
      depth: 0,
      script: readScript,
      scripts: [],
      hazards: [],
      sets: [],
    };
    return { kind: "script", root: readScript(tree, reading), commands: count.commands };
  } catch (error) {
    const { fixed, offset } = origin;
    const span = fixed ?? { start: offset, end: offset + text.length };
    if (error instanceof Refusal) {
      return { kind: "refused", because: error.message, span: error.span };
    }
    return { kind: "refused", because: "the text could not be parsed", span };
  }
}

/** Quoted parts of the text, in which unusual characters are data and not separators. */
export function quotedSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "CommandExpansion" && node.script?.source !== undefined) return;
    if (node.type === "SingleQuoted" || node.type === "AnsiCQuoted") {
      spans.push({ start: node.pos, end: node.end });
    } else if (node.type === "DoubleQuoted") {
      for (const child of node.parts) {
        if (child.type === "Literal") spans.push({ start: child.pos, end: child.end });
      }
    } else if (node.type === "HereDocBody" && node.parts === undefined) {
      spans.push({ start: node.pos, end: node.end });
    }
    forEachChild(node, visit);
  };
  visit(parse(text));
  return spans;
}

const redefining = /^(?:eval|source|\.|alias|enable|hash|exec|shopt|trap|command|builtin)$/u;

/** Whether a script defines a function, or runs a command that could define one. */
function redefinesNames(tree: BashScript): boolean {
  let found = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Function") found = true;
    else if (node.type === "Command") {
      const name = node.name;
      if (name !== undefined && (name.value !== name.text || redefining.test(name.value)))
        found = true;
      // An assignment, for example to PATH, may make the name refer to another program.
      if (node.prefix.some((item) => item.type === "Assignment")) found = true;
    }
    if (!found) forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function readScript(script: BashScript, reading: Reading): ShellNode {
  const error = script.errors?.[0];
  if (error !== undefined) {
    const start = Math.min(error.pos, script.end);
    throw new Refusal(
      `bash could not parse this: ${error.message}`,
      at({ pos: start, end: Math.max(start + 1, script.end) }, reading),
    );
  }
  return readStatements(script.commands, reading);
}

function readStatements(statements: readonly Statement[], reading: Reading): ShellNode {
  const parts = statements.map((statement): ShellNode => {
    const body = readNode(statement.command, reading);
    return statement.background === true ? { kind: "subshell", body } : body;
  });
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "list", parts };
}

function readNode(node: StructureNode, reading: Reading): ShellNode {
  switch (node.type) {
    case "Command":
      return readCommand(node, reading);
    case "Script":
      return readScript(node, reading);
    case "CompoundList":
      return readStatements(node.commands, reading);
    case "Pipeline": {
      const parts = node.commands.map((command) => readNode(command, reading));
      const [only] = parts;
      return parts.length === 1 && only !== undefined ? only : { kind: "pipe", parts };
    }
    case "AndOr":
      return {
        kind: "chain",
        parts: node.commands.map((command) => readNode(command, reading)),
        operators: node.operators,
      };
    case "Subshell":
      return { kind: "subshell", body: readNode(node.body, deeper(reading, node)) };
    case "BraceGroup":
      return readNode(node.body, deeper(reading, node));
    case "Redirected": {
      const held = holding(reading);
      const redirects = node.redirects.map((redirect) => readRedirect(redirect, held));
      const body = readNode(node.command, reading);
      return { kind: "redirected", body, redirects, inside: insideOf(held) };
    }
    case "If":
    case "Case":
      return readBranch(node, deeper(reading, node));
    case "While": {
      const inner = deeper(reading, node);
      const condition = readNode(node.clause, inner);
      return { kind: "loop", condition, body: readNode(node.body, inner) };
    }
    case "For":
    case "Select":
      return readEach(node, deeper(reading, node));
    case "ArithmeticFor": {
      const first = holding(reading);
      if (node.initialize !== undefined) readInitial(node.initialize, first);
      const held = holding(reading);
      for (const part of [node.test, node.update]) {
        if (part !== undefined) readArithmetic(part, held);
      }
      const body = readNode(node.body, deeper(reading, node));
      return afterWords(first, {
        kind: "loop",
        condition: undefined,
        body: afterWords(held, body),
      });
    }
    case "Function": {
      const body = readNode(node.body, deeper(reading, node));
      return { kind: "function", name: node.name.text, body, span: at(node, reading) };
    }
    case "Coproc": {
      const held = holding(reading);
      if (node.name !== undefined) {
        checkName(node.name.text, node.name, held);
        checkSet(node.name.text, node.name, held);
        held.sets.push({ name: node.name.text, isNumber: false });
      }
      const body = readNode(node.body, deeper(reading, node));
      return afterWords(held, { kind: "subshell", body });
    }
    case "TestCommand": {
      const held = holding(reading);
      readTest(node.expression, held);
      return { kind: "words", inside: held };
    }
    case "ArithmeticCommand": {
      const held = holding(reading);
      if (node.expression !== undefined) readArithmetic(node.expression, held);
      else if (node.body.trim() !== "") {
        held.hazards.push({
          because: "arithmetic that could not be read",
          span: at(node, reading),
        });
      }
      return { kind: "words", inside: held };
    }
  }
}

function afterWords(held: Reading, node: ShellNode): ShellNode {
  const inside = insideOf(held);
  if (inside === undefined) return node;
  return { kind: "list", parts: [{ kind: "words", inside }, node] };
}

function readBranch(
  node: Extract<StructureNode, { type: "If" | "Case" }>,
  reading: Reading,
): ShellNode {
  const arms: (readonly [ShellNode | undefined, ShellNode])[] = [];
  if (node.type === "If") {
    arms.push([readNode(node.clause, reading), readNode(node.then, reading)]);
    for (const branch of node.elif) {
      arms.push([readNode(branch.clause, reading), readNode(branch.then, reading)]);
    }
    if (node.else !== undefined) arms.push([undefined, readNode(node.else, reading)]);
    return { kind: "branch", arms };
  }
  const held = holding(reading);
  readWord(node.word, held);
  const falling: number[] = [];
  for (const [index, item] of node.items.entries()) {
    for (const pattern of item.pattern) readWord(pattern, held);
    if (item.terminator !== undefined && item.terminator !== ";;") falling.push(index);
    arms.push([undefined, readNode(item.body, reading)]);
  }
  return afterWords(held, { kind: "branch", arms, falling });
}

function readEach(
  node: Extract<StructureNode, { type: "For" | "Select" }>,
  reading: Reading,
): ShellNode {
  const held = holding(reading);
  const expands = node.wordlist?.map((word) => readWord(word, held));
  checkName(node.name.text, node, held);
  checkSet(node.name.text, node, held);
  const body = readNode(node.body, reading);
  const words = node.type === "For" ? expands : undefined;
  const each = { name: node.name.text, words, expands, span: at(node, reading) };
  return afterWords(held, { kind: "loop", condition: undefined, body, each });
}

function readCommand(node: Command, reading: Reading): ShellNode {
  reading.count.commands++;
  if (reading.count.commands > maxCommands) {
    throw new Refusal(`there are more than ${maxCommands} commands`, at(node, reading));
  }
  checkGaps(node, reading);
  const held = holding(reading);
  const words: Argument[] = [];
  const spans: Span[] = [];
  const assigns: Assignment[] = [];
  const redirects: Redirection[] = [];
  for (const item of node.prefix) {
    if (item.type === "Assignment") assigns.push(plainValue(readAssignment(item, held)));
    else redirects.push(readRedirect(item, held));
  }
  if (node.name !== undefined) {
    words.push(readWord(node.name, held));
    spans.push(at(node.name, reading));
  }
  for (const item of node.suffix) {
    if (item.type === "Word") words.push(readWord(item, held));
    else if (item.type === "Assignment") words.push(readAssignmentWord(item, held));
    else {
      redirects.push(readRedirect(item, held));
      continue;
    }
    spans.push(at(item, reading));
  }
  const inside = insideOf(held);
  return { kind: "command", words, spans, assigns, redirects, inside, span: at(node, reading) };
}

/** Refuses text other than blanks between the parts of a command: the parser skips a parenthesis that bash rejects. */
function checkGaps(node: Command, reading: Reading): void {
  const parts = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  let end = node.pos;
  for (const part of parts) {
    if (!blanks.test(reading.text.slice(end, part.pos))) throw between(end, part.pos, reading);
    end = Math.max(end, part.end);
  }
  const behind = /^(?:[ \t]|\\\n)*\(/u.exec(reading.text.slice(end));
  if (behind !== null) throw between(end, end + behind[0].length, reading);
}

const blanks = /^(?:[ \t]|\\\n)*$/u;

function between(pos: number, end: number, reading: Reading): Refusal {
  return new Refusal("bash could not parse this: unexpected text", at({ pos, end }, reading));
}
