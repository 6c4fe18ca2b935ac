import type { CommandLine } from "../options.ts";
import type { Program, Site } from "../../walk/invocation-context.ts";
import { gzipSuffixes, readPacked } from "./archives.ts";
import { readFind } from "./find.ts";
import { leadingText } from "../../words/words.ts";
import { filesAfterText, hasOption, optionValue, programs } from "../row.ts";

const grepOptions =
  "-abcEFGHhiILlnoPqrRsTUuvVwxyzZ -A: -B: -C: -d: -D: -e: -f:r -m: --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp= --file=r --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match --max-count= --byte-offset --line-number --line-buffered --with-filename --no-filename --label= --only-matching --quiet --silent --binary-files= --text --directories= --devices= --recursive --dereference-recursive --include= --exclude= --exclude-from=r --exclude-dir= --files-without-match --files-with-matches --count --initial-tab --null --before-context= --after-context= --context= --color? --colour? --group-separator= --no-group-separator --binary --unix-byte-offsets";

/**
 * Options that the wrapper scripts of grep parse differently from grep: recursive ones, which they refuse only if not
 * abbreviated, and long ones whose value they treat as an operand.
 */
const notUnpacking =
  /^(?:--(?:(?:after-|before-)?context|d|exc|inc|group|rec)[a-z-]*$|-[a-zA-Z]*[dRrzZ])/u;

interface GrepLike {
  /** Options that make the search recursive; a star means always. */
  readonly deep: readonly string[];
  /** Options that provide the pattern, so that no operand does. */
  readonly given: readonly string[];
}

const grepDeep: GrepLike = {
  deep: ["r", "R", "recursive", "dereference-recursive"],
  given: ["e", "regexp", "f", "file"],
};

/** Programs that find text or files. */
export const searchPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["find", readFind],
  ["gfind", readFind],
  ...programs({
    "grep egrep fgrep ggrep": {
      is: "search",
      options: grepOptions,
      traits: { harmless: true, numbers: true },
      operands: "text",
      check: (line, site) => {
        grepLike(line, site, grepDeep);
      },
    },
    // Not bzgrep, which splits its options at blanks and treats options after a file as files.
    "zgrep zegrep zfgrep xzgrep": {
      is: "search",
      options: grepOptions,
      traits: { numbers: true, abbreviates: false },
      operands: "text",
      check: (line, site) => {
        if (site.args.some((word) => notUnpacking.test(leadingText(word)))) {
          site.unknown(`${site.name} does not read its options as grep does`);
        }
        grepLike(line, site, grepDeep);
        readPacked(
          hasOption(line, grepDeep.given) ? line.operands : line.operands.slice(1),
          gzipSuffixes,
          site,
        );
      },
    },
    rg: {
      is: "search",
      options:
        "-abcFhHiIlLnNopPqsSuUvwx0.V -z! -A: -B: -C: -d: -E: -e: -f:r -g: -j: -m: -M: -r: -t: -T: --after-context= --auto-hybrid-regex --before-context= --binary --block-buffered --byte-offset --case-sensitive --color= --colors= --column --context= --context-separator= --count --count-matches --crlf --debug --dfa-size-limit= --encoding= --engine= --field-context-separator= --field-match-separator= --file=r --files --files-with-matches --files-without-match --fixed-strings --follow --generate= --glob= --glob-case-insensitive --heading --hidden --hostname-bin=! --hyperlink-format=! --iglob= --ignore-case --ignore-file=r --ignore-file-case-insensitive --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --maxdepth= --max-filesize= --mmap --multiline --multiline-dotall --no-binary --no-block-buffered --no-config --no-context-separator --no-crlf --no-encoding --no-filename --no-fixed-strings --no-follow --no-glob-case-insensitive --no-heading --no-hidden --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-json --no-line-buffered --no-line-number --no-max-columns-preview --no-messages --no-mmap --no-multiline --no-multiline-dotall --no-one-file-system --no-pcre2 --no-pre --no-require-git --no-search-zip --no-sort-files --no-stats --no-text --no-trim --no-unicode --null --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2 --pcre2-version --pre=! --pre-glob= --pretty --quiet --regex-size-limit= --regexp= --replace= --search-zip! --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trace --trim --type= --type-add= --type-clear= --type-list --type-not= --unicode --unrestricted --vimgrep --with-filename --word-regexp --version",
      traits: { abbreviates: false },
      operands: "text",
      check: ripgrep,
    },
    // In both programs -A takes only a number; otherwise the next word is the pattern.
    ag: {
      is: "search",
      options:
        "-acDFfHhiLlnoQrRsSuUvw0 -A:d -B:d -C:d -g: -G: -m: -p:r --ackmate --color --nocolor --group --nogroup --heading --noheading --break --nobreak --column --count --hidden --ignore= --ignore-dir= --ignore-case --literal --fixed-strings --smart-case --case-sensitive --files-with-matches --files-without-matches --filename-pattern= --file-search-regex= --numbers --nonumbers --only-matching --depth= --max-count= --word-regexp --invert-match --nopager --pager=! --path-to-ignore=r --all-types --all-text --unrestricted --skip-vcs-ignores --recurse --norecurse --silent --stats --vimgrep --print0 --js --ts --py --python --go --rust --ruby --html --css --java --cpp --cc --json --md --markdown --yaml",
      traits: { abbreviates: false },
      operands: "text",
      check: (line, site) => {
        grepLike(line, site, { deep: ["*"], given: ["g", "filename-pattern"] });
      },
    },
    ack: {
      is: "search",
      options:
        "-cfghHilLnoQrRsSvw1 -A:d -B:d -C:d -m: -t: -T: --color --nocolor --colour --nocolour --group --nogroup --heading --noheading --break --nobreak --column --count --ignore-dir= --noignore-dir= --ignore-file= --ignore-case --literal --smart-case --files-with-matches --files-without-matches --max-count= --word-regexp --invert-match --with-filename --no-filename --nopager --pager=! --no-recurse --recurse --sort-files --type= --js --ts --py --python --go --rust --ruby --html --css --java --cpp --cc --perl --json --yaml --noenv --known-types",
      traits: { abbreviates: false },
      operands: "text",
      check: (line, site) => {
        grepLike(line, site, { deep: ["*"], given: ["f"] });
      },
    },
    "fd fdfind": {
      is: "search",
      options:
        "-HIusigFaLp0q1h -l! -d: -t: -e: -E: -S: -o: -c: -j: -x! -X! -C:t --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-global-ignore-file --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --and= --absolute-path --list-details! --follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --prune --type= --extension= --size= --changed-within= --changed-before= --newer= --older= --owner= --format= --exec! --exec-batch! --batch-size= --ignore-file=r --color= --hyperlink? --threads= --max-results= --quiet --show-errors --base-directory=t --path-separator= --search-path=t --strip-cwd-prefix? --one-file-system --xdev --and-ignore-case",
      traits: { abbreviates: false },
      operands: "text",
      check: (line, site) => {
        const [pattern] = line.operands;
        const roots = filesAfterText(line, []);
        if (pattern === undefined && !hasOption(line, ["e", "extension"])) site.classify("list");
        for (const root of roots) site.read(root, "tree");
        if (roots.length === 0 && !hasOption(line, ["base-directory", "search-path"])) {
          site.read(".", "tree");
        }
      },
    },
    tokei: {
      is: "read",
      options:
        "-fC -s: -t: -e: -c: -n: --files --sort= --rsort= --type= --types= --exclude= --columns= --num-format= --compact --hidden --no-ignore --no-ignore-dot --no-ignore-parent --no-ignore-vcs --verbose",
      traits: { abbreviates: false },
      operands: "tree",
      otherwise: { path: ".", scope: "tree" },
    },
    // Not -w, which writes, and not -cpuprofile.
    gofmt: {
      is: "read",
      options: "-d -e -l -s -r:",
      traits: { singleDash: true, abbreviates: false },
      operands: "tree",
    },
    "locate mlocate plocate": {
      is: "search",
      options:
        "-AbceirwSq0 -l: -n: -d:! --all --basename --count --existing --ignore-case --limit= --regexp= --regex --wholename --null --quiet",
      operands: "text",
    },
    which: {
      is: "search",
      options: "-as --all --skip-alias --skip-dot --skip-tilde --show-dot --show-tilde --tty-only",
      operands: "text",
      check: (line, site) => {
        if (line.operands.length === 0) site.classify("general");
      },
    },
    whereis: { is: "search", options: "-bmsulg", operands: "text" },
  }),
]);

/** Judges a pattern followed by files; without files it reads its input, or the cwd if the search is recursive. */
function grepLike(line: CommandLine, site: Site, { deep, given }: GrepLike): void {
  if (hasOption(line, ["help", "version", "V"])) {
    site.classify("general");
    return;
  }
  const files = filesAfterText(line, given);
  const isDeep =
    deep.includes("*") ||
    hasOption(line, deep) ||
    optionValue(line, ["d", "directories"]) === "recurse";
  for (const word of files) {
    if (word !== "-") site.read(word, isDeep ? "tree" : "file");
  }
  if (files.length > 0) return;
  if (isDeep && !(deep.includes("*") && site.piped)) site.read(".", "tree");
  // The source of the filtered text determines the class, not the filter.
  else if (site.piped) {
    site.classify(undefined);
    site.filters("search");
  }
}

function ripgrep(line: CommandLine, site: Site): void {
  if (hasOption(line, ["help", "h", "version", "V"])) {
    site.classify("general");
    return;
  }
  const lists = hasOption(line, ["files"]);
  if (lists) site.classify("list");
  const files = lists ? line.operands : filesAfterText(line, ["e", "regexp", "f", "file"]);
  for (const word of files) if (word !== "-") site.read(word, "tree");
  if (files.length > 0) return;
  if (site.piped && !lists) {
    site.classify(undefined);
    site.filters("search");
  } else site.read(".", "tree");
}
