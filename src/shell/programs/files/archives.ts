import type { CommandLine } from "../options.ts";
import type { Program, Site } from "../../walk/invocation-context.ts";
import { dropLeading, leadingText, showWord, wordOf, type Argument } from "../../words/words.ts";
import { hasOption, optionValue, programs } from "../row.ts";

/** Programs that pack and unpack; only listing and printing have no consequences. */
export const archivePrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...programs({
    "zcat gzcat": {
      is: "filter",
      options: "-fqv --force --quiet --verbose",
      traits: { harmless: true },
      operands: "read",
      check: (line, site) => {
        readPacked(line.operands, gzipSuffixes, site);
      },
    },
    "bzcat xzcat lzcat zstdcat": {
      is: "filter",
      options: "-fqv --force --quiet --verbose",
      traits: { harmless: true },
      operands: "read",
    },
    "zdiff zcmp": { is: "read", options: "-uqrsw", operands: "tree", check: compareUnpacked },
    zipinfo: { is: "list", options: "-12smlvhMtTzC", operands: "text", check: readFirst },
    // Before the archive, -x takes no value: the next word is the archive. Behind it, words are members.
    unzip: {
      is: "general",
      options: "-lvtpZ1qzcCsonujaLDXx -d:",
      traits: { stopsEarly: true },
      operands: "text",
      check: (line, site) => {
        readFirst(line, site);
        if (hasOption(line, ["l", "v", "Z", "z", "t"])) site.classify("list");
        else if (hasOption(line, ["p", "c"])) site.classify("read");
        else site.write(unpackedInto(line), "any", "tree");
      },
    },
    "gzip gunzip": {
      is: "write",
      options:
        "-123456789acdfhklnNqrtvV -S: --ascii --best --fast --stdout --to-stdout --decompress --uncompress --force --keep --list --no-name --name --quiet --recursive --suffix= --test --verbose --rsyncable --synchronous",
      operands: "text",
      check: packOne,
    },
    "bzip2 bunzip2": {
      is: "write",
      options:
        "-123456789cdfkqstvzLV --best --fast --stdout --decompress --compress --force --keep --quiet --small --test --verbose",
      operands: "text",
      check: packOne,
    },
    "xz unxz lzma unlzma": {
      is: "write",
      options:
        "-0123456789cdefhHklqQtvVz -T: -S: --best --fast --stdout --to-stdout --decompress --uncompress --compress --extreme --force --keep --list --quiet --suffix= --test --verbose --threads= --no-warn --robot",
      traits: { abbreviates: false },
      operands: "text",
      check: packOne,
    },
    "zstd unzstd": {
      is: "write",
      options:
        "-123456789cdfhHklqrtvVz -T? -o:w --best --fast? --stdout --decompress --compress --force --keep --list --no-progress --quiet --test --verbose --threads?",
      traits: { abbreviates: false },
      operands: "text",
      check: packOne,
    },
  }),
  ["tar", judgeTar],
  ["gtar", judgeTar],
  ["bsdtar", judgeTar],
]);

function readFirst(line: CommandLine, site: Site): void {
  const [archive] = line.operands;
  if (archive === undefined) return;
  site.read(archive);
  readPacked([archive], [".zip", ".ZIP"], site);
  if (typeof archive === "string" && /[*?[]/u.test(archive)) {
    site.unknown(`${site.name} itself looks for the archives that a pattern names`, "");
  }
}

/** Directory of the unpacked files; `-d` is an option behind the archive as well, where no other word is one. */
function unpackedInto(line: CommandLine): Argument {
  const { operands } = line;
  const at = operands.findLastIndex(
    (word, index) => index > 0 && leadingText(word).startsWith("-d"),
  );
  const word = operands[at];
  const attached = word === undefined ? "" : dropLeading(word, 2);
  const given = attached === "" ? operands[at + 1] : attached;
  return (word === undefined ? undefined : given) ?? optionValue(line, ["d"]) ?? ".";
}

/** Suffixes that `gzip` tries if the given file does not exist. */
export const gzipSuffixes = [".gz", ".z", "-z", ".Z"];

/** Reports reads of each name with a suffix, which a program opens if the name itself does not exist. */
export function readPacked(
  words: readonly Argument[],
  suffixes: readonly string[],
  site: Site,
): void {
  for (const word of words) {
    if (word === "-") continue;
    for (const suffix of suffixes) {
      site.read(typeof word === "string" ? word + suffix : wordOf([...word.pieces, suffix], word));
    }
  }
}

/** Reports the second file of a comparison with one operand: the name without its suffix. */
function compareUnpacked(line: CommandLine, site: Site): void {
  const [only, ...others] = line.operands;
  if (only === undefined || others.length > 0) return;
  const plain = typeof only === "string" ? /^(.*)[-.][zZtga]*$/su.exec(only)?.[1] : undefined;
  if (plain === undefined) site.unknown(`which file ${site.name} compares is not known`);
  else site.read(plain);
}

function packOne(line: CommandLine, site: Site): void {
  const scope = hasOption(line, ["r", "recursive"]) ? "tree" : "file";
  for (const word of line.operands) if (word !== "-") site.read(word, scope);
  if (site.name === "gzip" || site.name === "gunzip") {
    const suffix = optionValue(line, ["S", "suffix"]);
    if (suffix !== undefined && !(typeof suffix === "string" && /^[\w.-]+$/u.test(suffix))) {
      site.unknown("which files gzip opens is not known");
    }
    const own = typeof suffix === "string" ? [suffix] : [];
    readPacked(line.operands, [...own, ...gzipSuffixes], site);
  }
  const prints = hasOption(line, ["c", "stdout", "to-stdout"]);
  if (onlyInspects(line)) site.classify("list");
  else if (prints) site.classify("read");
  else if (line.operands.length === 0) site.classify(site.piped ? undefined : "read");
  else {
    // The packed file is created next to the original, and the original is deleted.
    for (const word of line.operands) site.write(word, "delete");
    site.write(".", "any", "tree");
  }
}

/** Whether a packer lists or tests. Of several modes the last applies, in an order that the table does not keep. */
function onlyInspects(line: CommandLine): boolean {
  const packs = ["d", "decompress", "uncompress", "z", "compress"];
  return hasOption(line, ["l", "list", "t", "test"]) && !hasOption(line, packs);
}

/** Not -W, which in bsdtar introduces a long option in the next word. */
const tarFlags = /^[tvzjJaZpkhlnRO]*$/u;
const tarLong = new Set([
  "--list",
  "--verbose",
  "--gzip",
  "--gunzip",
  "--bzip2",
  "--xz",
  "--zstd",
  "--lzma",
  "--auto-compress",
  "--wildcards",
  "--no-wildcards",
  "--ignore-case",
  "--anchored",
  "--no-anchored",
  "--full-time",
  "--utc",
  "--numeric-owner",
  "--to-stdout",
  "--totals",
  "--no-recursion",
  "--null",
  "--help",
  "--version",
  "--quoting-style",
  "--show-stored-names",
  "--block-number",
]);

/** Options for packing and unpacking, which is the purpose of tar. */
const tarPacking = new Set([
  "--extract",
  "--get",
  "--create",
  "--append",
  "--update",
  "--directory",
  "--strip-components",
  "--keep-old-files",
  "--overwrite",
  "--preserve-permissions",
  "--same-owner",
  "--no-same-owner",
  "--no-same-permissions",
  "--touch",
]);

/** Judges `tar`: only listing an archive, or printing from one, is plain. */
function judgeTar(site: Site): void {
  const { args } = site;
  let lists = false;
  let index = 0;
  let archive: Argument | undefined;
  let understood = true;
  let packs = false;
  let through: string | undefined;
  const letters = (text: string, at: number): number => {
    let taken = 0;
    for (const letter of text) {
      if (letter === "t") lists = true;
      else if (/[xcruAdmosSUBi]/u.test(letter)) packs = true;
      else if (letter === "f") {
        taken++;
        archive = args[at + taken];
      } else if (letter === "C") {
        taken++;
        const directory = args[at + taken];
        if (directory !== undefined) site.read(directory);
      } else if (!tarFlags.test(letter)) {
        understood = false;
        through ??= `-${letter}`;
      }
    }
    return at + taken;
  };
  // A word that may become several could add any option.
  if (args.some((word) => typeof word !== "string")) understood = false;
  const first = args[0];
  if (typeof first === "string" && !first.startsWith("-")) {
    index = letters(first, 0) + 1;
  }
  for (; index < args.length; index++) {
    const word = args[index];
    const start = leadingText(word ?? "");
    if (word === "--") break;
    if (start.startsWith("--")) {
      const [name = "", value] = start.split("=", 2);
      if (name === "--list") lists = true;
      if (name === "--file") {
        archive = value ?? args[index + 1];
        if (value === undefined) index++;
      } else if (name === "--exclude") {
        if (value === undefined) index++;
      } else if (tarPacking.has(name)) {
        packs = true;
        if (value === undefined && /^--(?:directory|strip-components)$/u.test(name)) index++;
      } else if (!tarLong.has(name)) {
        understood = false;
        through ??= name;
      }
    } else if (start.startsWith("-")) index = letters(start.slice(1), index);
  }
  if (archive !== undefined && archive !== "-") site.read(archive);
  const isElsewhere = isRemote(archive);
  if (isElsewhere) {
    site.unknown("tar connects to the host of the archive", showWord(archive ?? ""));
  }
  if (lists && understood && !packs && !isElsewhere) {
    site.classify("list");
    return;
  }
  site.classify("write");
  site.unknown("tar may write files or run a program", through);
}

/** Whether the archive is on another machine: a colon in its name separates the host. */
function isRemote(archive: Argument | undefined): boolean {
  return archive !== undefined && leadingText(archive).includes(":");
}
