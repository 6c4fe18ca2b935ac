import type { CommandNode, ShellNode } from "../parse/syntax.ts";
import {
  alternatives,
  isDigits,
  leadingText,
  mayBeOption,
  trailingText,
  wordOf,
  type Argument,
  type Gap,
} from "./words.ts";

/** Substitutes the known values of variables. */
export type Resolve = (word: Argument) => Argument;

const count: Gap = { kind: "number", signed: false };
const token: Gap = { kind: "token" };

function wordFor(piece: Gap): Argument {
  return { dynamic: "the output of a command", pieces: [piece], splits: false };
}

/** Whether a script prints only one number, whatever its variables contain. */
export function printsCount(script: ShellNode): boolean {
  const last = script.kind === "pipe" ? script.parts.at(-1) : script;
  const command = last === undefined ? undefined : plainCommand(last);
  if (command === undefined) return false;
  const [name, ...args] = command.words;
  const texts = args.filter((word) => typeof word === "string");
  const isFed =
    script.kind === "pipe" || command.redirects.some(({ operator }) => operator === "<");
  if (name === "wc") return isFed && args.length === 1 && /^-[clmw]$/u.test(texts[0] ?? "");
  if (name === "grep") {
    const operands = texts.filter((word) => !word.startsWith("-"));
    const flags = texts.filter((word) => /^-[cEFivwxq]+$/u.test(word));
    const isPlain = operands.length + flags.length === args.length;
    return isPlain && flags.some((word) => word.includes("c")) && operands.length <= 2;
  }
  if (script.kind === "pipe") return false;
  if (name === "nproc") return args.length === 0;
  if (name === "git") {
    if (texts[0] !== "rev-list" || texts[1] !== "--count") return false;
    return args
      .slice(2)
      .every((word) =>
        typeof word === "string"
          ? !/^--(?!since|until|after|before|author|no-merges|merges|all|first-parent|$)/u.test(
              word,
            )
          : !word.splits && trailingText(word).includes(".."),
      );
  }
  return (
    name === "date" &&
    texts.length === 1 &&
    args.length === 1 &&
    /^\+%[sYmdHMSjyu]$/u.test(texts[0] ?? "")
  );
}

/** Options of `git rev-list` that only select commits; it prints their names. */
const plainListing =
  /^-(?:n?\d+|n|-|-(?:all|reverse|no-merges|merges|first-parent|topo-order|date-order|ancestry-path|branches|tags|max-count=\d+|skip=\d+|(?:since|until|after|before|author|grep|committer)=.*))$/u;

/** Single word that a script prints, as far as its shape is known. */
export function printedWord(script: ShellNode, resolve: Resolve): Argument | undefined {
  if (printsCount(script)) return wordFor(count);
  const command = plainCommand(script);
  if (command === undefined || command.redirects.some(({ operator }) => operator === "<")) {
    return undefined;
  }
  const [name, ...args] = command.words.map((word) => resolve(word));
  switch (name) {
    case "git":
      return gitWord(args);
    case "date":
      return args.length === 1 &&
        /^\+(?:%[YmdHMSsjyuVNFT]|[A-Za-z0-9_])(?:%[YmdHMSsjyuVNF]|[\w-])*$/u.test(
          leadingText(args[0] ?? ""),
        ) &&
        typeof args[0] === "string"
        ? wordFor(token)
        : undefined;
    case "dirname":
      return soleOperand(args, folderOf);
    case "basename":
      return typeof args[0] === "string" && args.length === 2
        ? nameWithout(args[0], args[1] ?? "")
        : soleOperand(args, nameOf);
    case "pwd":
      return args.length === 0 ? wordFor({ kind: "variable", name: "PWD" }) : undefined;
    case undefined:
    default:
      return undefined;
  }
}

/** Word for the output of a script if every word in it is plain, so that splitting the output yields just these. */
export function printsPlainWords(script: ShellNode, resolve: Resolve): Argument | undefined {
  const command = plainCommand(script);
  const args = command?.words.map((word) => resolve(word)) ?? [];
  const texts = args.filter((word) => typeof word === "string");
  if (texts[0] === "git" && texts[1] === "rev-list") {
    const isPlain = texts
      .slice(2)
      .every((word) => !word.startsWith("-") || plainListing.test(word));
    return isPlain && texts.length === args.length ? wordFor(token) : undefined;
  }
  if (texts[0] === "seq") {
    const isPlain = args
      .slice(1)
      .every((word) => (typeof word === "string" ? /^\d+$/u.test(word) : isDigits(word)));
    return isPlain ? wordFor(count) : undefined;
  }
  const word = printedWord(script, resolve);
  if (typeof word === "string" || word === undefined) return undefined;
  return word.pieces.every(
    (piece) => typeof piece !== "string" && /^(?:token|number)$/u.test(piece.kind),
  )
    ? word
    : undefined;
}

/** Command node without assignments, and only with redirections that do not change its output. */
function plainCommand(node: ShellNode): CommandNode | undefined {
  if (node.kind !== "command" || node.assigns.length > 0) return undefined;
  const isPlain = node.redirects.every(
    ({ operator, descriptor, target }) =>
      (operator === ">" && descriptor === 2 && target === "/dev/null") ||
      (operator === "<" && (descriptor ?? 0) === 0),
  );
  return isPlain ? node : undefined;
}

/** Commit name that git either resolves or prints unchanged. */
const revision = /^[\w@][\w./@~^{}-]*$/u;

function gitWord(args: readonly Argument[]): Argument | undefined {
  const [verb, ...rest] = args;
  const texts = rest.filter((word) => typeof word === "string");
  const isStatic = texts.length === rest.length;
  if (verb === "merge-base") {
    return rest.every((word) => !mayBeOption(word) || word === "--fork-point")
      ? wordFor(token)
      : undefined;
  }
  if (!isStatic) return undefined;
  if (verb === "rev-parse") {
    const names = texts.filter((word) => !/^(?:--short(?:=\d+)?|--verify|-q|--quiet)$/u.test(word));
    const [name = ""] = names;
    if (names.length !== 1 || !revision.test(name) || name.includes("..")) return undefined;
    return wordFor({ kind: "among", words: [wordFor(token), name] });
  }
  if (verb === "rev-list") {
    const [limit, name = "", ...others] = texts;
    const isOne = limit === "-1" || limit === "--max-count=1";
    return isOne && revision.test(name) && others.length === 0 ? wordFor(token) : undefined;
  }
  if (verb === "log") {
    const isPlain = texts.every((word) =>
      /^(?:-1|-n1|--(?:format|pretty)=(?:format:)?%[hHtT]|[\w@][\w/@~^-]*)$/u.test(word),
    );
    return isPlain && texts.includes("-1") && texts.some((word) => word.includes("%"))
      ? wordFor(token)
      : undefined;
  }
  return undefined;
}

/** Output for the only operand; undefined if that word is, or may become, an option. */
function soleOperand(
  args: readonly Argument[],
  print: (word: Argument) => Argument | undefined,
): Argument | undefined {
  const isMarked = args[0] === "--";
  const [word, ...others] = isMarked ? args.slice(1) : args;
  if (word === undefined || others.length > 0 || (!isMarked && mayBeOption(word))) return undefined;
  return print(word);
}

/** Output of `dirname` for a word. */
function folderOf(word: Argument): Argument | undefined {
  const all = alternatives(word)?.map((each) => folderOfOne(each));
  if (all === undefined || all.length === 0) return undefined;
  const words = all.filter((each) => each !== undefined);
  if (words.length < all.length) return undefined;
  const [only = "."] = words;
  return words.length === 1 ? only : wordFor({ kind: "among", words });
}

function folderOfOne(word: Argument): Argument | undefined {
  if (typeof word === "string") return parentText(word);
  if (word.splits) return undefined;
  const [first] = word.pieces;
  if (typeof first === "object" && first.kind === "found") {
    if (word.pieces.length > 1) return undefined;
    const below = first.below.map((each) =>
      typeof each === "string" ? parentText(each) : undefined,
    );
    const known = below.filter((each) => each !== undefined);
    return known.length === below.length ? wordFor({ ...first, below: known }) : undefined;
  }
  // `dirname` ignores a slash at the end.
  if (trailingText(word).endsWith("/")) return undefined;
  for (let index = word.pieces.length - 1; index >= 0; index--) {
    const piece = word.pieces[index];
    if (piece === undefined) return undefined;
    if (typeof piece !== "string") {
      if (
        piece.kind === "match" ? piece.text.includes("/") : !/^(?:token|number)$/u.test(piece.kind)
      )
        return undefined;
      continue;
    }
    const cut = piece.lastIndexOf("/");
    if (cut === -1) continue;
    const start = piece.slice(0, cut);
    if (start === "" && index === 0) return "/";
    return wordOf([...word.pieces.slice(0, index), start], { ...word, splits: false });
  }
  return ".";
}

function parentText(path: string): string {
  const trimmed = path.replace(/\/+$/u, "");
  if (trimmed === "") return path === "" ? "." : "/";
  const cut = trimmed.lastIndexOf("/");
  if (cut === -1) return ".";
  return cut === 0 ? "/" : trimmed.slice(0, cut);
}

/** Output of `basename` for a word. */
function nameOf(path: Argument): Argument | undefined {
  if (typeof path === "string") {
    const name = path.replace(/\/+$/u, "").split("/").at(-1) ?? "";
    return name === "" ? undefined : name;
  }
  if (path.splits) return undefined;
  const [first] = path.pieces;
  if (typeof first === "object" && first.kind === "found") {
    // `find` also passes on the directory that it searches, whose own name may be dots.
    const isNamed = first.below.every(
      (each) => typeof each === "string" && !/^\/+$|(?:^|\/)\.\.\/*$/u.test(each),
    );
    return isNamed && path.pieces.length === 1
      ? wordFor({ kind: "found", below: ["."], bare: true })
      : undefined;
  }
  let name: (string | Gap)[] = [...path.pieces];
  const end = name.at(-1);
  if (typeof end === "string") name[name.length - 1] = end.replace(/\/+$/u, "");
  name = name.filter((piece) => piece !== "");
  const cut = name.findLastIndex((piece) => typeof piece === "string" && piece.includes("/"));
  const start = name[cut];
  if (typeof start === "string") name.splice(0, cut + 1, start.slice(start.lastIndexOf("/") + 1));
  name = name.filter((piece) => piece !== "");
  // A pattern does not match a leading dot, so a word that begins with a pattern is neither `.` nor `..`.
  const isName = name.every((piece, index) =>
    typeof piece === "string"
      ? index > 0 || !piece.startsWith(".")
      : piece.kind === "match" && /^(?:[*?]+|\[[^\]/]*\])$/u.test(piece.text),
  );
  return isName && name.some((piece) => typeof piece !== "string")
    ? wordFor({ kind: "match", text: "*" })
    : undefined;
}

/** Output of `basename` for a path and a suffix to remove. */
function nameWithout(path: string, suffix: Argument): Argument | undefined {
  if (typeof suffix !== "string" || mayBeOption(path) || mayBeOption(suffix)) return undefined;
  const name = nameOf(path);
  if (typeof name !== "string") return undefined;
  return name.endsWith(suffix) && name !== suffix ? name.slice(0, -suffix.length) : name;
}
