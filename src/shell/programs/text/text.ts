import type { CommandLine } from "../options.ts";
import type { Program, Site } from "../../walk/invocation-context.ts";
import { maySeveral, type Argument } from "../../words/words.ts";
import { judgeJq } from "./jq.ts";
import { hasOption, programs } from "../row.ts";
import { checkAwk, checkSed } from "./scripts.ts";
import { judgeXxd } from "./xxd.ts";

const harmless = { harmless: true };
const withNumbers = { harmless: true, numbers: true };
const binutils = { atFiles: true };

/** Programs that read text and print it changed; a program writes only if its row lists that. */
export const textPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...programs({
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
      options:
        "-clLmw --bytes --chars --lines --max-line-length --words --files0-from=n --total= --debug",
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
    expand: {
      is: "filter",
      options: "-i -t: --initial --tabs=",
      traits: withNumbers,
      operands: "read",
    },
    unexpand: {
      is: "filter",
      options: "-a -t: --all --first-only --tabs=",
      traits: withNumbers,
      operands: "read",
    },
    // Lists only the values that GNU, LLVM and BSD all accept; all of them read options from `@file`. Not -l, which reads
    // the files that the debug information names, in any directory.
    nm: {
      is: "read",
      options:
        "-aABCDgjnoPprSsuv -t: --debug-syms --demangle? --no-demangle --dynamic --extern-only --numeric-sort --no-sort --print-armap --print-file-name --print-size --reverse-sort --size-sort --special-syms --undefined-only --defined-only --format= --radix= --with-symbol-versions --without-symbol-versions --no-weak --portability",
      traits: binutils,
      operands: "read",
    },
    // -S reads the sources that the debug information names, in any directory.
    objdump: {
      is: "read",
      options:
        "-adDCfhprRstTwxz -j: -M: --archive-headers --disassemble? --disassemble-all --demangle? --no-demangle --file-headers --headers --section-headers --private-headers --reloc --dynamic-reloc --full-contents --syms --dynamic-syms --wide --all-headers --disassemble-zeroes --section= --disassembler-options= --no-show-raw-insn --show-raw-insn --no-addresses --start-address= --stop-address= --prefix-addresses",
      traits: binutils,
      operands: "read",
    },
    readelf: {
      is: "read",
      options:
        "-aAcdeghlnrsStuVWI -p: -x: -R: --all --file-header --program-headers --segments --section-headers --sections --section-groups --section-details --headers --syms --symbols --dyn-syms --lto-syms --notes --relocs --unwind --dynamic --version-info --arch-specific --archive-index --hex-dump= --string-dump= --relocated-dump= --histogram --wide --demangle? --no-demangle",
      traits: binutils,
      operands: "read",
    },
    size: {
      is: "read",
      options: "-ABdGotx --common --totals --format= --radix=",
      traits: binutils,
      operands: "read",
    },
    strings: {
      is: "read",
      options:
        "-adfw -n: -e: -t: -s: --all --data --print-file-name --bytes= --radix= --encoding= --include-all-whitespace --output-separator=",
      traits: { numbers: true, atFiles: true },
      operands: "read",
    },
    look: {
      is: "search",
      options: "-adf -t: --alternative --alphanum --ignore-case --terminate=",
      operands: "read",
      textFirst: [],
    },
    fold: {
      is: "filter",
      options: "-bcs -w: --bytes --characters --spaces --width=",
      traits: withNumbers,
      operands: "read",
    },
    fmt: {
      is: "filter",
      options:
        "-cstu -w: --width= --crown-margin --tagged-paragraph --split-only --uniform-spacing",
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
        "-texLJdm -c: -s: -o: -N: -l: -R: -H: -O: -T: -W: -E: -i: -p: -r: --table --json --output-separator= --separator= --table-columns= --table-name= --table-right= --table-hide= --table-order= --table-truncate= --table-wrap= --table-noheadings --table-noextreme= --table-maxout --table-columns-limit= --table-header-repeat --table-empty-lines --keep-empty-lines --output-width= --fillrows --tree= --tree-id= --tree-parent=",
      traits: harmless,
      operands: "read",
    },
    colrm: { is: "filter", traits: harmless, operands: "text" },
    od: {
      is: "filter",
      options:
        "-aBbcDdeFfHhIiLlOosvXx -A: -j: -N: -S: -t: -w? --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format= --output-duplicates --width? --traditional",
      traits: harmless,
      operands: "read",
    },
    "hexdump hd": {
      is: "filter",
      options:
        "-bcCdovxX -e: -f:r -n: -s: --canonical --one-byte-octal --one-byte-hex --one-byte-char --two-bytes-decimal --two-bytes-octal --two-bytes-hex --format= --format-file=r --length= --skip= --no-squeezing --color?",
      traits: harmless,
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
        "-bcCdfghiMmnRrsuVz -k: -t: -S: -T:! -o:w --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source=r --reverse --sort= --version-sort --batch-size= --check? --compress-program=! --debug --files0-from=n --key= --merge --output=w --stable --buffer-size= --field-separator= --temporary-directory=! --parallel= --unique --zero-terminated",
      operands: "read",
    },
    shuf: {
      is: "filter",
      options:
        "-erz -i: -n: -o:w --echo --input-range= --head-count= --output=w --random-source=r --repeat --zero-terminated",
      operands: "read",
    },
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum": {
      is: "read",
      options:
        "-bctwz --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn",
      traits: harmless,
      operands: "read",
      check: checkSums,
    },
    b2sum: {
      is: "read",
      options:
        "-bctwz -l: --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --length=",
      traits: harmless,
      operands: "read",
      check: checkSums,
    },
    cksum: {
      is: "read",
      options:
        "-cwz -a: -l: --algorithm= --check --tag --untagged --zero --raw --base64 --debug --ignore-missing --quiet --status --strict --warn --length=",
      traits: harmless,
      operands: "read",
      check: checkSums,
    },
    sum: { is: "read", options: "-rs --sysv", traits: harmless, operands: "read" },
    shasum: {
      is: "read",
      options:
        "-bctpU0sw -a: --algorithm= --binary --check --tag --text --UNIVERSAL --01 --ignore-missing --quiet --status --strict --warn",
      traits: { harmless: true, abbreviates: false },
      operands: "read",
      check: checkSums,
    },
    md5: { is: "read", options: "-nqr", operands: "read" },
    "base64 base32": {
      is: "filter",
      options: "-diD -w: -o:w --decode --ignore-garbage --wrap= --output=w",
      operands: "read",
    },
    basenc: {
      is: "filter",
      options:
        "-di -w: --decode --ignore-garbage --wrap= --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85",
      operands: "read",
    },
    diff: {
      is: "read",
      options:
        "-0123456789abBcdeEfHhilnNpPqrsTtuvwyZ -C: -U: -D: -F: -I: -L: -S: -W: -x: -X:r --normal --brief --report-identical-files --context? --unified? --ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from=r --starting-file= --from-file=t --to-file=t --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --strip-trailing-cr --text --minimal --horizon-lines= --speed-large-files --color? --palette= --line-format= --old-line-format= --new-line-format= --unchanged-line-format= --old-group-format= --new-group-format= --unchanged-group-format= --changed-group-format= --ifdef= --paginate",
      operands: "tree",
      check: (line, site) => {
        if (hasOption(line, ["l", "paginate"])) site.run(["pr"], { via: "diff -l" });
      },
    },
    cmp: {
      is: "read",
      options: "-bclsv -i: -n: --print-bytes --ignore-initial= --bytes= --verbose --quiet --silent",
      operands: "read",
    },
    colordiff: { is: "read", options: "-urNqwbB", operands: "tree" },
    numfmt: {
      is: "filter",
      options:
        "-z -d: --from= --to= --field= --format= --grouping --header? --invalid= --padding= --round= --suffix= --delimiter= --from-unit= --to-unit= --zero-terminated --debug",
      traits: harmless,
      operands: "text",
    },
    factor: { is: "filter", options: "-h --exponents", traits: harmless, operands: "text" },
    tsort: { is: "filter", traits: harmless, operands: "read" },
    pr: {
      is: "filter",
      options:
        "-acdfFmrtTJv -D: -e? -h: -i? -l: -n? -N: -o: -s? -S? -w: -W: --columns= --date-format= --length= --width= --header= --across --double-space --expand-tabs? --form-feed --first-line-number= --merge --no-file-warnings --omit-header --omit-pagination --join-lines --indent= --page-width= --pages= --number-lines? --output-tabs? --separator? --sep-string? --show-control-chars --show-nonprinting",
      traits: withNumbers,
      operands: "read",
    },
    iconv: {
      is: "filter",
      options: "-cls -f: -t: -o:w --from-code= --to-code= --list --output=w --silent --verbose",
      operands: "read",
      check: readCharacterMaps,
    },
    "sed gsed": {
      is: "filter",
      options:
        "-nrEsuzb -e: -f:r! -i? --quiet --silent --debug --expression= --file=r! --follow-symlinks --in-place? --line-length= --posix --regexp-extended --separate --sandbox --unbuffered --null-data --zero-terminated --binary",
      operands: "read",
      textFirst: ["e", "expression", "f", "file"],
      check: checkSed,
    },
    // The meaning of other options depends on the awk version; one ignores long options, but not the value behind them.
    "awk mawk nawk original-awk": {
      is: "filter",
      options: "-F: -v: -f:r! --field-separator? --assign? --file=r! --csv",
      traits: { stopsEarly: true, abbreviates: false },
      operands: "text",
      check: checkAwk,
    },
    gawk: {
      is: "filter",
      options:
        "-bcCghkMnNOPrsStV -F: -v: -f:r! -E:r! -i:! -l:! -d?! -p?! -o?! -D?! -e:! -L? -W:! --field-separator= --assign= --file=r! --exec=! --include=! --load=! --dump-variables?! --profile?! --pretty-print?! --debug?! --source=! --gen-pot --posix --re-interval --sandbox --traditional --characters-as-bytes --non-decimal-data --use-lc-numeric --csv --copyright --optimize --no-optimize --bignum --lint? --lint-old",
      traits: { stopsEarly: true },
      operands: "text",
      check: checkAwk,
    },
  }),
  ["xxd", judgeXxd],
  ["jq", judgeJq],
  ["gojq", judgeJq],
  ["jaq", judgeJq],
]);

/** Reports encoding names with a slash, which may be files that describe the encoding. */
function readCharacterMaps(line: CommandLine, site: Site): void {
  for (const { name, value } of line.options) {
    if (!/^(?:f|t|from-code|to-code)$/u.test(name) || value === undefined) continue;
    if (typeof value !== "string" || value.includes("/")) site.read(value);
  }
}

/** Reports the second operand as a written file. */
function secondWrites(line: CommandLine, site: Site): void {
  const [, target] = line.operands;
  if (target !== undefined && target !== "-") site.writeThrough("", target, "any");
  const [first] = line.operands;
  if (first !== undefined && (maySeveral(first) || mayBeNone(first))) {
    site.unknown("a pattern may become two files, and the second is written");
  }
}

/** Whether a word may expand to nothing, so that the next word takes its position. */
function mayBeNone(word: Argument): boolean {
  return (
    typeof word !== "string" &&
    word.pieces.every(
      (piece) => typeof piece !== "string" && /^(?:token|number)$/u.test(piece.kind),
    )
  );
}

/** Reports the files that a list of checksums names. */
function checkSums(line: CommandLine, site: Site): void {
  if (hasOption(line, ["c", "check"])) site.readNamed();
}
