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
 * What the value of an option is: only text, a number, a file or tree it reads, a file that names further files to
 * read, a file it writes.
 */
export type ValueRole = "text" | "number" | "read" | "tree" | "names" | "write";

export interface Option {
  readonly takes: "nothing" | "value" | "attached";
  readonly role: ValueRole;
  /** Known, and known to write or run something that a table cannot tell. */
  readonly refused: boolean;
}

/** The options a program is known to have; one that is not here is never taken to be harmless. */
export interface OptionTable {
  readonly short: ReadonlyMap<string, Option>;
  readonly long: ReadonlyMap<string, Option>;
  readonly traits: OptionTraits;
}

export interface OptionTraits {
  /** Options end at the first operand, as for programs that run another program. */
  readonly stopsEarly?: boolean;
  /** A unique beginning stands for a long option, as in GNU programs. Default true. */
  readonly abbreviates?: boolean;
  /** `-5` is a number, not a cluster. */
  readonly numbers?: boolean;
  /** Nothing the program could be told by an option can do harm, so words not known yet are operands. */
  readonly harmless?: boolean;
  /** Long options with one dash, as in `find` or `java`. */
  readonly singleDash?: boolean;
  /** An argument that begins with `@` names a file with further options. */
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
 * Reads a table from its written form: `-abc` are flags, `-n:` takes a value, `-i?` one that is attached,
 * `--all`, `--lines=` and `--color?` the same in long; a letter after `:`, `=` or `?` is the value's
 * role (r read, t tree, n names of files, w write, d number), `!` at the end marks an option that is known and refused.
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

/** Without a mark for a value such a last letter belongs to the name. */
function splitRole(match: RegExpExecArray, token: string): readonly (string | undefined)[] {
  const [whole, dash, name = "", mark, letter = "", refusal] = match;
  return mark === ""
    ? [token, dash, name + letter, mark, "", refusal]
    : [whole, dash, name, mark, letter, refusal];
}

/** Why arguments are not fully understood. */
export interface Problem {
  readonly because: string;
  /** The option that can write or run something, or that no table knows. */
  readonly through?: string;
}

export interface GivenOption {
  /** As in the table, without dashes. */
  readonly name: string;
  readonly value: Argument | undefined;
  readonly role: ValueRole;
  /** As a rule would name it. */
  readonly written: string;
}

/** A command's arguments, taken apart by its table. */
export interface CommandLine {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Argument[];
  /** Where in the arguments each operand stands. */
  readonly places: readonly number[];
  readonly problems: readonly Problem[];
}

interface Draft {
  readonly options: GivenOption[];
  readonly operands: Argument[];
  readonly places: number[];
  readonly problems: Problem[];
}

/** Takes `args` apart by `table`; what the table does not know becomes a problem, never a guess. */
export function readOptions(args: readonly Argument[], table: OptionTable): CommandLine {
  const draft: Draft = { options: [], operands: [], places: [], problems: [] };
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

/** Such files are looked for in every argument, behind `--` and as a value too. */
function mayBeAtFile(word: Argument): boolean {
  const start = leadingText(word);
  return start.startsWith("@") || (start === "" && typeof word !== "string");
}

/** A number below zero is an option only to a program that has such options. */
function isNoOption(word: Argument, { short, traits }: OptionTable): boolean {
  const first = typeof word === "string" ? undefined : word.pieces[0];
  if (typeof first !== "object" || first.kind !== "number" || maySeveral(word)) return false;
  return traits.numbers !== true && ![...short.keys()].some((name) => /\d/u.test(name));
}

interface Context {
  readonly table: OptionTable;
  readonly draft: Draft;
}

/** A word of which not even the beginning is known: it might be any option. */
function looseWord(word: Argument, table: OptionTable, draft: Draft): void {
  draft.operands.push(word);
  // Behind the gap a path may stand that a short option takes, as in `-f/etc/passwd`.
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
  }
}

/** Reads one long option; returns how many further words it took. */
function readLong(word: Argument, next: Argument | undefined, context: Context): number {
  const { table, draft } = context;
  const start = leadingText(word);
  const dashes = start.startsWith("--") ? 2 : 1;
  const equals = start.indexOf("=");
  if (equals === -1 && typeof word !== "string") {
    draft.problems.push({ because: `${showWord(word)} is an option the shell still expands` });
    return 0;
  }
  if (maySeveral(word) && table.traits.harmless !== true) {
    draft.problems.push({ because: `${showWord(word)} could turn into several words` });
  }
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

/** Where a number is expected, anything else may not be the value at all: some take one only where there is one. */
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
  const loose = maySeveral(next);
  if (loose && table.traits.harmless !== true) {
    draft.problems.push({ because: `${showWord(next)} could turn into several words` });
  }
  addOption(draft, { name, value: next, role: option.role, written });
  return 1;
}

/** Reads one word of short options; returns how many further words it took. */
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
      if (maySeveral(word) && table.traits.harmless !== true) {
        draft.problems.push({ because: `${showWord(word)} could turn into several words` });
      }
      addOption(draft, { name, value: attached, role: option.role, written: `-${name}` });
      return 0;
    }
    if (option.takes === "attached") {
      addOption(draft, { name, value: undefined, role: option.role, written: `-${name}` });
      return 0;
    }
    return takeNext(name, { option, next, table, draft, written: `-${name}` });
  }
  if (typeof word !== "string" && table.traits.harmless !== true) {
    draft.problems.push({ because: `${showWord(word)} is an option the shell still expands` });
  }
  return 0;
}
