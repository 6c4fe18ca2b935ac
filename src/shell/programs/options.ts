import {
  dropLeading,
  isDigits,
  leadingText,
  mayBeOption,
  maySeveral,
  showWord,
  type Argument,
} from "../words/words.ts";

/**
 * Role of an option's value: text, a number, a file or tree that is read, a file that names further files to read, or a
 * file that is written.
 */
export type ValueRole = "text" | "number" | "read" | "tree" | "names" | "write";

export interface Option {
  readonly takes: "nothing" | "value" | "attached";
  readonly role: ValueRole;
  /** Whether the option is known to write or run something that a table cannot express. */
  readonly refused: boolean;
}

/** Known options of a program; an option that is not listed is never assumed to be harmless. */
export interface OptionTable {
  readonly short: ReadonlyMap<string, Option>;
  readonly long: ReadonlyMap<string, Option>;
  readonly traits: OptionTraits;
}

export interface OptionTraits {
  /** Whether options end at the first operand, as in programs that run another program. */
  readonly stopsEarly?: boolean;
  /** Whether a unique prefix selects a long option, as in GNU programs. Default true. */
  readonly abbreviates?: boolean;
  /** Whether `-5` is a number and not a cluster of options. */
  readonly numbers?: boolean;
  /** Whether all options are harmless, so that unknown words can be treated as operands. */
  readonly harmless?: boolean;
  /** Whether long options have one dash, as in `find` or `java`. */
  readonly singleDash?: boolean;
  /** Whether an argument that begins with `@` names a file with further options. */
  readonly atFiles?: boolean;
}

const roles: ReadonlyMap<string, ValueRole> = new Map([
  ["", "text"],
  ["r", "read"],
  ["t", "tree"],
  ["n", "names"],
  ["d", "number"],
  ["w", "write"],
]);

/**
 * Parses the written form of a table: `-abc` are flags, `-n:` takes a value, `-i?` takes an attached value, `--all`,
 * `--lines=` and `--color?` are the same for long options. A letter after `:`, `=` or `?` is the value's role (r read,
 * t tree, n names of files, w write, d number); `!` at the end marks an option that is known and refused.
 */
export function optionTable(written: string, traits: OptionTraits = {}): OptionTable {
  const short = new Map<string, Option>();
  const long = new Map<string, Option>();
  for (const token of written.split(/\s+/u)) {
    const match = /^(--?)([A-Za-z0-9@%#.+_-]*?)([:=?]?)([rtwnd]?)(!?)$/u.exec(token);
    if (token === "") continue;
    if (match === null)
      throw new TypeError(`An option table has an entry that cannot be read: ${token}`);
    const [, dash, name = "", mark, letter = "", refusal] = splitRole(match, token);
    const takes = mark === "?" ? "attached" : mark === "" ? "nothing" : "value";
    if (dash === "-" && name.length > 1 && mark !== "" && traits.singleDash !== true) {
      throw new TypeError(`An option table gives one value to several letters: ${token}`);
    }
    const option: Option = { takes, role: roles.get(letter) ?? "text", refused: refusal === "!" };
    if (dash === "--" || traits.singleDash === true) long.set(name, option);
    else for (const flag of name) short.set(flag, option);
  }
  return { short, long, traits };
}

/** Adds the role letter to the name if the token has no value sign before it. */
function splitRole(match: RegExpExecArray, token: string): readonly (string | undefined)[] {
  const [whole, dash, name = "", mark, letter = "", refusal] = match;
  return mark === ""
    ? [token, dash, name + letter, mark, "", refusal]
    : [whole, dash, name, mark, letter, refusal];
}

/** Reason why arguments are not fully understood. */
export interface Problem {
  readonly because: string;
  /** Option that can write or run something, or that is not in the table. */
  readonly through?: string;
}

export interface GivenOption {
  /** Name as in the table, without dashes. */
  readonly name: string;
  readonly value: Argument | undefined;
  readonly role: ValueRole;
  /** Spelling that a rule would use. */
  readonly written: string;
}

/** Arguments of a command, parsed with its option table. */
export interface CommandLine {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Argument[];
  /** Index of each operand in the arguments. */
  readonly places: readonly number[];
  /** Words that may become further words or options, where those of the program do nothing but name files to read. */
  readonly loose: readonly Argument[];
  readonly problems: readonly Problem[];
}

interface Draft {
  readonly options: GivenOption[];
  readonly operands: Argument[];
  readonly places: number[];
  readonly loose: Argument[];
  readonly problems: Problem[];
}

/** Parses `args` with `table`; an option that the table does not list becomes a problem, never a guess. */
export function readOptions(args: readonly Argument[], table: OptionTable): CommandLine {
  const draft: Draft = { options: [], operands: [], places: [], loose: [], problems: [] };
  if (table.traits.atFiles === true) {
    for (const word of args) {
      if (mayBeAtFile(word)) {
        draft.problems.push({ because: `${showWord(word)} may be a file with further options` });
      }
    }
  }
  let index = 0;
  let ended = false;
  while (index < args.length) {
    const word = args[index];
    if (word === undefined) break;
    const start = leadingText(word);
    if (ended || word === "-" || !mayBeOption(word) || isNoOption(word, table)) {
      if (table.traits.stopsEarly === true) ended = true;
      draft.operands.push(word);
      draft.places.push(index);
    } else if (word === "--") {
      ended = true;
    } else if (!start.startsWith("-") || start === "-" || start === "--") {
      looseWord(word, table, draft);
      draft.places.push(index);
      if (table.traits.stopsEarly === true) ended = true;
    } else if (start.startsWith("--") || table.traits.singleDash === true) {
      index += readLong(word, args[index + 1], { table, draft });
    } else {
      index += readCluster(word, args[index + 1], { table, draft });
    }
    index++;
  }
  return draft;
}

/** Whether a word may be an `@file`, which programs accept anywhere, even after `--` and as a value. */
function mayBeAtFile(word: Argument): boolean {
  const start = leadingText(word);
  return start.startsWith("@") || (start === "" && typeof word !== "string");
}

/** Whether a word that may begin with a dash is certainly a number, because the program has no digits as options. */
function isNoOption(word: Argument, { short, traits }: OptionTable): boolean {
  const first = typeof word === "string" ? undefined : word.pieces[0];
  if (typeof first !== "object" || first.kind !== "number" || maySeveral(word)) return false;
  return traits.numbers !== true && ![...short.keys()].some((name) => /\d/u.test(name));
}

interface Context {
  readonly table: OptionTable;
  readonly draft: Draft;
}

/** Reports a word with an unknown beginning, which may be any option. */
function looseWord(word: Argument, table: OptionTable, draft: Draft): void {
  draft.operands.push(word);
  // The text after the gap may be the path of a short option, as in `-f/etc/passwd`.
  const takesPath =
    typeof word !== "string" &&
    word.pieces.some(
      (piece, index) => index > 0 && typeof piece === "string" && piece.includes("/"),
    ) &&
    [...table.short.values()].some(
      ({ role }) => role !== undefined && role !== "text" && role !== "number",
    );
  if (table.traits.harmless !== true || takesPath) {
    draft.problems.push({ because: `${showWord(word)} could turn into an option` });
  } else draft.loose.push(word);
}

/** Reports a word that may become several, of which the others are operands or options. */
function noteSeveral(word: Argument, { table, draft }: Context): void {
  if (table.traits.harmless === true) draft.loose.push(word);
  else draft.problems.push({ because: `${showWord(word)} could turn into several words` });
}

/** Parses one long option; returns the number of further words consumed. */
function readLong(word: Argument, next: Argument | undefined, context: Context): number {
  const { table, draft } = context;
  const start = leadingText(word);
  const dashes = start.startsWith("--") ? 2 : 1;
  const equals = start.indexOf("=");
  if (equals === -1 && typeof word !== "string") {
    draft.problems.push({ because: `${showWord(word)} is an option the shell still expands` });
    return 0;
  }
  if (maySeveral(word)) noteSeveral(word, context);
  const written = start.slice(dashes, equals === -1 ? undefined : equals);
  const name = matchLong(written, table);
  const option = name === undefined ? undefined : table.long.get(name);
  const shown = start.slice(0, equals === -1 ? undefined : equals);
  if (name === undefined || option === undefined) {
    draft.problems.push({ because: `the option ${shown} is not known`, through: shown });
    return 0;
  }
  if (option.refused)
    draft.problems.push({
      because: `the option ${shown} can write or run something`,
      through: shown,
    });
  if (equals !== -1) {
    const value = dropLeading(word, equals + 1);
    if (option.takes === "nothing")
      draft.problems.push({ because: `the option ${shown} takes no value` });
    addOption(draft, { name, value, role: option.role, written: shown });
    return 0;
  }
  if (option.takes !== "value") {
    addOption(draft, { name, value: undefined, role: option.role, written: shown });
    return 0;
  }
  return takeNext(name, { option, next, table, draft, written: shown });
}

function matchLong(written: string, table: OptionTable): string | undefined {
  if (table.long.has(written)) return written;
  if (table.traits.abbreviates === false || written === "") return undefined;
  let found: string | undefined;
  for (const name of table.long.keys()) {
    if (!name.startsWith(written)) continue;
    if (found !== undefined) return undefined;
    found = name;
  }
  return found;
}

/** Adds an option; text in place of a number may not be its value, as some versions take the value only if numeric. */
function addOption(draft: Draft, option: GivenOption): void {
  const { role, value, written } = option;
  const isNumber =
    value === undefined ||
    (typeof value === "string" ? /^[+-]?[\d.,:]+[A-Za-z%]{0,3}$/u.test(value) : isDigits(value));
  if (role === "number" && !isNumber) {
    draft.problems.push({ because: `the value of ${written} is not a number`, through: written });
  }
  draft.options.push(option);
}

interface Taking extends Context {
  readonly written: string;
  readonly option: Option;
  readonly next: Argument | undefined;
}

function takeNext(name: string, { option, next, table, draft, written }: Taking): number {
  if (next === undefined) {
    draft.problems.push({ because: `the option ${name} lacks its value` });
    return 0;
  }
  if (maySeveral(next)) noteSeveral(next, { table, draft });
  addOption(draft, { name, value: next, role: option.role, written });
  return 1;
}

/** Parses one word of short options; returns the number of further words consumed. */
function readCluster(word: Argument, next: Argument | undefined, context: Context): number {
  const { table, draft } = context;
  const start = leadingText(word);
  if (table.traits.numbers === true && typeof word === "string" && /^-\d+$/u.test(start)) {
    draft.options.push({ name: "number", value: start.slice(1), role: "text", written: start });
    return 0;
  }
  for (let index = 1; index < start.length; index++) {
    const name = start.charAt(index);
    const option = table.short.get(name);
    if (option === undefined) {
      draft.problems.push({ because: `the option -${name} is not known`, through: `-${name}` });
      return 0;
    }
    if (option.refused)
      draft.problems.push({
        because: `the option -${name} can write or run something`,
        through: `-${name}`,
      });
    if (option.takes === "nothing") {
      addOption(draft, { name, value: undefined, role: option.role, written: `-${name}` });
      continue;
    }
    const attached = dropLeading(word, index + 1);
    if (attached !== "" && !(typeof attached !== "string" && attached.pieces.length === 0)) {
      if (maySeveral(word)) noteSeveral(word, context);
      addOption(draft, { name, value: attached, role: option.role, written: `-${name}` });
      return 0;
    }
    if (option.takes === "attached") {
      addOption(draft, { name, value: undefined, role: option.role, written: `-${name}` });
      return 0;
    }
    return takeNext(name, { option, next, table, draft, written: `-${name}` });
  }
  if (typeof word === "string") return 0;
  if (table.traits.harmless === true) draft.loose.push(word);
  else draft.problems.push({ because: `${showWord(word)} is an option the shell still expands` });
  return 0;
}
