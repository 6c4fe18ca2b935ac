/**
 * Finds phrases that are not plain engineering English in comments, strings, documentation and test titles.
 *
 *   npm run words                     all files of the repository
 *   npm run words -- src/journal      only those below the paths given
 *   npm run words -- --kind comment   only those in comments; or "string", or "docs"
 *   npm run words -- --count          how many there are in each directory
 *
 * The phrases and what to write instead are in scripts/words.txt, one a line; the occurrences that may stay are in
 * scripts/words-allowed.txt, with the reason. Exits 1 where another one occurs, or an allowed one no longer does.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { parseSync, Visitor } from "oxc-parser";

interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

type Kind = "comment" | "string" | "docs";

interface Stretch {
  readonly kind: Kind;
  readonly text: string;
  readonly start: number;
}

interface Hit {
  readonly kind: Kind;
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly phrase: Phrase;
}

const root = path.join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "boolean", default: false }, kind: { type: "string" } },
});

let rules: string | undefined;
const phrases = readPhrases();
/** All phrases in one expression: nearly every text has none of them, and one search says so. */
const anyPhrase = new RegExp(phrases.map(({ pattern }) => pattern.source).join("|"), "iu");
const allowed = readAllowed();
const used = new Set<string>();
const cleanFile = path.join(root, ".cache/words.json");
/** Hashes of the texts in which these phrases do not occur, of the last run. */
const cleanBefore = readClean();
const clean = new Set<string>();
const checked = files(positionals);
const hits = checked
  .flatMap((file) => hitsIn(file))
  .filter((hit) => !isAllowed(hit))
  .filter(({ kind }) => values.kind === undefined || kind === values.kind);
const unused = [...allowed].filter(([entry, file]) => checked.includes(file) && !used.has(entry));
if (values.count) {
  for (const [directory, count] of countsByDirectory(hits))
    say(`${String(count).padStart(6)} ${directory}`);
} else {
  for (const { file, line, found, phrase } of hits)
    say(`${file}:${line}: "${found}": ${phrase.instead}`);
}
for (const [entry] of unused)
  say(`scripts/words-allowed.txt: "${entry}" does not occur; remove it.`);
say(`${hits.length} phrases to replace.`);
// Part of the files leaves the others as they were.
mkdirSync(path.dirname(cleanFile), { recursive: true });
writeFileSync(
  cleanFile,
  JSON.stringify([...(positionals.length > 0 ? cleanBefore : []), ...clean]),
);
process.exitCode = hits.length === 0 && unused.length === 0 ? 0 : 1;

function readPhrases(): readonly Phrase[] {
  return linesOf("words.txt").map(([pattern, instead]) => ({
    pattern: new RegExp(pattern, "giu"),
    instead,
  }));
}

/** Allowed occurrences, "file  text", and the file of each. */
function readAllowed(): ReadonlyMap<string, string> {
  return new Map(
    linesOf("words-allowed.txt").map(([entry, because]) => {
      const [file = "", text = ""] = entry.split("  ");
      if (text === "" || because === "")
        throw new TypeError(`"${entry}" needs a text and a reason.`);
      return [entry, file];
    }),
  );
}

function isAllowed({ file, found }: Hit): boolean {
  const entry = `${file}  ${found}`;
  if (!allowed.has(entry)) return false;
  used.add(entry);
  return true;
}

function linesOf(file: string): readonly (readonly [text: string, note: string])[] {
  return readFileSync(path.join(root, "scripts", file), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [text = "", note = ""] = line.split("  # ");
      return [text, note];
    });
}

/** Files that git tracks or would add, without the generated API report. */
function files(below: readonly string[]): readonly string[] {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...below],
    { cwd: root, encoding: "utf8" },
  );
  return listed
    .split("\0")
    .filter((file) => /\.(?:ts|mts|cjs|md)$/u.test(file) && !file.startsWith("docs/api/"));
}

/** Phrases in a file, which is only parsed when the last run did not find its text clean. */
function hitsIn(file: string): readonly Hit[] {
  const source = readFileSync(path.join(root, file), "utf8");
  const name = hashOf(`${path.extname(file)} ${source}`);
  const found = cleanBefore.has(name) ? [] : searched(file, source);
  if (found.length === 0) clean.add(name);
  return found;
}

function searched(file: string, source: string): readonly Hit[] {
  const stretches = file.endsWith(".md") ? proseOf(source) : wordsOf(file, source);
  return stretches
    .filter(({ text }) => anyPhrase.test(text))
    .flatMap(({ kind, text, start }) =>
      phrases.flatMap((phrase) =>
        [...text.matchAll(phrase.pattern)].map((match) => ({
          kind,
          file,
          line: source.slice(0, start + match.index).split("\n").length,
          found: match[0].replaceAll(/\s+/gu, " "),
          phrase,
        })),
      ),
    );
}

/** Empty where the rules have changed: each hash is made with them and with this script. */
function readClean(): ReadonlySet<string> {
  try {
    const read: unknown = JSON.parse(readFileSync(cleanFile, "utf8"));
    return new Set(Array.isArray(read) ? read.map(String) : []);
  } catch {
    return new Set();
  }
}

function hashOf(text: string): string {
  rules ??= ["words.txt", "check-words.ts"]
    .map((file) => readFileSync(path.join(root, "scripts", file), "utf8"))
    .join("\n");
  return createHash("sha1").update(rules).update(text).digest("hex");
}

/** A document as one text without names from the code, so that a sentence over several lines is one. */
function proseOf(source: string): readonly Stretch[] {
  const text = source.replaceAll("\n", " ").replaceAll(/`[a-z]\w*(?:\.\w+)*`/giu, blanks);
  return [{ kind: "docs", text, start: 0 }];
}

/** Comments, strings and templates of a module; a sentence over several lines is one stretch of the same length. */
function wordsOf(file: string, source: string): readonly Stretch[] {
  const { program, comments } = parseSync(file, source);
  const found: Stretch[] = [];
  let previous: { readonly type: string; readonly end: number } | undefined;
  for (const comment of comments) {
    const text = source.slice(comment.start, comment.end).replaceAll(/\n\s*\*?/gu, blanks);
    const last = found.at(-1);
    if (
      last !== undefined &&
      previous?.type === "Line" &&
      comment.type === "Line" &&
      /^\n[ \t]*$/u.test(source.slice(previous.end, comment.start))
    ) {
      const between = " ".repeat(comment.start - previous.end + 2);
      found[found.length - 1] = { ...last, text: last.text + between + text.slice(2) };
    } else {
      found.push({ kind: "comment", text, start: comment.start });
    }
    previous = comment;
  }
  const add = (start: number, end: number): void => {
    found.push({ kind: "string", text: source.slice(start, end).replaceAll("\n", " "), start });
  };
  new Visitor({
    Literal: ({ value, start, end }) => {
      if (typeof value === "string") add(start, end);
    },
    TemplateElement: ({ start, end }) => add(start, end),
    JSXText: ({ start, end }) => add(start, end),
  }).visit(program);
  return found;
}

function blanks(text: string): string {
  return " ".repeat(text.length);
}

function countsByDirectory(all: readonly Hit[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { file } of all) {
    const directory = file.split("/").slice(0, 2).join("/");
    counts.set(directory, (counts.get(directory) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
