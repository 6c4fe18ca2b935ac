import { isBashVariable } from "./environment.ts";
import { printedWord, printsCount, printsPlainWords } from "./outputs.ts";
import type { Hazard, Inside, ShellNode, VariableSet } from "../parse/syntax.ts";
import {
  alternatives,
  dropLeading,
  isDigits,
  leadingText,
  wordOf,
  type Argument,
  type Gap,
  type DynamicWord,
} from "./words.ts";

/** Values of shell variables at one position of the text; a variable not listed may have any value. */
export type Variables = Map<string, Argument>;

const number: DynamicWord = {
  dynamic: "a count",
  pieces: [{ kind: "number", signed: true }],
  splits: false,
};

const count: DynamicWord = { ...number, pieces: [{ kind: "number", signed: false }] };

/** Commands after which a name may mean anything, or a variable may have any value. */
const unsettling =
  /^(?:eval|source|\.|alias|unalias|enable|trap|builtin|shopt|exec|let|coproc|command|hash)$/u;
const declaring = /^(?:export|declare|typeset|local)$/u;
// `local` sets nothing outside a function, and a text that defines a function is not followed.
const assigning = /^(?:local|read|mapfile|readarray|getopts|unset|printf|wait|select)$/u;

/**
 * Whether variable values can be followed through a text: it defines no function, evaluates nothing and changes
 * neither word splitting nor the meaning of names.
 */
export function isFollowable(node: ShellNode): boolean {
  switch (node.kind) {
    case "command": {
      const [name, first] = node.words;
      if (!(node.inside?.scripts.every(isFollowable) ?? true)) return false;
      if (name === undefined) return node.assigns.every((each) => each.name !== "IFS");
      if (typeof name !== "string") return false;
      // A later assignment to a read-only variable fails, and the script continues with the first value.
      if (name === "readonly") return false;
      if (name === "command" && (first === "-v" || first === "-V")) return true;
      if (mayAssignAny(name, node.words.slice(1))) return false;
      if (declaring.test(name))
        return node.words.every((word) => !/^[-+]/u.test(leadingText(word)));
      return !unsettling.test(name);
    }
    case "list":
    case "chain":
    case "pipe":
      return node.parts.every(isFollowable);
    case "subshell":
      return isFollowable(node.body);
    case "branch":
      return node.arms.every(
        ([condition, body]) =>
          (condition === undefined || isFollowable(condition)) && isFollowable(body),
      );
    case "loop":
      return (
        (node.condition === undefined || isFollowable(node.condition)) && isFollowable(node.body)
      );
    case "function":
      return false;
    case "redirected":
      return isFollowable(node.body) && (node.inside?.scripts.every(isFollowable) ?? true);
    case "words":
      return node.inside.scripts.every(isFollowable);
  }
}

/** Whether a builtin assigns a variable whose name is not written out, so that it may be any. */
function mayAssignAny(name: string, args: readonly Argument[]): boolean {
  const isLoose = args.some((word) => typeof word !== "string");
  if (!isLoose || name === "local" || name === "printf") return false;
  if (declaring.test(name)) {
    return args.some(
      (word) => typeof word !== "string" && !/^[A-Za-z_]\w*\+?=/u.test(leadingText(word)),
    );
  }
  return assigning.test(name);
}

/** Word with the known values of its variables substituted. */
export function resolveWord(word: Argument, variables: Variables | undefined): Argument {
  if (typeof word === "string" || variables === undefined) return word;
  let hasChanged = false;
  let splits = false;
  const pieces: (string | Gap)[] = [];
  for (const piece of word.pieces) {
    const value = typeof piece === "string" ? undefined : valueOf(piece, word, variables);
    const matched = word.splits ? patternIn(value) : undefined;
    if (matched !== undefined) {
      hasChanged = true;
      pieces.push(...matched);
      continue;
    }
    // A value that the shell would split into several words is treated as unknown.
    if (value === undefined || (word.splits && !isUncut(value))) {
      pieces.push(piece);
      splits ||=
        word.splits &&
        typeof piece !== "string" &&
        /^(?:variable|output|opaque|found|match|among)$/u.test(piece.kind);
      continue;
    }
    hasChanged = true;
    pieces.push(...(typeof value === "string" ? [value] : value.pieces));
  }
  return hasChanged ? wordOf(pieces, { dynamic: word.dynamic, splits }) : word;
}

function valueOf(piece: Gap, word: DynamicWord, variables: Variables): Argument | undefined {
  if (piece.kind === "variable") return variables.get(piece.name);
  if (piece.kind !== "output") return undefined;
  const resolve = (each: Argument): Argument => resolveWord(each, variables);
  const isAlone = word.pieces.length === 1;
  return (
    (isAlone && word.splits ? printsPlainWords(piece.script, resolve) : undefined) ??
    printedWord(piece.script, resolve)
  );
}

/** Pieces of an unquoted value that the shell matches with file names, as those of a word that is written out. */
function patternIn(value: Argument | undefined): readonly (string | Gap)[] | undefined {
  if (typeof value !== "string" || !/^[^\s\\~(]*[*?[][^\s\\~(]*$/u.test(value)) return undefined;
  const parts = value.split(/([*?]|\[[^\]]*\])/u);
  const pieces = parts.map((text, index): string | Gap =>
    index % 2 === 1 ? { kind: "pattern", text } : text,
  );
  // A bracket without its end is a character, or not, depending on the shell.
  if (parts.some((text, index) => index % 2 === 0 && text.includes("["))) return undefined;
  return pieces.filter((piece) => piece !== "");
}

/** Whether the shell keeps an unquoted value as one word. */
function isUncut(value: Argument): boolean {
  return (alternatives(value) ?? [value]).every((each) =>
    typeof each === "string"
      ? /^[^\s*?[\]\\~]+$/u.test(each)
      : each.pieces.every((piece) =>
          typeof piece === "string"
            ? /^[^\s*?[\]\\~]+$/u.test(piece)
            : piece.kind === "number" || piece.kind === "token",
        ),
  );
}

export function setVariable(
  variables: Variables | undefined,
  name: string,
  value: Argument | undefined,
): void {
  if (variables === undefined) return;
  const isKnown =
    value !== undefined &&
    name.length <= maxName &&
    !isBashVariable(name) &&
    (typeof value === "string" || (!value.splits && value.pieces.every(isSettled))) &&
    sizeOf(value) <= maxValue;
  if (isKnown) variables.set(name, value);
  else variables.delete(name);
}

/** Maximum characters of the name of a variable that is followed. */
const maxName = 255;

/** Maximum characters of a text in a value that is followed, and of all its texts: each use repeats them. */
const maxText = 1024;
const maxValue = 8192;

/** Characters and gaps of a value, with all words that it may be; infinite where one text is too long. */
function sizeOf(value: Argument): number {
  const pieces = typeof value === "string" ? [value] : value.pieces;
  return pieces.reduce((size: number, piece) => {
    if (typeof piece === "string") return piece.length > maxText ? Infinity : size + piece.length;
    const words = piece.kind === "among" ? piece.words : piece.kind === "found" ? piece.below : [];
    return words.reduce((sum, word) => sum + sizeOf(word), size + 1);
  }, 0);
}

/** Whether a piece has the same value at every later position. */
function isSettled(piece: string | Gap): boolean {
  return typeof piece === "string" || /^(?:number|token|match|found|among)$/u.test(piece.kind);
}

/** Value that an assignment gives to a variable: without word splitting and pathname expansion. */
export function assignedValue(
  value: Argument | undefined,
  variables: Variables | undefined,
): Argument | undefined {
  if (value === undefined || typeof value === "string") return value;
  const resolved = resolveWord({ ...value, splits: false }, variables);
  return typeof resolved === "string" ? resolved : { ...resolved, splits: false };
}

/** Names that a word may contain: itself, or any text after option letters, as in `read -aname`. */
function namesIn(word: string): readonly string[] {
  if (!word.startsWith("-")) return [/^\w+/u.exec(word)?.[0] ?? word];
  const first = Math.max(1, word.length - maxName);
  return Array.from({ length: word.length - first }, (_name, index) => word.slice(first + index));
}

/** Records what a shell builtin does to variables. */
export function noteBuiltin(words: readonly Argument[], variables: Variables | undefined): void {
  const [name, ...args] = words;
  if (variables === undefined || typeof name !== "string") return;
  if (assigning.test(name)) {
    for (const word of args) {
      if (typeof word === "string") for (const each of namesIn(word)) variables.delete(each);
      else if (name !== "printf" && name !== "wait") variables.clear();
    }
  }
  if (!declaring.test(name) || name === "local") return;
  for (const word of args) {
    const match = /^([A-Za-z_]\w*)(\+?)=/u.exec(leadingText(word));
    if (match?.[1] === undefined) continue;
    const value = dropLeading(word, match[0].length);
    setVariable(
      variables,
      match[1],
      match[2] === "+" ? undefined : assignedValue(value, variables),
    );
  }
}

export function noteSets(sets: readonly VariableSet[], variables: Variables | undefined): void {
  for (const set of sets) setVariable(variables, set.name, set.isNumber ? number : undefined);
}

/** Whether a hazard is impossible because everything it evaluates is a number. */
export function isSettledHazard(
  { numbers, output }: Hazard,
  variables: Variables | undefined,
): boolean {
  if (variables === undefined || (numbers === undefined && output === undefined)) return false;
  if (output !== undefined && !printsCount(output)) return false;
  return (numbers ?? []).every((name) => isNumber(variables.get(name)));
}

function isNumber(value: Argument | undefined): boolean {
  if (value === undefined) return false;
  return (alternatives(value) ?? [value]).every((each) =>
    typeof each === "string" ? /^-?\d+$/u.test(each) : isDigits(each),
  );
}

interface Assigned {
  readonly name: string;
  readonly isNumber: boolean;
}

function ofInside(inside: Inside | undefined): readonly Assigned[] {
  return inside?.sets ?? [];
}

/** Variables that a part of a script may set in the shell that runs it. */
function assignedIn(node: ShellNode): Assigned[] {
  switch (node.kind) {
    case "command": {
      const [name, ...args] = node.words;
      const own: Assigned[] =
        name === undefined
          ? node.assigns.map((each) => ({ name: each.name, isNumber: isNumber(each.whole) }))
          : typeof name === "string" && (assigning.test(name) || declaring.test(name))
            ? args
                .flatMap((word) => namesIn(leadingText(word)))
                .map((each) => ({ name: each, isNumber: false }))
            : [];
      return [...own, ...ofInside(node.inside)];
    }
    case "list":
    case "chain":
      return node.parts.flatMap(assignedIn);
    case "pipe":
    case "subshell":
    case "function":
      return [];
    case "branch":
      return node.arms.flatMap(([condition, body]) => [
        ...(condition === undefined ? [] : assignedIn(condition)),
        ...assignedIn(body),
      ]);
    case "loop":
      return [
        ...(node.each === undefined ? [] : [{ name: node.each.name, isNumber: false }]),
        ...(node.condition === undefined ? [] : assignedIn(node.condition)),
        ...assignedIn(node.body),
      ];
    case "redirected":
      return [...ofInside(node.inside), ...assignedIn(node.body)];
    case "words":
      return [...ofInside(node.inside)];
  }
}

/** Forgets variables that a loop sets, as an iteration starts with another's values. A count stays a count. */
export function beginLoop(node: ShellNode, variables: Variables | undefined): void {
  if (variables === undefined) return;
  const counters = new Map<string, boolean>();
  for (const { name, isNumber: counts } of assignedIn(node)) {
    counters.set(name, counts && counters.get(name) !== false);
  }
  for (const [name, counts] of counters) {
    if (counts && isNumber(variables.get(name))) variables.set(name, number);
    else variables.delete(name);
  }
}

/** Leaves in `into` the values that are valid after any of the branches `ends`. */
export function joinVariables(
  into: Variables | undefined,
  ends: readonly (Variables | undefined)[],
): void {
  if (into === undefined) return;
  const names = new Set(ends.flatMap((each) => [...(each?.keys() ?? [])]));
  for (const name of into.keys()) if (!names.has(name)) into.delete(name);
  for (const name of names) {
    const values = ends.map((each) => each?.get(name));
    const known = values.filter((value) => value !== undefined);
    const [first] = known;
    if (first === undefined || known.length < values.length) {
      into.delete(name);
      continue;
    }
    const same = known.every((value) => JSON.stringify(value) === JSON.stringify(first));
    setVariable(into, name, same ? first : among(known));
  }
}

function among(words: readonly Argument[]): Argument {
  return { dynamic: "one of a few words", pieces: [{ kind: "among", words }], splits: false };
}

/** Maximum number of words of a loop that are distinguished. */
const maxWords = 32;

/** Value of the variable of a loop over words; undefined if unknown. */
export function loopValue(
  words: readonly Argument[] | undefined,
  variables: Variables | undefined,
): Argument | undefined {
  if (words === undefined || variables === undefined) return undefined;
  const values: Argument[] = [];
  for (const word of words) {
    const expanded = expandedWord(resolveWord(word, variables));
    if (expanded === undefined) return undefined;
    values.push(...expanded);
  }
  const [only] = values;
  if (values.length <= 1) return only;
  return values.length > maxWords ? undefined : among(values);
}

/** Words that one word of a list expands to: braces are expanded, and a pattern becomes one name that it matches. */
function expandedWord(word: Argument): readonly Argument[] | undefined {
  if (typeof word === "string") return [word];
  if (word.splits) return undefined;
  const [only] = word.pieces;
  if (word.pieces.length === 1 && typeof only === "object" && only.kind === "pattern") {
    if (/^\{\d+\.\.\d+(?:\.\.\d+)?\}$/u.test(only.text)) return [count];
    const list = /^\{([\w./-]+(?:,[\w./-]+)+)\}$/u.exec(only.text)?.[1];
    if (list !== undefined && !list.includes("..")) return list.split(",");
  }
  const pieces = word.pieces.map((piece): string | Gap => {
    if (typeof piece === "string" || piece.kind !== "pattern") return piece;
    return /^(?:[*?]+|\[[^\]]*\]|\{[\w.,*-]+\})$/u.test(piece.text)
      ? { kind: "match", text: piece.text }
      : { kind: "opaque" };
  });
  return pieces.every(isSettled) ? [{ ...word, pieces }] : undefined;
}
