import * as fc from "fast-check";

/** One call of a sequence. */
export type CallStep =
  | { readonly kind: string; readonly command: string }
  | {
      readonly kind: string;
      readonly tool: "Write" | "Edit" | "ApplyPatch" | "NotebookEdit" | "Gitignore";
      readonly input: Readonly<Record<string, unknown>>;
    };

/** Change by others between calls, with a content that occurs nowhere else. */
export interface OutsideStep {
  readonly kind:
    | "save"
    | "append"
    | "delete"
    | "link"
    | "mode"
    | "replace"
    | "folder"
    | "touch"
    | "sibling";
  readonly at: string;
}

/** Stands for the workspace in a command. */
export const rootWord = "ROOT";

/** Few names of every kind, so that calls meet each other's work. */
const names = [
  "a.txt",
  "b c.txt",
  "-dash",
  "ünï.txt",
  "line\nbreak",
  "quote'\"$x",
  "one",
  "two",
  "run.sh",
  "src",
  "src/x.js",
  "src/deep",
  "src/deep/y",
  "src/new",
  "empty",
  "empty/in",
  "link",
  "tolink",
  "dangling",
  "shared",
  "shared/s",
  "new",
  "new/n",
];
const files = ["a.txt", "b c.txt", "-dash", "ünï.txt", "line\nbreak", "one", "run.sh", "src/x.js"];

const name = fc.constantFrom(...names);
const file = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...files) }, name);
const word = fc.constantFrom("", "x", "one\n", "two\nthree\n", "é\r\n", "tab\there");
const mode = fc.constantFrom("600", "644", "755", "500", "555", "4755", "g+s", "a-w", "u-r", "+t");
const date = fc.constantFrom("@1", "@1000000000", "2001-02-03T04:05:06.789123456Z");

/** As a word of a command that no option is mistaken for. */
export function quoted(at: string): string {
  const safe = at.startsWith("-") ? `./${at}` : at;
  return /^[\w./-]+$/u.test(safe) ? safe : `'${safe.replaceAll("'", `'\\''`)}'`;
}

interface Words {
  /** The two paths, quoted. */
  readonly a: string;
  readonly b: string;
  readonly word: string;
  readonly mode: string;
  readonly date: string;
}

const node = (text: string): string =>
  `node -e 'const fs = require("fs"); const [, a, b] = process.argv; ${text}' --`;
const git = "git -c user.name=n -c user.email=e@x";

/** Every kind of command: how it is written, and how often it comes, 4 where nothing is said. */
const commands: Readonly<Record<string, readonly [(words: Words) => string, number?]>> = {
  write: [({ a, word: text }) => `printf %s ${text} > ${a}`, 8],
  append: [({ a, word: text }) => `printf %s ${text} >> ${a}`, 8],
  empty: [({ a }) => `: > ${a}`],
  "here document": [({ a, word: text }) => `cat > ${a} <<'END'\n${text.slice(1, -1)}\nEND`],
  "sed -i": [({ a }) => `sed -i 's/o/0/; $a end' ${a}`, 6],
  "sed -i backup": [({ a }) => `sed -i.bak s/e/3/ ${a}`],
  mv: [({ a, b }) => `mv ${a} ${b}`, 10],
  "mv -n": [({ a, b }) => `mv -n ${a} ${b}`],
  "mv -T": [({ a, b }) => `mv -T ${a} ${b}`],
  "mv -b": [({ a, b }) => `mv -b ${a} ${b}`],
  "mv many": [({ a, b }) => `mv ${a} ${b} src`],
  "mv swapped": [({ a, b }) => `mv ${a} swap; mv ${b} ${a}; mv swap ${b}`],
  "mv across": [({ a }) => `mv ${a} "$TMPDIR/kept" && mv "$TMPDIR/kept" src/back`],
  cp: [({ a, b }) => `cp ${a} ${b}`],
  "cp -a": [({ a, b }) => `cp -a ${a} ${b}`, 6],
  // To a place of its own: through a link to what it lies in, cp copies into its own copy endlessly.
  "cp -r through links": [({ a }) => `cp -rL ${a} through`],
  "cp -l": [({ a, b }) => `cp -al ${a} ${b}`],
  "cp --parents": [({ a }) => `cp --parents ${a} new`],
  rm: [({ a }) => `rm ${a}`, 6],
  "rm -r": [({ a }) => `rm -r ${a}`, 6],
  "rm -rf two": [({ a, b }) => `rm -rf ${a} ${b}`],
  "rm by pattern": [() => "rm -f *.txt"],
  unlink: [({ a }) => `unlink ${a}`],
  ln: [({ a, b }) => `ln ${a} ${b}`, 6],
  "ln -f": [({ a, b }) => `ln -f ${a} ${b}`],
  "ln then write": [({ a, b, word: text }) => `ln ${a} ${b} && printf %s ${text} >> ${a}`],
  "ln -s": [({ a, b }) => `ln -s ${a} ${b}`, 6],
  "ln -sfn": [({ a, b }) => `ln -sfn ${a} ${b}`],
  "write through a link": [({ a, b, word: text }) => `ln -sf ${a} ${b}; printf %s ${text} > ${b}`],
  chmod: [({ a, mode: bits }) => `chmod ${bits} ${a}`, 8],
  "chmod -R": [({ a, mode: bits }) => `chmod -R ${bits} ${a}`],
  "closed folder": [({ a, b }) => `chmod 500 src; printf x > src/deep/z; rm -f ${a} ${b}`],
  touch: [({ a }) => `touch ${a}`],
  "touch -d": [({ a, date: at }) => `touch -d ${at} ${a}`, 6],
  "touch -h": [({ a, date: at }) => `touch -h -d ${at} ${a}`],
  "touch -r": [({ a, b }) => `touch -r ${a} ${b}`],
  mkdir: [({ a }) => `mkdir ${a}`],
  "mkdir -p": [({ a }) => `mkdir -p ${a}/p/q`, 6],
  "mkdir -m": [({ a, mode: bits }) => `mkdir -m ${bits} ${a}`],
  rmdir: [({ a }) => `rmdir ${a}`, 6],
  "tar x": [({ a }) => `tar xf pack.tar; tar xf pack.tar -C ${a}`, 6],
  "tar through a pipe": [({ a }) => `mkdir -p copy && tar cf - ${a} | tar xf - -C copy`],
  patch: [() => "patch -p0 -s < fix.patch", 6],
  truncate: [({ a }) => `truncate -s 2 ${a}`],
  "truncate larger": [({ a }) => `truncate -s 300000 ${a}`],
  "dd in place": [({ a }) => `printf XY | dd of=${a} bs=1 seek=1 conv=notrunc status=none`],
  "large file": [({ a }) => `head -c 700000 /dev/zero | tr '\\0' x > ${a}`],
  tee: [({ a, b, word: text }) => `printf %s ${text} | tee ${a} ${b} > /dev/null`],
  install: [({ a, b }) => `install -D -m 750 ${a} ${b}`],
  "sort -o": [({ a }) => `sort -r -o ${a} ${a}`],
  "cat together": [({ a, b }) => `cat ${a} ${b} > new`],
  split: [({ a }) => `split -n 3 ${a} part-`],
  gzip: [({ a }) => `gzip -f ${a}`],
  "node writes": [({ a }) => `${node('fs.writeFileSync(a, "node\\n")')} ${a}`],
  "node renames": [({ a, b }) => `${node("fs.renameSync(a, b)")} ${a} ${b}`],
  "node saves": [
    ({ a }) => `${node('fs.writeFileSync(a + "~", "saved"); fs.renameSync(a + "~", a)')} ${a}`,
  ],
  "node removes": [({ a }) => `${node("fs.rmSync(a, { recursive: true })")} ${a}`],
  "node copies": [({ a, b }) => `${node("fs.cpSync(a, b, { recursive: true })")} ${a} ${b}`],
  "perl in place": [({ a }) => `perl -pi -e s/e/E/ ${a}`],
  "perl exchanges": [
    ({ a, b }) =>
      `perl -e 'rename $ARGV[0],"t"; rename $ARGV[1],$ARGV[0]; rename "t",$ARGV[1]' ${a} ${b}`,
  ],
  "awk and mv": [({ a }) => `awk '{ print NR, $0 }' ${a} > tmp && mv tmp ${a}`],
  "find -delete": [() => "find . -name '*.txt' -delete"],
  "find -exec": [() => "find src -type f -exec sh -c 'mv \"$1\" \"$1.moved\"' sh {} ';'"],
  "find and xargs": [() => "find src -type f -print0 | xargs -0 -r chmod 600"],
  "fails half-way": [({ a, b }) => `set -e; rm -rf ${a}; printf half > half; false; rm -rf ${b}`],
  "ends with a code": [({ a, word: text }) => `printf %s ${text} > ${a}; exit 3`],
  cd: [({ a }) => `cd ${a}`],
  "cd and write": [({ a, word: text }) => `cd ${a} && printf %s ${text} > here`],
  "cd back": [() => `cd ${rootWord}`, 8],
  "file by folder": [
    ({ a, word: text }) => `rm -rf ${a} && mkdir ${a} && printf %s ${text} > ${a}/in`,
  ],
  "folder by file": [({ a, word: text }) => `rm -rf ${a} && printf %s ${text} > ${a}`],
  "folder by link": [({ a, b }) => `rm -rf ${a}; ln -s ${b} ${a}`],
  "folder again": [({ a }) => `rm -rf ${a}; mkdir ${a}`],
  attribute: [({ a }) => `${node("fs.appendFileSync(a, '')")} ${a}; cp --preserve=all ${a} new`],
  "in the background": [({ a, b }) => `(printf 1 > ${a}) & (printf 2 > ${b}) & wait`],
  "git init": [() => "git init -q sub", 1],
  "git add": [({ a }) => `git add ${a}`, 3],
  "git commit": [({ a }) => `git add -A; ${git} commit -q -m ${a}`, 4],
  "git checkout": [({ a }) => `git checkout -q -- ${a}`],
  "git branch": [() => `git checkout -q -b side; ${git} commit -q --allow-empty -m side`, 2],
  "git stash": [() => `${git} stash -q -u`, 4],
  "git stash pop": [() => `${git} stash pop -q`, 3],
  "git mv": [({ a, b }) => `git mv ${a} ${b}`, 3],
  "git rm": [({ a }) => `git rm -r -q -f ${a}`, 3],
  "git clean": [() => "git clean -fdxq", 3],
  "git reset": [() => "git reset -q --hard", 3],
  "npm init": [() => "npm init -y", 1],
};

export const commandKinds: readonly string[] = Object.keys(commands);

const words = fc
  .record({ a: file, b: name, word, mode, date })
  .map(({ a, b, word: text, ...more }) => ({
    a: quoted(a),
    b: quoted(b),
    word: quotedText(text),
    ...more,
  }));

function quotedText(text: string): string {
  return `'${text}'`;
}

/** One command by itself. */
export const oneCommand: fc.Arbitrary<CallStep> = fc.oneof(
  ...Object.entries(commands).map(([kind, [write, weight = 4]]) => ({
    weight,
    arbitrary: words.map((given): CallStep => ({ kind, command: write(given) })),
  })),
);

const severalCommands: fc.Arbitrary<CallStep> = fc
  .tuple(fc.array(oneCommand, { minLength: 2, maxLength: 4 }), fc.constantFrom("; ", " && ", "\n"))
  .map(([several, between]) => ({
    kind: "several",
    command: several
      .flatMap((each) => ("command" in each ? [`{ ${each.command}\n}`] : []))
      .join(between),
  }));

const toolCall: fc.Arbitrary<CallStep> = fc.oneof(
  fc.tuple(file, word).map(([at, content]): CallStep => ({
    kind: "Write",
    tool: "Write",
    input: { file_path: at, content },
  })),
  fc.tuple(file, word).map(([at, text]): CallStep => ({
    kind: "Edit",
    tool: "Edit",
    input: { file_path: at, old_string: "e", new_string: text, replace_all: true },
  })),
  fc
    .tuple(fc.constantFrom(...files), fc.constantFrom("new", "src/new", "new/n"))
    .map(([at, to]): CallStep => ({
      kind: "ApplyPatch",
      tool: "ApplyPatch",
      input: {
        patch: `*** Begin Patch\n*** Update File: ${at}\n*** Move to: ${to}\n@@\n-first\n+patched\n*** Add File: src/made\n+made\n*** End Patch\n`,
      },
    })),
  fc.constantFrom(...files).map((at): CallStep => ({
    kind: "ApplyPatch deletes",
    tool: "ApplyPatch",
    input: { patch: `*** Begin Patch\n*** Delete File: ${at}\n*** End Patch\n` },
  })),
  word.map((text): CallStep => ({
    kind: "NotebookEdit",
    tool: "NotebookEdit",
    input: { notebook_path: "book.ipynb", cell_id: "c1", new_source: text },
  })),
  fc.constantFrom(".gitignore", "src/.gitignore", "new/.gitignore").map((at): CallStep => ({
    kind: "Gitignore",
    tool: "Gitignore",
    input: { action: "add", patterns: ["*.log", "/dist/"], file: at },
  })),
);

export const callStep: fc.Arbitrary<CallStep> = fc.oneof(
  { weight: 6, arbitrary: oneCommand },
  { weight: 2, arbitrary: severalCommands },
  { weight: 3, arbitrary: toolCall },
);

export const outsideStep: fc.Arbitrary<OutsideStep> = fc.record({
  kind: fc.constantFrom(
    "save",
    "append",
    "delete",
    "link",
    "mode",
    "replace",
    "folder",
    "touch",
    "sibling",
  ),
  at: fc.oneof(file, name),
});
