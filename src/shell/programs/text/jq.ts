import type { Site } from "../../walk/invocation-context.ts";
import {
  alternatives,
  leadingText,
  mayBeOption,
  maySeveral,
  showWord,
  trailingText,
  type Argument,
} from "../../words/words.ts";

/** Option letters that only change input and output formats; any other letter in a cluster is unknown. */
const flags = /^-[nrjcaCMSseR]+$/u;
const longFlags: ReadonlySet<string> = new Set([
  "--null-input",
  "--raw-input",
  "--slurp",
  "--compact-output",
  "--raw-output",
  "--raw-output0",
  "--join-output",
  "--ascii-output",
  "--sort-keys",
  "--color-output",
  "--monochrome-output",
  "--tab",
  "--unbuffered",
  "--stream",
  "--stream-errors",
  "--seq",
  "--exit-status",
]);

/** Number of words that an option takes, and whether the last one is a file. */
const valued: ReadonlyMap<string, { readonly words: number; readonly isFile: boolean }> = new Map([
  ["--arg", { words: 2, isFile: false }],
  ["--argjson", { words: 2, isFile: false }],
  ["--slurpfile", { words: 2, isFile: true }],
  ["--rawfile", { words: 2, isFile: true }],
  ["--indent", { words: 1, isFile: false }],
]);

/**
 * Judges `jq`, whose operands differ by position: the first is the filter, later ones are files until `--args` or
 * `--jsonargs`, and values after that.
 */
export function judgeJq(site: Site): void {
  const { args } = site;
  let filter: Argument | undefined;
  let files = 0;
  let isEnded = false;
  let areValues = false;
  site.classify("read");
  if (args.length === 1 && /^(?:-h|-V|--help|--version)$/u.test(leadingText(args[0] ?? ""))) return;
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    const option = typeof word === "string" && !isEnded ? valued.get(word) : undefined;
    if (option !== undefined) {
      const values = args.slice(index + 1, index + 1 + option.words);
      if (values.length < option.words || values.some(maySeveral)) {
        site.unknown(`the values of ${showWord(word)} are not known`);
      }
      const last = values.at(-1);
      if (option.isFile && last !== undefined) site.read(last);
      index += option.words;
    } else if (!isEnded && word === "--") isEnded = true;
    else if (!isEnded && (word === "--args" || word === "--jsonargs")) areValues = true;
    else if (!isEnded && mayBeOption(word) && word !== "-" && !isFileName(word)) {
      noteOption(word, site);
    } else if (filter === undefined) filter = word;
    else if (!areValues) {
      site.read(word);
      files++;
    } else if (maySeveral(word)) site.unknown(`${showWord(word)} could turn into an option`);
    if (filter === word && maySeveral(word)) {
      site.unknown("the filter of jq is not known before it runs");
    }
  }
  if (filter !== undefined && mayLoad(filter)) {
    site.unknown("the filter of jq may read modules from anywhere");
  }
  if (files === 0 && site.piped) site.classify(undefined);
}

/** Whether a word ends like a file name: no option of jq contains a dot. */
function isFileName(word: Argument): boolean {
  return typeof word !== "string" && /\.[A-Za-z0-9]+$/u.test(trailingText(word));
}

function noteOption(word: Argument, site: Site): void {
  if (typeof word === "string" && (flags.test(word) || longFlags.has(word))) return;
  if (site.name !== "jq" && (word === "-e" || word === "-R")) return;
  site.unknown(
    typeof word === "string"
      ? `the option ${word} is not known`
      : `${showWord(word)} could turn into an option`,
    leadingText(word),
  );
}

/** Whether a filter may load modules, which it can only do at its beginning, after comments at most. */
function mayLoad(filter: Argument): boolean {
  return (alternatives(filter) ?? [filter]).some((each) => {
    const start = leadingText(each);
    return (
      loads(start) || (typeof each !== "string" && /^(?:$|[#im]\w*$)/u.test(start.trimStart()))
    );
  });
}

function loads(text: string): boolean {
  const start = text.trimStart();
  return (
    /\bmodulemeta\b/u.test(text) ||
    (start.startsWith("#")
      ? /\b(?:import|include|module)\b/u.test(start)
      : /^(?:import|include|module)(?![\w.])/u.test(start))
  );
}
