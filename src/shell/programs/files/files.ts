import type { CommandLine } from "../options.ts";
import type { Site } from "../../walk/invocation-context.ts";
import { dropLeading, leadingText, type Argument } from "../../words/words.ts";
import { hasOption, optionValue, programs } from "../row.ts";

const harmless = { harmless: true };

const recursive = ["r", "R", "recursive", "a", "archive"];

/** Programs that list, copy, move, create and remove files. */
export const filePrograms = programs({
  "ls dir vdir gls": {
    is: "list",
    options:
      "-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I: -w:d -T:d --all --almost-all --author --escape --block-size= --ignore-backups --color? --directory --dired --classify? --file-type --format= --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --dereference-command-line-symlink-to-dir --hide= --hyperlink? --indicator-style= --inode --ignore= --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width= --context --zero",
    traits: harmless,
    operands: "tree",
    otherwise: { path: ".", scope: "tree" },
  },
  "eza exa lsd": {
    is: "list",
    options:
      "-1lGxRTFaAdDfhHgbBimSuUnNtr@ -L: -I: -s: -t: --long --oneline --grid --across --recurse --tree --level= --all --almost-all --classify --color= --colour= --icons? --git --git-ignore --sort= --reverse --only-dirs --only-files --group-directories-first --ignore-glob= --header --group --inode --links --modified --accessed --created --time= --time-style= --no-permissions --no-filesize --no-user --no-time --octal-permissions --header --binary --bytes --depth=",
    traits: { abbreviates: false },
    operands: "tree",
    otherwise: { path: ".", scope: "tree" },
  },
  tree: {
    is: "list",
    options:
      "-adflxqNQpugshDFrtcUSCnivJXA -L: -I: -P: -o:w -R! -H:! -T: --noreport --charset= --filelimit= --du --si --timefmt= --dirsfirst --filesfirst --prune --matchdirs --ignore-case --gitignore --gitfile=r --infofile=r --info --fromfile --sort= --inodes --device --metafirst --nolinks",
    traits: { abbreviates: false },
    operands: "tree",
    otherwise: { path: ".", scope: "tree" },
  },
  du: {
    is: "list",
    options:
      "-0abcDhHklmLPsSx -B: -d: -t: -X:r --null --all --apparent-size --block-size= --bytes --total --dereference-args --max-depth= --files0-from=n --human-readable --inodes --dereference --count-links --no-dereference --separate-dirs --si --summarize --threshold= --time? --time-style= --exclude-from=r --exclude= --one-file-system",
    traits: harmless,
    operands: "tree",
    otherwise: { path: ".", scope: "tree" },
  },
  df: {
    is: "general",
    options:
      "-ahHiklPTvm -B: -t: -x: --all --block-size= --human-readable --si --inodes --local --no-sync --output? --portability --sync --total --type= --print-type --exclude-type=",
    traits: harmless,
    operands: "read",
  },
  stat: {
    is: "read",
    options:
      "-Lft -c: -x -s -n -r -q -F -l --dereference --file-system --cached= --format= --printf= --terse",
    traits: harmless,
    operands: "read",
  },
  file: {
    is: "read",
    options:
      "-bchiIkLNnrsv0dEl -p! -e: -F: -f:n -m:t -P: --brief --checking-printout --exclude= --separator= --files-from=n --magic-file=t --mime --mime-type --mime-encoding --keep-going --list --dereference --no-dereference --no-buffer --no-pad --print0 --preserve-date! --raw --special-files --apple --extension -C! --compile! -z! -Z! --uncompress!",
    operands: "read",
    check: readMagic,
  },
  "basename dirname": {
    is: "neutral",
    options: "-az -s: --multiple --suffix= --zero",
    traits: harmless,
    operands: "text",
  },
  "readlink realpath": {
    is: "read",
    options:
      "-femnqsvzLP --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero --logical --physical --relative-to=r --relative-base=r --strip --no-symlinks",
    traits: harmless,
    operands: "read",
  },
  pathchk: { is: "general", options: "-pP --portability", traits: harmless, operands: "text" },
  getfacl: { is: "read", options: "-acdeEsRLPtpn", operands: "tree" },
  lsattr: {
    is: "read",
    options: "-adlpRvV",
    operands: "tree",
    otherwise: { path: ".", scope: "tree" },
  },
  getcap: { is: "read", options: "-rvn", operands: "tree" },
  getfattr: { is: "read", options: "-dhRLP -n: -m: -e:", operands: "tree" },
  mkdir: {
    is: "silent",
    options: "-pvZ -m: --mode= --parents --verbose --context?",
    operands: "create",
  },
  mkfifo: { is: "silent", options: "-m: --mode=", operands: "create" },
  rmdir: {
    is: "silent",
    options: "-pv --ignore-fail-on-non-empty --parents --verbose",
    operands: "delete",
    check: (line, site) => {
      if (hasOption(line, ["p", "parents"])) removeParents(line.operands, site);
    },
  },
  touch: {
    is: "silent",
    options: "-acfhm -d: -r:r -t: --no-create --date= --no-dereference --reference=r --time=",
    operands: "modify",
  },
  rm: {
    is: "silent",
    options:
      "-dfiIrRv --force --interactive? --one-file-system --no-preserve-root --preserve-root? --recursive --dir --verbose",
    operands: "text",
    check: (line, site) => {
      const isDeep = hasOption(line, ["r", "R", "recursive"]);
      for (const word of line.operands) site.write(word, "delete", isDeep ? "tree" : "file");
    },
  },
  unlink: { is: "silent", operands: "delete" },
  shred: {
    is: "silent",
    options:
      "-fuvxz -n: -s: --force --iterations= --random-source=r --size= --remove? --verbose --exact --zero",
    operands: "modify",
  },
  truncate: {
    is: "silent",
    options: "-co -r:r -s: --no-create --io-blocks --reference=r --size=",
    operands: "modify",
  },
  tee: {
    is: "write",
    options: "-aip --append --ignore-interrupts --output-error?",
    operands: "any",
  },
  "cp gcp": {
    is: "silent",
    options:
      "-abdfHilLnPpRrsTuvxZ -S: -t:w --archive --attributes-only --backup? --copy-contents --debug --force --interactive --link --dereference --no-clobber --no-dereference --preserve? --no-preserve= --parents --recursive --reflink? --remove-destination --sparse= --strip-trailing-slashes --symbolic-link --suffix= --target-directory=w --no-target-directory --update? --verbose --keep-directory-symlink --one-file-system --context?",
    operands: "text",
    check: (line, site) => {
      copyLike(line, site, "read");
    },
  },
  "mv gmv": {
    is: "silent",
    options:
      "-bfinTuvZ -S: -t:w --backup? --debug --exchange --force --interactive --no-clobber --no-copy --strip-trailing-slashes --suffix= --target-directory=w --no-target-directory --update? --verbose --context",
    operands: "text",
    check: (line, site) => {
      copyLike(line, site, "delete");
      // Both are moved away.
      if (hasOption(line, ["exchange"])) {
        for (const word of line.operands) site.write(word, "delete", "tree");
      }
    },
  },
  ln: {
    is: "silent",
    options:
      "-bdFfiLnPrsTv -S: -t:w --backup? --directory --force --interactive --logical --no-dereference --physical --relative --symbolic --suffix= --target-directory=w --no-target-directory --verbose",
    operands: "text",
    check: (line, site) => {
      const isSymbolic = hasOption(line, ["s", "symbolic"]);
      // By a link to a directory, what follows reaches everything in it.
      copyLike(line, site, isSymbolic ? "tree" : "read");
      if (isSymbolic) linkTargets(line, site);
      // Both names refer to one file, so a write to the new name changes the original.
      else for (const word of hardLinked(line)) site.write(word, "modify");
    },
  },
  install: {
    is: "silent",
    options:
      "-bcCdDpsTvZ -g: -m: -o: -S: -t:w --backup? --compare --directory --group= --mode= --owner= --preserve-timestamps --strip! --strip-program=! --suffix= --target-directory=w --no-target-directory --verbose",
    operands: "text",
    check: (line, site) => {
      if (hasOption(line, ["d", "directory"])) {
        for (const word of line.operands) site.write(word, "create");
      } else copyLike(line, site, "read");
    },
  },
  "split csplit": {
    is: "silent",
    options:
      "-dxezu -a: -b: -C: -l: -n: -t: -f: -k -s -q --suffix-length= --additional-suffix= --bytes= --line-bytes= --numeric-suffixes? --hex-suffixes? --elide-empty-files --filter=! --lines= --number= --separator= --unbuffered --verbose --prefix= --suffix-format= --digits= --keep-files --quiet",
    operands: "text",
    check: (line, site) => {
      if (hasOption(line, ["help", "version"])) return;
      const [input] = line.operands;
      if (input !== undefined && input !== "-") site.read(input);
      site.unknown("the names of the files it writes are its own");
    },
  },
  "chmod chown chgrp": {
    is: "silent",
    options:
      "-cfvRHLPh --changes --quiet --silent --verbose --dereference --no-dereference --preserve-root --no-preserve-root --from= --reference=r --recursive",
    // A mode such as -x or -rwx looks like an option; the check parses the words itself.
    traits: { harmless: true },
    operands: "text",
    check: (_line, site) => {
      permissions(site);
    },
  },
  dd: { is: "write", operands: "text", check: copyBlocks },
  mktemp: {
    is: "general",
    options: "-dqtu -p:w --directory --dry-run --quiet --suffix= --tmpdir?w",
    operands: "create",
    check: (line, site) => {
      if (line.operands.length === 0 || hasOption(line, ["p", "t", "tmpdir"])) {
        site.write("/tmp", "create", "tree");
      }
    },
  },
  patch: {
    is: "write",
    options:
      "-p: -i:r -R -N -s -f -b --dry-run --strip= --input=r --reverse --forward --silent -d:",
    operands: "text",
    check: (_line, site) => {
      site.unknown("the files it changes are named in the patch");
    },
  },
});

/** Reports the magic file of -m, whose compiled form is preferred; a colon-separated list of files is unknown. */
function readMagic(line: CommandLine, site: Site): void {
  for (const { name, value } of line.options) {
    if (value === undefined || (name !== "m" && name !== "magic-file")) continue;
    if (typeof value !== "string" || value.includes(":")) {
      site.unknown("which files describe the formats is not known", "-m");
    } else site.read(`${value}.mgc`);
  }
}

/** Reports the directories above each operand, as written: `rmdir -p` removes those that become empty. */
function removeParents(operands: readonly Argument[], site: Site): void {
  for (const word of operands) {
    if (typeof word !== "string") {
      site.unknown("which directories above it removes is not known", "-p");
      continue;
    }
    const path = word.replace(/\/+$/u, "");
    for (let cut = path.lastIndexOf("/"); cut > 0; cut = path.lastIndexOf("/", cut - 1)) {
      site.write(path.slice(0, cut), "delete");
    }
  }
}

/** Judges operands that are sources and one target; a source copied into a directory is in the target's tree. */
function copyLike(line: CommandLine, site: Site, sources: "read" | "tree" | "delete"): void {
  const folder = optionValue(line, ["t", "target-directory"]);
  const words = [...line.operands];
  const target = folder === undefined ? words.pop() : undefined;
  if (hasOption(line, ["b", "backup", "S", "suffix"])) {
    site.unknown("what it replaces may get another name");
  }
  const isWhole = sources !== "read" || hasOption(line, recursive);
  for (const word of words) {
    site.read(word, isWhole ? "tree" : "file");
    if (sources === "delete") site.write(word, "delete", "tree");
  }
  if (words.length === 0 && target !== undefined && site.name === "ln")
    site.write(".", "create", "tree");
  if (target !== undefined) site.write(target, "any", "tree");
  if (folder !== undefined) site.write(folder, "any", "tree");
}

function hardLinked(line: CommandLine): readonly Argument[] {
  const { operands } = line;
  const hasFolder = optionValue(line, ["t", "target-directory"]) !== undefined;
  return hasFolder || operands.length === 1 ? operands : operands.slice(0, -1);
}

/** Reports link targets; a relative one starts at the link's directory, which is the last operand or its parent. */
function linkTargets(line: CommandLine, site: Site): void {
  const folder = optionValue(line, ["t", "target-directory"]);
  const targets = [...line.operands];
  const link = folder ?? targets.pop();
  for (const target of targets) {
    if (leadingText(target).startsWith("/")) continue;
    if (typeof target !== "string" || typeof link !== "string") {
      site.unknown("what the link leads to depends on where it is");
    } else {
      site.read(`${link}/${target}`, "tree");
      if (folder === undefined) site.read(`${link}/../${target}`, "tree");
    }
  }
}

function permissions(site: Site): void {
  site.risk(`${site.name} changes who may do what with files`);
  let mode = !site.args.some((word) => typeof word === "string" && word.startsWith("--reference"));
  let deep = false;
  let ended = false;
  for (const word of site.args) {
    if (!ended && typeof word === "string" && word.startsWith("-")) {
      ended = word === "--";
      deep ||= /^-[a-zA-Z]*R|^--rec/u.test(word);
      if (/^-[rwxXstugo,+=-]+$/u.test(word)) mode = false;
    } else if (mode) mode = false;
    else site.write(word, "modify", deep ? "tree" : "file");
  }
  if (deep) return;
  // R may appear after the files.
  if (site.args.some((word) => typeof word === "string" && /^-[a-zA-Z]*R/u.test(word))) {
    for (const word of site.args) site.write(word, "modify", "tree");
  }
}

function copyBlocks(line: CommandLine, site: Site): void {
  const known = /^(?:bs|cbs|conv|count|ibs|iflag|obs|oflag|seek|oseek|skip|iseek|status)=/u;
  let writes = false;
  for (const word of line.operands) {
    const match = /^(if|of)=/u.exec(leadingText(word));
    if (match !== null) {
      const path = dropLeading(word, 3);
      if (match[1] === "if") site.read(path);
      else site.write(path, "any");
      writes ||= match[1] === "of";
    } else if (typeof word !== "string" || !known.test(word)) {
      site.unknown("an operand of dd is not known");
    }
  }
  if (!writes) site.classify("read");
}
