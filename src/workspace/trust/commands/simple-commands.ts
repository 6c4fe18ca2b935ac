import { maskParts, type MaskedText } from "./computed-parts.ts";

/** A word of a simple command, without its quotes. Parts that a shell computes are masked. */
export interface ShellWord {
  readonly text: string;
  /** Whether the shell passes exactly this text: it has no part that is computed, and no pattern. */
  readonly isLiteral: boolean;
}

/** A program with its arguments, as a shell runs it. */
export interface SimpleCommand {
  /** As it is written. */
  readonly source: string;
  readonly assignments: readonly string[];
  readonly words: readonly ShellWord[];
  /** Files that it reads and writes by a redirection. */
  readonly reads: readonly ShellWord[];
  readonly writes: readonly ShellWord[];
}

/** The commands of a text, and the parts that a shell computes. */
export interface ShellText {
  readonly commands: readonly SimpleCommand[];
  readonly masked: MaskedText;
}

/** Token of a text: an operator, or a word. */
type Token = ShellWord & {
  readonly kind: "word" | "operator" | "redirection";
  readonly isQuoted: boolean;
  readonly start: number;
  readonly end: number;
};

/**
 * Splits a text into the commands that a shell runs; undefined if it has a form that is not known for certain, such as
 * a function, a here document or a quote that does not end.
 */
export function simpleCommands(whole: string): ShellText | undefined {
  // The characters of masks, and those that a shell does not take as text.
  if (/[\uE000\uE001\0\r]/u.test(whole)) return undefined;
  // In the pattern of a test, what begins like a comment may be none.
  if (/\[\[[^]*#/u.test(whole) && /(?:^|[\s;&|(])#/u.test(whole)) return undefined;
  const masked = maskParts(whole, { comments: "removed" });
  const tokens = tokensOf(masked);
  const commands = tokens === undefined ? undefined : commandsOf(tokens, masked);
  return commands === undefined ? undefined : { commands, masked };
}

const tokenParts =
  /(?<joined>\\\n)|(?<blank>[ \t]+)|(?<comment>#[^\n]*)|(?<redirection>\d*(?:<<<|<<|<>|<&|>>|>\||>&|[<>](?!\())|&>>?)|(?<operator>[<>]\(|;;&|;;|;&|&&|\|\||\|&|[;&|()\n])|"(?<double>(?:[^"\\]|\\[^])*)"|'(?<single>[^']*)'|\\(?<escaped>[^])|(?<bare>[^])/gu;

function tokensOf({ text }: MaskedText): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let word: { text: string; isLiteral: boolean; isQuoted: boolean; start: number } | undefined;
  const end = (at: number) => {
    if (word !== undefined) tokens.push({ ...word, kind: "word", end: at });
    word = undefined;
  };
  const add = (part: string, about: { at: number; isLiteral: boolean; isQuoted: boolean }) => {
    word = {
      text: (word?.text ?? "") + part,
      isLiteral: (word?.isLiteral ?? true) && about.isLiteral,
      isQuoted: (word?.isQuoted ?? false) || about.isQuoted,
      start: word?.start ?? about.at,
    };
  };
  tokenParts.lastIndex = 0;
  for (let at = 0; at < text.length;) {
    tokenParts.lastIndex = at;
    const match = tokenParts.exec(text);
    if (match === null) return undefined;
    const { blank, comment, redirection, operator, double, single, escaped, bare } =
      match.groups ?? {};
    let [found] = match;
    if (blank !== undefined) end(at);
    else if (match.groups?.["joined"] !== undefined) {
      at += found.length;
      continue;
    } else if (comment !== undefined && word === undefined) return undefined;
    else if (comment !== undefined) {
      found = "#";
      add("#", { at, isLiteral: true, isQuoted: false });
    } else if (redirection !== undefined && /^\d/u.test(redirection) && word !== undefined) {
      found = redirection.charAt(0);
      add(found, { at, isLiteral: true, isQuoted: false });
    } else if (redirection !== undefined || operator !== undefined) {
      end(at);
      const kind = redirection === undefined ? "operator" : "redirection";
      const after = at + found.length;
      tokens.push({ kind, text: found, isLiteral: true, isQuoted: false, start: at, end: after });
    } else if (single !== undefined) {
      add(single, { at, isLiteral: !single.includes("\uE000"), isQuoted: true });
    } else if (escaped !== undefined) add(escaped, { at, isLiteral: true, isQuoted: true });
    else if (double !== undefined) {
      // A part that is not masked.
      if (/`|\$[[({]/u.test(double.replaceAll(/\\[^]/gu, ""))) return undefined;
      const plain = double.replaceAll(/\\(["\\$`\n])/gu, "$1");
      add(plain, { at, isLiteral: !/[$`\uE000]/u.test(double), isQuoted: true });
    } else if (bare === undefined || /["'`]/u.test(bare)) return undefined;
    else if (bare === "$" && /["'[]/u.test(text.charAt(at + 1))) return undefined;
    else add(bare, { at, isLiteral: !/[$*?[\]{}\uE000\uE001]/u.test(bare), isQuoted: false });
    at += found.length;
  }
  end(text.length);
  return tokens;
}

/** Words at the start of a command after which another command follows. */
const reserved: ReadonlySet<string> = new Set(
  "if then elif else fi while until do done ! { } esac".split(" "),
);

interface Draft {
  readonly start: number;
  end: number;
  readonly assignments: string[];
  readonly words: ShellWord[];
  readonly reads: ShellWord[];
  readonly writes: ShellWord[];
}

function commandsOf(
  tokens: readonly Token[],
  { text, restore }: MaskedText,
): readonly SimpleCommand[] | undefined {
  const commands: SimpleCommand[] = [];
  let draft: Draft | undefined;
  let cases = 0;
  let isPattern = false;
  const finish = () => {
    if (draft === undefined) return;
    const { start, end, ...parts } = draft;
    commands.push({ ...parts, source: restore(text.slice(start, end)) });
    draft = undefined;
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    const begun = (): Draft =>
      (draft ??= { start: token.start, end: 0, assignments: [], words: [], reads: [], writes: [] });
    if (isPattern) {
      if (token.kind === "redirection") return undefined;
      const isEnd = token.kind === "word" && token.text === "esac" && !token.isQuoted;
      if (isEnd) cases -= 1;
      if (isEnd || token.text === ")") isPattern = false;
    } else if (token.kind === "redirection") {
      const target = tokens[at + 1];
      if (target?.kind !== "word" || /<<$|<>/u.test(token.text)) return undefined;
      at += 1;
      const files = token.text.includes("<") ? begun().reads : begun().writes;
      const isDescriptor = /[<>]&$/u.test(token.text) && /^(?:\d+-?|-)$/u.test(target.text);
      if (!isDescriptor && !token.text.endsWith("<<<")) files.push(target);
      begun().end = target.end;
    } else if (token.kind === "operator") {
      const isArgument = /^[<>]\($/u.test(token.text);
      // A function, an array, or a calculation.
      const isNext = tokens[at + 1]?.text === "(" && tokens[at + 1]?.start === token.end;
      if (token.text === "(" && (draft !== undefined || isNext)) return undefined;
      // The program gets a path of what the commands in brackets print, or read.
      if (isArgument && (draft !== undefined || tokens[at - 1]?.text !== ")")) {
        begun().words.push({ text: token.text, isLiteral: false });
        begun().end = closeOf(tokens, at) ?? token.end;
      }
      finish();
      if (/^;;|^;&/u.test(token.text)) {
        if (cases === 0) return undefined;
        isPattern = true;
      }
    } else if (draft === undefined && token.text === "case" && !token.isQuoted) {
      if (tokens[at + 2]?.text !== "in") return undefined;
      at += 2;
      cases += 1;
      isPattern = true;
    } else if (draft === undefined && token.text === "[[" && !token.isQuoted) {
      const close = tokens.findIndex((each, index) => index > at && each.text === "]]");
      if (close < 0) return undefined;
      begun().words.push(...tokens.slice(at, close + 1));
      begun().end = tokens[close]?.end ?? 0;
      at = close;
    } else if (draft === undefined && reserved.has(token.text) && !token.isQuoted) {
      if (token.text === "esac") cases -= 1;
    } else {
      const { words, assignments } = begun();
      const isAssignment = /^[a-z_]\w*\+?=/iu.test(text.slice(token.start, token.end));
      if (words.length === 0 && isAssignment) assignments.push(token.text);
      else words.push(token);
      begun().end = token.end;
    }
  }
  finish();
  return cases === 0 && !isPattern ? commands : undefined;
}

/** End of the brackets that a token opens, for the text of a command; undefined if it is far away. */
function closeOf(tokens: readonly Token[], open: number): number | undefined {
  let depth = 0;
  for (const { kind, text, end } of tokens.slice(open, open + 100)) {
    if (kind !== "operator") continue;
    if (text.endsWith("(")) depth += 1;
    if (text === ")") depth -= 1;
    if (depth === 0) return end;
  }
  return undefined;
}
