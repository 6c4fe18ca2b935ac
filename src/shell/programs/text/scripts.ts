import { readAwkProgram } from "./awk-program.ts";
import { readSedScript } from "./sed-script.ts";
import type { CommandLine } from "../options.ts";
import type { Site } from "../../walk/invocation-context.ts";
import { alternatives, type Argument } from "../../words/words.ts";
import { hasOption, optionValue } from "../row.ts";

const scriptOptions = ["e", "expression", "f", "file"];

/** Judges a sed script and the files in its command line. */
export function checkSed(line: CommandLine, site: Site): void {
  const isGiven = hasOption(line, scriptOptions);
  const inPlace = line.options.find(({ name }) => name === "i" || name === "in-place");
  if (inPlace !== undefined) {
    site.classify("write");
    const suffix = optionValue(line, ["i", "in-place"]);
    if (suffix !== undefined && !(typeof suffix === "string" && /^[\w.~-]+$/u.test(suffix))) {
      site.unknown("where sed keeps the files it replaces is not known", inPlace.written);
    }
    if (hasOption(line, ["follow-symlinks"])) {
      site.unknown("sed replaces what links lead to", "--follow-symlinks");
    }
    for (const word of isGiven ? line.operands : line.operands.slice(1)) {
      site.writeThrough(inPlace.written, word, "modify");
      if (typeof suffix === "string" && typeof word === "string") {
        site.writeThrough(inPlace.written, word + suffix, "any");
      }
    }
  }
  const texts = line.options
    .filter(({ name }) => name === "e" || name === "expression")
    .map(({ value }) => value ?? "");
  if (!isGiven) {
    const [first, second] = line.operands;
    if (first === undefined) return;
    texts.push(first);
    // In BSD sed `-i ''` makes no backup, and the script is the next word.
    if (first === "" && inPlace !== undefined && second !== undefined) texts.push(second);
  }
  let whole: readonly string[] | undefined = [""];
  for (const [index, text] of texts.entries()) {
    const parts = scriptsOf(text);
    whole =
      parts === undefined
        ? undefined
        : whole?.flatMap((start) =>
            parts.map((part) => (index === 0 ? part : `${start}\n${part}`)),
          );
    if (whole === undefined || whole.length > 64) {
      site.unknown("the sed script is not known before it runs", "");
      return;
    }
  }
  for (const script of whole ?? []) noteScript(script, site);
}

function noteScript(script: string, site: Site): void {
  const found = readSedScript(script);
  for (const path of found.reads) site.read(path);
  for (const path of found.writes) {
    site.classify("write");
    site.writeThrough("", path, "any");
  }
  if (found.because !== undefined) site.unknown(found.because, "");
}

/**
 * Possible texts of a script whose only unknown parts are counts and words of a list. A count may be empty or negative;
 * apart from that, its value does not change how the script is parsed.
 */
function scriptsOf(word: Argument): readonly string[] | undefined {
  if (typeof word === "string") return [word];
  if (word.splits) return undefined;
  const scripts: string[] = [];
  for (const each of alternatives(word) ?? [word]) {
    const pieces = typeof each === "string" ? [each] : each.pieces;
    if (!pieces.some((piece) => typeof piece === "string")) return undefined;
    for (const count of ["1", "", "-1"]) {
      const texts = pieces.map((piece) => {
        if (typeof piece === "string") return piece;
        if (piece.kind !== "number") return undefined;
        return piece.signed || count !== "-1" ? count : "1";
      });
      if (texts.includes(undefined)) return undefined;
      scripts.push(texts.join(""));
    }
  }
  return [...new Set(scripts)];
}

/** Options of awk whose value does not replace the program, which stays the first operand. */
const quietAwk = new Set(["v", "assign", "F", "field-separator", "L", "lint"]);

const lacksValue = /^--(?:field-separator|assign)$/u;

/** Judges an awk program and its files. */
export function checkAwk(line: CommandLine, site: Site): void {
  for (const option of line.options) {
    if (site.name !== "gawk" && option.value === undefined && lacksValue.test(option.written)) {
      site.unknown(`an awk that ignores ${option.written} runs the word behind it`, option.written);
    }
    if (quietAwk.has(option.name)) continue;
    if (option.value !== undefined) return;
  }
  const [program, ...files] = line.operands;
  if (program === undefined) return;
  const texts = scriptsOf(program);
  if (texts === undefined) {
    site.unknown("the awk program is not known before it runs", "");
    return;
  }
  for (const text of texts) {
    const because = readAwkProgram(text);
    if (because !== undefined) site.unknown(because, "");
  }
  let read = 0;
  for (const word of files) {
    if (word === "-" || (typeof word === "string" && /^[A-Za-z_]\w*=/u.test(word))) continue;
    site.read(word);
    read++;
  }
  if (read > 0) site.classify("read");
}
