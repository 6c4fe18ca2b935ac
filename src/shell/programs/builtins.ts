import type { CommandLine } from "./options.ts";
import { isPlainAssignment, setsQuietly } from "../words/environment.ts";
import type { Program, Site } from "../walk/invocation-context.ts";
import {
  dropLeading,
  leadingText,
  mayBeOption,
  maySeveral,
  showWord,
  trailingText,
  type Argument,
  type DynamicWord,
} from "../words/words.ts";
import { programs } from "./row.ts";

const quiet = { harmless: true };

/** Shell builtins. Several evaluate their arguments again, so most are judged only with plain names. */
export const builtins: ReadonlyMap<string, Program> = new Map([
  ...programs({
    echo: { is: "neutral", traits: quiet, operands: "text", options: "" },
    "true false : break continue return exit logout": {
      is: "neutral",
      traits: quiet,
      operands: "text",
    },
    pwd: { is: "general", options: "-LP --logical --physical", operands: "text" },
    wait: { is: "silent", options: "-fn -p:", operands: "text", check: checkWait },
    // With -x, jobs runs a command.
    jobs: { is: "silent", options: "-lnprs", operands: "text" },
    times: { is: "silent", operands: "text", traits: quiet },
    dirs: { is: "general", options: "-lpv", operands: "text" },
    type: { is: "search", options: "-afpPt", operands: "text" },
    hash: { is: "general", options: "-lrt", operands: "text" },
    umask: { is: "general", options: "-pS" },
    ulimit: { is: "general", options: "-aHSbcdefiklmnpqrstuvxPRT" },
    history: { is: "general", traits: { numbers: true }, operands: "text", check: plainNumber },
    unset: { is: "silent", options: "-vn", operands: "text", check: checkNames },
    read: {
      is: "neutral",
      options: "-ers -a: -d: -i: -n: -N: -p: -t: -u:",
      operands: "text",
      check: checkNames,
    },
    "mapfile readarray": {
      is: "neutral",
      options: "-t -d: -n: -O: -s: -u: -c:! -C:!",
      operands: "text",
      check: checkNames,
    },
    getopts: {
      is: "neutral",
      operands: "text",
      check: (line, site) => checkNames({ ...line, operands: line.operands.slice(1, 2) }, site),
    },
    shopt: { is: "silent", options: "-opqsu", operands: "text", check: checkShopt },
    alias: { is: "general", options: "-p", operands: "text", check: checkAlias },
    help: { is: "read", options: "-dms", operands: "text" },
    "bg fg disown": { is: "silent", options: "-ahr", operands: "text" },
  }),
  ["echo", judgeEcho],
  ["test", judgeTest],
  ["[", judgeTest],
  ["printf", judgePrintf],
  ["set", judgeSet],
  ["cd", judgeCd],
  ["pushd", judgePushd],
  ["popd", judgePushd],
  ["kill", judgeKill],
  ["trap", judgeTrap],
  ["eval", judgeEval],
  ["export", judgeDeclare],
  ["declare", judgeDeclare],
  ["typeset", judgeDeclare],
  ["local", judgeDeclare],
  ["readonly", judgeDeclare],
]);

function judgeEcho(site: Site): void {
  site.classify(undefined);
}

/** Conversions that only print; `%n` sets a variable, and an unlisted one may do so in some shell. */
const printed =
  /%(?:[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d*))?(?:hh|h|ll|l|L|j|z|t)?[diouxXeEfFgGaAcsbqQ]|%|\([^()%]*(?:%[A-Za-z%][^()%]*)*\)T)/gu;

function judgePrintf(site: Site): void {
  site.classify(undefined);
  const words = site.args[0] === "--" ? site.args.slice(1) : site.args;
  const [first, ...values] = words;
  if (first === undefined) return;
  // A first word that may become -v must be known.
  const start = leadingText(first);
  // Any other option is an error in the builtin itself.
  if (start.startsWith("-v") && words === site.args) {
    site.unknown("printf -v evaluates a name and sets it");
    return;
  }
  if (typeof first === "string") {
    if (first.replaceAll(printed, "").includes("%")) {
      site.unknown("a conversion of printf may set a variable");
    }
    return;
  }
  if (first.splits || start === "" || start === "-") {
    const begins = typeof first.pieces[0] === "string" && start !== "-";
    if (first.splits || !(begins || endsNoName(first)))
      site.unknown("the format of printf could turn into -v");
  }
  // Without values, a conversion has no variable name to set.
  if (values.length > 0 || first.pieces.some(isPattern)) {
    site.unknown("the format of printf is not known before it runs");
  }
}

/** Whether the text after -v in this word can be neither a name nor an array element. */
function endsNoName(word: DynamicWord): boolean {
  const last = word.pieces.at(-1);
  return typeof last === "string" && /[^\w[\]]/u.test(last) && !last.endsWith("]");
}

function isPattern(piece: DynamicWord["pieces"][number]): boolean {
  return typeof piece !== "string" && piece.kind === "pattern";
}

function judgeSet(site: Site): void {
  site.classify("silent");
  let named = false;
  for (const word of site.args) {
    if (word === "--" || word === "-") return;
    if (
      named &&
      typeof word === "string" &&
      /^(?:pipefail|errexit|nounset|noglob|noclobber|braceexpand|posix)$/u.test(word)
    ) {
      named = false;
      continue;
    }
    if (named || typeof word !== "string" || !/^[-+][eufCBnpo]+$/u.test(word)) {
      site.unknown(`set ${showWord(word)} changes how the shell reads what follows`);
      return;
    }
    named = word.endsWith("o");
  }
}

function judgeCd(site: Site): void {
  site.classify("silent");
  let words = site.args;
  let isPhysical = false;
  for (; typeof words[0] === "string" && /^-[LPe@]+$/u.test(words[0]); words = words.slice(1)) {
    isPhysical ||= words[0].includes("P");
  }
  if (words[0] === "--") words = words.slice(1);
  const [target, ...others] = words;
  if (others.length > 0) site.unknown("cd is given more than one directory");
  // With physical paths, a later `..` goes up from the target of a link.
  if (isPhysical) site.moveTo(undefined);
  else
    site.moveTo(
      target ?? { dynamic: "home", pieces: [{ kind: "variable", name: "HOME" }], splits: false },
    );
}

function judgePushd(site: Site): void {
  site.classify("silent");
  const [target, ...others] = site.args;
  if (
    site.name === "popd" ||
    target === undefined ||
    others.length > 0 ||
    /^[-+]/u.test(leadingText(target))
  ) {
    site.moveTo(undefined);
  } else site.moveTo(target);
}

function judgeKill(site: Site): void {
  site.classify("general");
  const [first, second, ...rest] = site.args;
  if (first === "-l" || first === "-L") return;
  // After -0 or -s another signal may follow, and that one is sent.
  // One quoted word gives a signal or a process, and not both.
  const isAlone = site.args.length === 2 && !(typeof second === "object" && maySeveral(second));
  if (first === "-0" && (isAlone || !site.args.slice(1).some(mayBeSignal))) return;
  if (first === "-s" && second === "0" && !rest.some(mayBeSignal)) return;
  site.unknown("it sends a signal to a process");
}

/** Whether a word may be an option; `$!` is the number of a process or empty. */
function mayBeSignal(word: Argument): boolean {
  return showWord(word) !== "$!" && mayBeOption(word);
}

function judgeTrap(site: Site): void {
  site.classify("silent");
  const words = site.args[0] === "--" ? site.args.slice(1) : site.args;
  const [first] = words;
  if (words.some((word) => typeof word !== "string" && (word.splits || maySeveral(word)))) {
    site.unknown("what is trapped is not known before it is");
    return;
  }
  if (first === undefined || first === "-p" || first === "-l" || first === "-" || first === "")
    return;
  if (words.length > 1) site.script(first, { via: "trap" });
}

function judgeEval(site: Site): void {
  site.classify(undefined);
  const words = site.args[0] === "--" ? site.args.slice(1) : site.args;
  if (words.length === 0) return;
  const loose = words.find((word) => typeof word !== "string");
  site.script(loose ?? words.filter((word) => typeof word === "string").join(" "), { via: "eval" });
}

/** Judges `export`, `declare` and similar builtins: plain names with plain values, without evaluation. */
function judgeDeclare(site: Site): void {
  site.classify("silent");
  const exports = site.name === "export";
  let exported = exports;
  for (const word of site.args) {
    const start = leadingText(word);
    if (start.startsWith("-") || start.startsWith("+")) {
      const allowed = exports ? /^-p$/u : /^[-+][grluxp]+$/u;
      if (typeof word !== "string" || !(allowed.test(word) || word === "--")) {
        site.unknown(`${site.name} ${showWord(word)} makes a value be evaluated`);
      } else exported ||= word.includes("x");
      continue;
    }
    const name = /^([A-Za-z_]\w*)(?:\+?=|$)/u.exec(start)?.[1];
    const equals = start.indexOf("=");
    if (name === undefined || (typeof word !== "string" && equals === -1)) {
      site.unknown(`${site.name} evaluates ${showWord(word)}`);
    } else if (equals === -1 && exported && !isPlainAssignment(name, "") && !setsQuietly(name)) {
      site.unknown(`${site.name} hands ${name} on to other programs, which may obey it`);
    } else if (
      equals !== -1 &&
      !(exported ? isPlainAssignment(name, dropLeading(word, equals + 1)) : setsQuietly(name))
    ) {
      site.unknown(`it sets ${name}, which other programs may obey`);
    }
  }
}

/** Checks the name of `wait -p`, which is unset before waiting. */
function checkWait(line: CommandLine, site: Site): void {
  const names = line.options.flatMap(({ name, value }) => (name === "p" ? [value ?? ""] : []));
  checkNames({ ...line, operands: names }, site);
}

/** Checks the names of `read`, `unset` and similar builtins, which evaluate a name with brackets. */
function checkNames(line: CommandLine, site: Site): void {
  const names = [
    ...line.operands,
    ...line.options.filter(({ name }) => name === "a").map(({ value }) => value ?? ""),
  ];
  for (const word of names) {
    if (typeof word !== "string" || !/^[A-Za-z_]\w*$/u.test(word)) {
      site.unknown(`${site.name} evaluates the name ${showWord(word)}`);
    } else if (!(setsQuietly(word) || word === "REPLY" || word === "MAPFILE")) {
      site.unknown(`it changes ${word}, which the shell or other programs may obey`);
    }
  }
}

function checkShopt(line: CommandLine, site: Site): void {
  const known =
    /^(?:nullglob|globstar|dotglob|failglob|nocaseglob|nocasematch|extglob|inherit_errexit)$/u;
  for (const word of line.operands) {
    if (typeof word !== "string" || !known.test(word)) {
      site.unknown(`shopt ${showWord(word)} changes how the shell reads what follows`);
    }
  }
}

function checkAlias(line: CommandLine, site: Site): void {
  for (const word of line.operands) {
    if (typeof word !== "string" || word.includes("="))
      site.unknown("an alias gives a name another meaning");
  }
}

function plainNumber(line: CommandLine, site: Site): void {
  for (const word of line.operands) {
    if (typeof word !== "string" || !/^\d+$/u.test(word)) site.unknown("history may be changed");
  }
}

/** Judges `test`, which evaluates a subscript in the name after -v and -R. */
function judgeTest(site: Site): void {
  site.classify(undefined);
  const words = site.args;
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (typeof word !== "string") {
      // A name may be `-v`, and the next one its operand.
      const mayTest = maySeveral(word) && mayBeOption(word) && !/[^vR]$/u.test(trailingText(word));
      if (word.splits || mayTest)
        site.unknown(`${showWord(word)} could turn into a test that evaluates`);
      else if (
        next !== undefined &&
        isEvaluated(next) &&
        words[index - 1] !== "=" &&
        words[index - 1] !== "!="
      ) {
        site.unknown(`${showWord(word)} could be a test that evaluates what follows`);
      }
      continue;
    }
    if ((word === "-v" || word === "-R") && next !== undefined && isEvaluated(next)) {
      site.unknown("test evaluates a name that is not plain");
    }
  }
}

function isEvaluated(word: Argument): boolean {
  if (word === "]") return false;
  return typeof word !== "string" || word.includes("[");
}
