import { readAwkProgram } from "../awk-program.ts";
import { readSedScript } from "../sed-script.ts";
import type { CommandLine } from "../options.ts";
import type { Site } from "../site.ts";
import { leadingText, type Argument } from "../words.ts";
import { hasOption, optionValue, programs } from "./row.ts";

const harmless = { harmless: true };
const withNumbers = { harmless: true, numbers: true };

const sums =
  "-bctwz --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn -a: --algorithm= -l: --length= --untagged --raw --base64 --debug";

/** Programs that read text and print it changed: none writes unless a row says so. */
export const textPrograms = programs({
  cat: {
    is: "filter",
    options:
      "-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting",
    traits: harmless,
    operands: "read",
  },
  tac: {
    is: "filter",
    options: "-br -s: --before --regex --separator=",
    traits: harmless,
    operands: "read",
  },
  head: {
    is: "filter",
    options: "-qvz -c: -n: --bytes= --lines= --quiet --silent --verbose --zero-terminated",
    traits: withNumbers,
    operands: "read",
  },
  tail: {
    is: "filter",
    options:
      "-fFqvz -c: -n: -s: --bytes= --lines= --follow? --pid= --quiet --silent --verbose --retry --sleep-interval= --max-unchanged-stats= --zero-terminated",
    traits: withNumbers,
    operands: "read",
  },
  wc: {
    is: "filter",
    options: "-clLmw --bytes --chars --lines --max-line-length --words --files0-from=r --total=",
    traits: harmless,
    operands: "read",
  },
  nl: {
    is: "filter",
    options:
      "-p -b: -d: -f: -h: -i: -l: -n: -s: -v: -w: --body-numbering= --section-delimiter= --footer-numbering= --header-numbering= --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width=",
    traits: harmless,
    operands: "read",
  },
  cut: {
    is: "filter",
    options:
      "-nsz -b: -c: -d: -f: --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated",
    traits: harmless,
    operands: "read",
  },
  paste: {
    is: "filter",
    options: "-sz -d: --delimiters= --serial --zero-terminated",
    traits: harmless,
    operands: "read",
  },
  comm: {
    is: "read",
    options: "-123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated",
    traits: harmless,
    operands: "read",
  },
  join: {
    is: "read",
    options:
      "-iz -1: -2: -a: -e: -j: -o: -t: -v: --ignore-case --check-order --nocheck-order --header --zero-terminated",
    traits: harmless,
    operands: "read",
  },
  "expand unexpand": {
    is: "filter",
    options: "-ai -t: --all --first-only --initial --tabs=",
    traits: withNumbers,
    operands: "read",
  },
  "nm objdump readelf size": {
    is: "read",
    options:
      "-aAdhlnrsStuwxgCDWfpPv -e -j: -M: --all-headers --file-headers --headers --section-headers --symbols --dynamic --syms --demangle? --disassemble? --source --wide --numeric-sort --defined-only --undefined-only --extern-only --print-size --size-sort",
    operands: "read",
  },
  look: { is: "search", options: "-abdf -t: --alphanum --ignore-case", operands: "text" },
  "fold fmt": {
    is: "filter",
    options:
      "-abcistu -w: -g: -p: --bytes --spaces --width= --goal= --prefix= --crown-margin --tagged-paragraph --split-only --uniform-spacing --all --first-only --initial --tabs=",
    traits: withNumbers,
    operands: "read",
  },
  rev: { is: "filter", options: "-0 --zero", traits: harmless, operands: "read" },
  tr: {
    is: "filter",
    options: "-cCdst --complement --delete --squeeze-repeats --truncate-set1",
    traits: harmless,
    operands: "text",
  },
  column: {
    is: "filter",
    options:
      "-tneLRxJdmr -c: -s: -o: -N: -l: -C: -E: -H: -O: -R: -T: -W: -n: -p: -i: -S: --table --json --output-separator= --separator= --table-columns= --table-name= --table-right= --table-hide= --table-order= --table-truncate= --table-wrap= --table-noheadings --table-noextreme= --table-empty-lines --keep-empty-lines --output-width= --columns= --fillrows --tree= --tree-id= --tree-parent= --use-spaces=",
    traits: harmless,
    operands: "read",
  },
  colrm: { is: "filter", traits: harmless, operands: "text" },
  "od hexdump hd": {
    is: "filter",
    options:
      "-abcdfhiloxvsXCB -A: -j: -N: -S? -t: -w? -e: -f:r -n: -s: --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format= --output-duplicates --width? --traditional --canonical --length= --no-squeezing --one-byte-octal --one-byte-char --two-bytes-decimal --two-bytes-hex --two-bytes-octal --format-file=r",
    traits: harmless,
    operands: "read",
  },
  xxd: {
    is: "filter",
    options: "-abeiupEdC -r! -c: -g: -l: -n: -o: -s: -R:",
    traits: { singleDash: false },
    operands: "read",
    check: secondWrites,
  },
  strings: {
    is: "read",
    options:
      "-afdiovw -n: -e: -t: -T: -s: -U: --all --data --print-file-name --bytes= --radix= --encoding= --include-all-whitespace --output-separator= --unicode=",
    traits: withNumbers,
    operands: "read",
  },
  uniq: {
    is: "filter",
    options:
      "-cdDiuz -f: -s: -w: --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique --zero-terminated --check-chars=",
    operands: "read",
    check: secondWrites,
  },
  sort: {
    is: "filter",
    options:
      "-bcCdfgGhiMmnrRsuVz -k: -t: -S: -T:! -o:w --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source=r --reverse --sort= --version-sort --batch-size= --check? --compress-program=! --debug --files0-from=r --key= --merge --output=w --stable --buffer-size= --field-separator= --temporary-directory=! --parallel= --unique --zero-terminated",
    operands: "read",
  },
  shuf: {
    is: "filter",
    options:
      "-erz -i: -n: -o:w --echo --input-range= --head-count= --output=w --random-source=r --repeat --zero-terminated",
    operands: "read",
  },
  "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum cksum sum shasum md5": {
    is: "read",
    options: `${sums} -rsqpUx`,
    traits: harmless,
    operands: "read",
  },
  "base64 base32 basenc": {
    is: "filter",
    options:
      "-diD -w: --decode --ignore-garbage --wrap= --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85 -o:w --output=w",
    operands: "read",
  },
  "diff cmp": {
    is: "read",
    options:
      "-abBcdeEilnNpqrstTuwyZ -C: -U: -D: -F: -I: -S: -W: -x: -X:r -i? --normal --brief --report-identical-files --context? --unified? --ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from=r --starting-file= --from-file=r --to-file=r --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --strip-trailing-cr --text --minimal --horizon-lines= --speed-large-files --color? --palette= --line-format= --old-line-format= --new-line-format= --unchanged-line-format= --old-group-format= --new-group-format= --unchanged-group-format= --changed-group-format= --ifdef= --bytes= --print-bytes --ignore-initial= --verbose --quiet --silent -L: --paginate!",
    operands: "tree",
  },
  colordiff: { is: "read", options: "-urNqwbB", operands: "tree" },
  "numfmt factor": {
    is: "filter",
    options:
      "-dz --from= --to= --field= --format= --grouping --header? --invalid= --padding= --round= --suffix= --delimiter= --from-unit= --to-unit= --zero-terminated --debug -h",
    traits: harmless,
    operands: "text",
  },
  tsort: { is: "filter", traits: harmless, operands: "read" },
  pr: {
    is: "filter",
    options:
      "-adfFmrtTJ -c -D: -e? -h: -i? -l: -n? -N: -o: -s? -S? -w: -W: --columns= --length= --width= --header= --across --double-space --merge --omit-header --omit-pagination --join-lines --indent= --page-width= --pages= --number-lines? --separator? --sep-string?",
    traits: withNumbers,
    operands: "read",
  },
  iconv: {
    is: "filter",
    options: "-cls -f: -t: -o:w --from-code= --to-code= --list --output=w --silent --verbose",
    operands: "read",
  },
  "sed gsed": {
    is: "filter",
    options:
      "-nrEsuzb -e: -f:r! -l: -i? --quiet --silent --debug --expression= --file=r! --follow-symlinks --in-place? --line-length= --posix --regexp-extended --separate --sandbox --unbuffered --null-data --zero-terminated --binary",
    operands: "read",
    textFirst: ["e", "expression", "f", "file"],
    check: checkSed,
  },
  "awk gawk mawk nawk": {
    is: "filter",
    options:
      "-bcCghkLMnNOPrsStV -F: -v: -f:r! -E:r! -i:! -l:! -d?! -p?! -o?! -D?! -e:! -W:! --field-separator= --assign= --file=r! --exec=! --include=! --load=! --dump-variables?! --profile?! --pretty-print?! --debug?! --source=! --posix --re-interval --sandbox --traditional --characters-as-bytes --non-decimal-data --use-lc-numeric --csv --optimize --no-optimize --bignum --lint? --lint-old",
    traits: { stopsEarly: true },
    operands: "text",
    check: checkAwk,
  },
  "jq gojq jaq": {
    is: "filter",
    options:
      "-ncCMaSrRjsehV -i! -f:r! -L:t --null-input --raw-input --slurp --compact-output --raw-output --raw-output0 --join-output --ascii-output --sort-keys --color-output --monochrome-output --tab --indent= --unbuffered --stream --stream-errors --seq --from-file=r! --library-path=t --exit-status --build-configuration --args --jsonargs --arg= --argjson= --slurpfile= --rawfile= --yaml-input --yaml-output --in-place!",
    traits: { abbreviates: false, harmless: true },
    operands: "text",
    check: checkJq,
  },
});

/** The second operand is where it writes. */
function secondWrites(line: CommandLine, site: Site): void {
  const [, target] = line.operands;
  if (target !== undefined && target !== "-") site.write(target, "any");
  const [first] = line.operands;
  if (first !== undefined && typeof first !== "string" && (first.splits || hasPattern(first))) {
    site.unknown("a pattern may become two files, and the second is written");
  }
}

function hasPattern(word: Argument): boolean {
  return (
    typeof word !== "string" &&
    word.pieces.some((piece) => typeof piece !== "string" && piece.kind === "pattern")
  );
}

function checkSed(line: CommandLine, site: Site): void {
  if (hasOption(line, ["help", "version"])) return;
  if (hasOption(line, ["i", "in-place"])) {
    site.classify("write");
    const given = hasOption(line, ["e", "expression", "f", "file"]);
    const suffix = optionValue(line, ["i", "in-place"]);
    if (suffix !== undefined && !(typeof suffix === "string" && /^[\w.~-]+$/u.test(suffix))) {
      site.unknown("where sed keeps the files it replaces is not known");
    }
    for (const word of given ? line.operands : line.operands.slice(1)) {
      site.write(word, "modify");
      if (typeof suffix === "string" && typeof word === "string") site.write(word + suffix, "any");
    }
  }
  const scripts = line.options.filter(({ name }) => name === "e" || name === "expression");
  const [first] = line.operands;
  const texts = scripts.map(({ value }) => value ?? "");
  if (texts.length === 0 && !hasOption(line, ["f", "file"])) {
    if (first === undefined) return;
    texts.push(first);
  }
  const parts: string[] = [];
  for (const text of texts) {
    if (typeof text !== "string") {
      site.unknown("the sed script is not known before it runs");
      return;
    }
    parts.push(text);
  }
  const found = readSedScript(parts.join("\n"));
  for (const path of found.reads) site.read(path);
  for (const path of found.writes) {
    site.classify("write");
    site.write(path, "any");
  }
  if (found.because !== undefined) site.unknown(found.because);
}

function checkAwk(line: CommandLine, site: Site): void {
  if (hasOption(line, ["help", "version", "V"])) return;
  for (const option of line.options) {
    if (option.name === "v" || option.name === "assign" || option.name === "F") continue;
    if (option.name === "field-separator") continue;
    if (option.value !== undefined) return;
  }
  const [program, ...files] = line.operands;
  if (program === undefined) return;
  if (typeof program !== "string") {
    site.unknown("the awk program is not known before it runs");
    return;
  }
  const because = readAwkProgram(program);
  if (because !== undefined) site.unknown(because);
  let read = 0;
  for (const word of files) {
    if (word === "-" || (typeof word === "string" && /^[A-Za-z_]\w*=/u.test(word))) continue;
    site.read(word);
    read++;
  }
  if (read > 0) site.classify("read");
}

/** jq takes its filter first, then files, unless words after `--args` are values. */
function checkJq(line: CommandLine, site: Site): void {
  let words = line.operands;
  const pairs = line.options.filter(({ name }) =>
    ["arg", "argjson", "slurpfile", "rawfile"].includes(name),
  );
  // Each of these takes a name and a value; the table knows of one, so the other is an operand.
  if (pairs.length > 0) {
    const pairValues = jqPairValues(site.args);
    for (const { file, value } of pairValues) {
      if (file) site.read(value);
    }
    words = words.filter((word) => !pairValues.some(({ value }) => value === word));
  }
  // A value may be spelled as the filter is.
  const spelled = pairs.length > 0 ? line.operands.filter((word) => typeof word === "string") : [];
  if ([...words.slice(0, 1), ...spelled].some(mayImport)) {
    site.unknown("the filter of jq may read modules from anywhere");
  }
  const files = hasOption(line, ["f", "from-file"]) ? words : words.slice(1);
  if (hasOption(line, ["args", "jsonargs"])) return;
  for (const word of files) site.read(word);
  if (files.length > 0) site.classify("read");
}

/** Modules are named at the very beginning, where nothing but a comment can stand before them. */
function mayImport(filter: Argument): boolean {
  const start = leadingText(filter).trimStart();
  if (typeof filter === "string" && !start.startsWith("#")) {
    return /^(?:import|include|module)(?![\w.])/u.test(start);
  }
  return /^(?:$|[#im])/u.test(start);
}

function jqPairValues(args: readonly Argument[]): { file: boolean; value: Argument }[] {
  const out: { file: boolean; value: Argument }[] = [];
  for (const [index, word] of args.entries()) {
    if (typeof word !== "string" || !/^--(?:arg|argjson|slurpfile|rawfile)$/u.test(word)) continue;
    const value = args[index + 2];
    if (value !== undefined) out.push({ file: word.endsWith("file"), value });
  }
  return out;
}
