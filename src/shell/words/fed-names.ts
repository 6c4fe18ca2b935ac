import { findTest } from "./find-tests.ts";
import type { Resolve } from "./outputs.ts";
import type { CommandNode, Redirection, ShellNode } from "../parse/syntax.ts";
import { resolveWord, type Variables } from "./variables.ts";
import { leadingText, mayBeOption, type Argument } from "./words.ts";

/** File names that one command writes to the input of another. */
export interface FedNames {
  /** Directories that contain the files, at any depth. */
  readonly below: readonly Argument[];
  /** Whether the names are printed without their directory, so that they may begin with anything. */
  readonly bare: boolean;
  readonly ends: "line" | "nul";
  /** Whether a name that contains a line end is printed in quotes, so that every line is a whole name. */
  readonly quotes: boolean;
}

interface Spoken {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly texts: readonly string[];
}

/** Names that a part of a pipe prints; undefined if its output is unknown. */
export function namesAfter(
  node: ShellNode,
  before: FedNames | undefined,
  resolve: Resolve,
): FedNames | undefined {
  if (node.kind === "pipe") {
    let names = before;
    for (const part of node.parts) names = namesAfter(part, names, resolve);
    return names;
  }
  const command = node.kind === "command" ? spoken(node, resolve) : undefined;
  if (command === undefined) return undefined;
  switch (command.name) {
    case "git":
      return gitNames(command);
    case "find":
      return findNames(command);
    case "rg":
      return ripgrepNames(command);
    case "fd":
    case "fdfind":
      return fdNames(command);
    case "grep":
      return isFilter(command, before) ? before : grepNames(command);
    default:
      return isFilter(command, before) ? before : undefined;
  }
}

function spoken(node: CommandNode, resolve: Resolve): Spoken | undefined {
  const isQuiet = node.redirects.every(
    ({ operator, descriptor, target }) =>
      operator === ">" && descriptor === 2 && target === "/dev/null",
  );
  if (!isQuiet || node.assigns.length > 0) return undefined;
  const [name, ...args] = node.words.map((word) => resolve(word));
  if (typeof name !== "string") return undefined;
  return { name, args, texts: args.filter((word) => typeof word === "string") };
}

/** Whether a command passes on some of its input lines unchanged. */
function isFilter({ name, args, texts }: Spoken, before: FedNames | undefined): boolean {
  if (texts.length < args.length || before === undefined) return false;
  // A name that ends with a NUL may contain line ends, so one of its lines is not a name.
  const isWhole = before.ends === "line" || texts.some((word) => /^-[a-zA-Z]*z/u.test(word));
  if (!isWhole) return false;
  switch (name) {
    case "sort":
      return texts.every((word) => /^-[zruVnfb]+$/u.test(word));
    case "head":
    case "tail":
      // A number that is not the value of an option is a file name.
      return texts.every(
        (word, index) =>
          /^(?:-\d+|-n\+?\d+|-z|-n)$/u.test(word) ||
          (texts[index - 1] === "-n" && /^\+?\d+$/u.test(word)),
      );
    case "uniq":
      return texts.every((word) => /^-[zudi]+$/u.test(word));
    case "shuf":
      return texts.every(
        (word, index) =>
          /^(?:-z|-n|-n\d+)$/u.test(word) || (texts[index - 1] === "-n" && /^\d+$/u.test(word)),
      );
    case "grep": {
      const operands = texts.filter((word) => !/^-[vEFiwxz]+$/u.test(word));
      return operands.length === 1 && operands.every((word) => !word.startsWith("-"));
    }
    default:
      return false;
  }
}

const bare: Pick<FedNames, "below" | "bare"> = { below: ["."], bare: true };

/** Names that begin with the searched directories, or without a directory if none was given. */
function belowRoots(roots: readonly Argument[]): Pick<FedNames, "below" | "bare"> | undefined {
  if (roots.length === 0) return bare;
  if (roots.some((root) => typeof root !== "string" || mayBeOption(root))) return undefined;
  return { below: roots, bare: false };
}

/** Directory with which every matching name begins; git prints names without `./`. */
function prefixOf(pattern: string): string {
  const glob = pattern.search(/[*?[\\]/u);
  const start = glob === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf("/", glob) + 1);
  return start.replace(/^(?:\.?\/+|\.$)+/u, "");
}

function gitNames({ args, texts }: Spoken): FedNames | undefined {
  const [verb, ...rest] = texts;
  if (texts.length < args.length) return undefined;
  const isNul = rest.some((word) => /^-[a-zA-Z]*z/u.test(word));
  const prefixes =
    verb === "ls-files" ? rest.filter((word) => !word.startsWith("-")).map(prefixOf) : [];
  const isPlaced = prefixes.length > 0 && !prefixes.includes("");
  const place = isPlaced ? { below: prefixes, bare: false } : bare;
  const found: FedNames = { ...place, ends: isNul ? "nul" : "line", quotes: !isNul };
  const operands = rest.filter((word) => !word.startsWith("-"));
  // Names in a parent directory begin with dots.
  if (operands.some((word) => /^(?::|\/)|(?:^|\/)\.\.(?:\/|$)/u.test(word))) return undefined;
  const options = rest.filter((word) => word.startsWith("-"));
  const allows = (pattern: RegExp): FedNames | undefined =>
    options.every((word) => pattern.test(word)) ? found : undefined;
  if (verb === "ls-files") {
    return allows(
      /^(?:-[zmocd]+|--|--(?:others|modified|cached|deleted|exclude-standard|error-unmatch|deduplicate))$/u,
    );
  }
  if (verb === "grep") {
    const lists = options.some((word) =>
      /^(?:-[a-zA-Z]*l|--files-with-matches|--name-only)/u.test(word),
    );
    return lists ? allows(/^(?:-[lEFPGiwIznv]+|--|--files-with-matches|--name-only)$/u) : undefined;
  }
  if (verb === "diff" && options.includes("--name-only")) {
    return allows(/^(?:-z|--|--name-only|--cached|--staged|--merge-base|--diff-filter=\w+)$/u);
  }
  return undefined;
}

function findNames({ args }: Spoken): FedNames | undefined {
  let index = 0;
  while (index < args.length && !/^[-(!]/u.test(leadingText(args[index] ?? ""))) index++;
  const roots = belowRoots(args.slice(0, index));
  let ends: FedNames["ends"] | undefined;
  for (; index < args.length; index++) {
    const word = args[index];
    if (typeof word !== "string") return undefined;
    if (word === "-print" || word === "-print0") {
      const printed = word === "-print" ? "line" : "nul";
      if (ends !== undefined && ends !== printed) return undefined;
      ends = printed;
      continue;
    }
    const takes = findTest(word);
    if (takes === "text" || takes === "file") {
      index++;
      if (word === "-printf" || typeof args[index] !== "string") return undefined;
    } else if (takes !== "nothing" || word === "-ls") return undefined;
  }
  if (roots === undefined) return undefined;
  const start = roots.bare ? { below: ["."], bare: false } : roots;
  return { ...start, ends: ends ?? "line", quotes: false };
}

/** Separates words into flags, options with a value, and operands; undefined if an option is unknown. */
function operandsOf(
  args: readonly Argument[],
  known: { readonly flags: RegExp; readonly valued: RegExp },
): readonly Argument[] | undefined {
  const operands: Argument[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    if (typeof word === "string" && known.valued.test(word)) {
      index++;
      const value = args[index];
      if (value === undefined || (typeof value !== "string" && value.splits)) return undefined;
    } else if (typeof word === "string" && known.flags.test(word)) continue;
    else if (mayBeOption(word)) return undefined;
    else operands.push(word);
  }
  return operands;
}

function ripgrepNames({ args, texts }: Spoken): FedNames | undefined {
  const lists = texts.includes("--files");
  const only = lists || texts.some((word) => /^(?:-[a-zA-Z0]*l|--files-with-matches$)/u.test(word));
  const operands = operandsOf(args, {
    flags:
      /^(?:-[lisSwFPUuv0]+|--files|--files-with-matches|--hidden|--no-ignore|--null|--smart-case|--ignore-case|--fixed-strings|--glob=.*|--type=\w+|-[gt]\S+)$/u,
    valued: /^(?:-g|-t|-T|--glob|--type|--type-not|--iglob|-m|--max-depth)$/u,
  });
  if (!only || operands === undefined) return undefined;
  const roots = belowRoots(lists ? operands : operands.slice(1));
  const isNul = texts.some((word) => word === "--null" || /^-[lisSwFPUuv]*0/u.test(word));
  return roots === undefined
    ? undefined
    : { ...roots, ends: isNul ? "nul" : "line", quotes: false };
}

function grepNames({ args, texts }: Spoken): FedNames | undefined {
  const operands = operandsOf(args, {
    flags:
      /^(?:-[rRlLiEFGPwIsZ]+|--null|--files-with-matches|--(?:include|exclude|exclude-dir)=.*)$/u,
    valued: /^(?:-e|--include|--exclude|--exclude-dir)$/u,
  });
  const isList = texts.some((word) => /^-[a-zA-Z]*[lL]|^--files-with-matches$/u.test(word));
  if (!isList || operands === undefined) return undefined;
  const roots = belowRoots(texts.includes("-e") ? operands : operands.slice(1));
  const isNul = texts.some((word) => word === "--null" || /^-[a-zA-Z]*Z/u.test(word));
  return roots === undefined
    ? undefined
    : { ...roots, ends: isNul ? "nul" : "line", quotes: false };
}

function fdNames({ args, texts }: Spoken): FedNames | undefined {
  const operands = operandsOf(args, {
    flags:
      /^(?:-[HIusigFp0]+|--hidden|--no-ignore|--glob|--print0|--(?:type|extension|exclude)=.*|-[tedE]\S+)$/u,
    valued: /^(?:-[tedE]|--type|--extension|--exclude|--max-depth)$/u,
  });
  if (operands === undefined) return undefined;
  const roots = belowRoots(operands.slice(1));
  const isNul = texts.some((word) => word === "--print0" || /^-[HIusigFp]*0/u.test(word));
  return roots === undefined
    ? undefined
    : { ...roots, ends: isNul ? "nul" : "line", quotes: false };
}

/** Names that `< <(command)` writes to the input. */
export function streamedNames(
  { operator, target }: Redirection,
  variables: Variables | undefined,
): FedNames | undefined {
  if (operator !== "<" || typeof target === "string" || target.pieces.length !== 1)
    return undefined;
  const [piece] = target.pieces;
  if (typeof piece !== "object" || piece.kind !== "stream" || piece.script === undefined) {
    return undefined;
  }
  if (variables === undefined) return undefined;
  return namesAfter(piece.script, undefined, (word) => resolveWord(word, variables));
}

/** Word that represents any of these names. */
export function anyName(names: FedNames, several: boolean): Argument {
  const { below, bare: isBare } = names;
  const more = several ? { several: true } : {};
  return {
    dynamic: "a name that is fed to it",
    pieces: [{ kind: "found", below, ...(isBare ? { bare: true } : {}), ...more }],
    splits: false,
  };
}

/**
 * Variable into which `read` reads a whole name. Without `IFS=` it strips blanks, after which a name may begin with a
 * slash; without -r it drops backslashes, after which a name may contain `..`.
 */
export function readsNames(
  node: ShellNode,
  names: FedNames | undefined,
): { readonly name: string; readonly word: Argument } | undefined {
  if (node.kind !== "command" || names === undefined || node.redirects.length > 0) return undefined;
  const [command, ...args] = node.words;
  if (command !== "read" || args.some((word) => typeof word !== "string")) return undefined;
  const texts = args.filter((word) => typeof word === "string");
  const keepsBlanks =
    node.assigns.length === 1 && node.assigns[0]?.name === "IFS" && node.assigns[0].value === "";
  const [name, ...others] = texts.filter((word) => !/^(?:-r|-d|-rd|)$/u.test(word));
  const isNul = texts.includes("") && texts.some((word) => word === "-d" || word === "-rd");
  const isRaw = texts.includes("-r") || texts.includes("-rd");
  if (name === undefined || others.length > 0 || !/^[A-Za-z_]\w*$/u.test(name)) return undefined;
  if (isNul ? names.ends !== "nul" : names.ends !== "line" || !names.quotes) return undefined;
  // Stripping the blank of `.. ` makes it the parent; a name that git prints below a directory cannot leave it so.
  if (!isRaw || !(keepsBlanks || (!names.bare && names.quotes))) return undefined;
  return { name, word: anyName(names, false) };
}

/** Programs that never read their standard input, whatever their arguments. */
const deaf =
  /^(?:echo|printf|test|\[|true|false|:|ls|stat|du|basename|dirname|realpath|readlink|pwd|cd|date|seq|expr|exit|return|break|continue|export|local|declare|sleep|git|find|rg|fd|fdfind|command|type|which)$/u;

/** Programs that read their standard input even when files are given. */
const reading = /^(?:read|mapfile|readarray|xargs|ssh|bash|sh|tr)$/u;

/** Programs whose first operand is not a file. */
const scripted = /^[efz]?grep$|^(?:[gm]?awk|sed|jq|yq|tr|ag|ack|perl|ruby)$/u;

/** Whether the body of a loop reads some of the loop's input, so that the next iteration starts inside a name. */
export function readsInput(node: ShellNode): boolean {
  switch (node.kind) {
    case "command": {
      const [name, ...args] = node.words;
      if (name === undefined) return false;
      if (typeof name !== "string") return true;
      if (deaf.test(name))
        return args.some((word) => /^--?(?:stdin|F|batch)/u.test(leadingText(word)));
      if (node.redirects.some(({ operator }) => operator.startsWith("<"))) return false;
      const operands = args.filter((word) => !leadingText(word).startsWith("-"));
      const files = scripted.test(name) ? operands.slice(1) : operands;
      return reading.test(name) || files.every((word) => typeof word === "string");
    }
    case "list":
    case "chain":
      return node.parts.some(readsInput);
    case "pipe":
      return node.parts.slice(0, 1).some(readsInput);
    case "subshell":
    case "function":
    case "redirected":
      return readsInput(node.body);
    case "branch":
      return node.arms.some(
        ([condition, body]) =>
          (condition !== undefined && readsInput(condition)) || readsInput(body),
      );
    case "loop":
      return (node.condition !== undefined && readsInput(node.condition)) || readsInput(node.body);
    case "words":
      return false;
  }
}
