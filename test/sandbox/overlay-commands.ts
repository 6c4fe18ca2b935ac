/** Commands as people and agents run them, each in a tree of its own. */
export interface RealCommand {
  readonly command: string;
  /** Tree before the command: a name of "projects", and steps after it. */
  readonly project?: keyof typeof projects;
  readonly before?: string;
  /** A program without which the command is left out. */
  readonly needs?: string;
  /** Says what the files themselves cannot: run in both trees, its output must be the same. */
  readonly witness?: string;
  /** Files that differ between any two runs. */
  readonly leaveOut?: RegExp;
  /** Why what it prints differs between any two runs. */
  readonly prints?: string;
}

const commitAll = "git add -A && git commit -qm";

export const projects = {
  text: [
    "mkdir -p notes/old empty",
    "for at in one two three four; do printf '%s line\\nsecond line\\n' $at > notes/$at.txt; done",
    "printf 'old\\n' > notes/old/first.txt",
    "seq 1 500 > numbers.txt",
    "ln -s notes/one.txt link",
    "printf '#!/bin/sh\\necho hello\\n' > run.sh",
    "chmod 755 run.sh",
    "find . -exec touch -h -d 2019-05-05 {} +",
  ].join(" && "),
  code: [
    "mkdir -p src include build",
    "printf 'int add(int a, int b);\\n' > include/add.h",
    "printf '#include \"add.h\"\\nint add(int a, int b) { return a + b; }\\n' > src/add.c",
    "printf '#include \"add.h\"\\nint main(void) { return add(1, -1); }\\n' > src/main.c",
    "printf 'all: app\\napp: src/main.o src/add.o\\n\\t$(CC) -o $@ $^\\n%%.o: %%.c include/add.h\\n\\t$(CC) -Iinclude -c -o $@ $<\\nclean:\\n\\trm -f app src/*.o\\n' > Makefile",
    "find . -exec touch -d 2019-05-05 {} +",
  ].join(" && "),
  git: [
    "git init -q .",
    "mkdir -p lib/deep",
    "printf 'one\\ntwo\\nthree\\n' > file.txt",
    "printf 'a\\n' > lib/a.txt",
    "printf 'b\\n' > lib/deep/b.txt",
    "printf 'ignored\\n' > .gitignore",
    `${commitAll} first`,
    `git checkout -qb side`,
    "printf 'one\\ntwo\\nthree\\nside\\n' > file.txt",
    `${commitAll} side`,
    `git checkout -q main`,
    "printf 'zero\\none\\ntwo\\nthree\\n' > file.txt",
    "printf 'c\\n' > lib/c.txt",
    `${commitAll} second`,
    "find . -exec touch -h -d 2019-05-05 {} +",
  ].join(" && "),
  node: [
    "mkdir -p packages/left packages/right src",
    'printf \'{"name":"left","version":"1.0.0","main":"index.js"}\' > packages/left/package.json',
    "printf 'module.exports = 1;\\n' > packages/left/index.js",
    'printf \'{"name":"right","version":"2.0.0","dependencies":{"left":"file:../left"}}\' > packages/right/package.json',
    "printf 'exports.two = 2;\\n' > packages/right/index.js",
    'printf \'{"name":"app","version":"0.0.0","scripts":{"build":"node build.js"}}\' > package.json',
    'printf \'const fs = require("node:fs"); fs.mkdirSync("dist", { recursive: true }); fs.writeFileSync("dist/out.js", "1");\\n\' > build.js',
    "printf 'export const one: number = 1;\\n' > src/one.ts",
    "printf 'import { one } from \"./one.js\";\\nexport const two: number = one + 1;\\n' > src/two.ts",
    'printf \'{"compilerOptions":{"module":"nodenext","outDir":"out","rootDir":"src","declaration":true,"incremental":true},"include":["src"]}\' > tsconfig.json',
    "find . -exec touch -d 2019-05-05 {} +",
  ].join(" && "),
} as const;

/** The index holds the numbers and dates of files, which no two trees share. */
const gitFiles = /(?:^|\/)\.git\/(?:.*\/)?index$/u;
const gitWitness = [
  "git fsck --full --no-dangling",
  "git rev-parse HEAD 'HEAD^{tree}'",
  "git ls-files -s",
  "git status --porcelain",
  "git stash list",
  "git branch -a",
].join("; ");
const npm =
  "npm --offline --ignore-scripts --no-audit --no-fund --no-update-notifier --cache ../cache";

function inProject(
  project: keyof typeof projects,
  commands: readonly (string | Omit<RealCommand, "project">)[],
): readonly RealCommand[] {
  return commands.map((entry) =>
    typeof entry === "string" ? { project, command: entry } : { project, ...entry },
  );
}

const texts = inProject("text", [
  "sed -i 's/line/row/' notes/*.txt",
  "sed -i.bak -e '1d' notes/one.txt",
  "echo added >> notes/one.txt",
  "echo replaced > notes/two.txt",
  "cat notes/one.txt notes/two.txt | tee both.txt copy.txt > third.txt",
  "tr a-z A-Z < notes/one.txt > upper.txt && mv upper.txt notes/one.txt",
  "sort -rn -o numbers.txt numbers.txt",
  "split -l 100 numbers.txt part- && rm numbers.txt",
  "head -c 1000 numbers.txt > head.bin; truncate -s 10 numbers.txt; truncate -s 4096 sparse.bin",
  "dd if=/dev/zero of=zeros.bin bs=1024 count=64 2>&1 | grep -c copied",
  "dd if=notes/one.txt of=numbers.txt conv=notrunc bs=4 count=1 2>/dev/null",
  "dd if=/dev/zero of=numbers.txt bs=1 count=1 seek=100000 conv=notrunc 2>/dev/null",
  { command: "awk '{ print $1 * 2 }' numbers.txt > doubled.txt", needs: "awk" },
  { command: "perl -pi -e 's/line/thing/' notes/*.txt", needs: "perl" },
  { command: "perl -i.orig -ne 'print if /second/' notes/one.txt", needs: "perl" },
  { command: "printf '1d\\nw\\nq\\n' | ed -s notes/one.txt", needs: "ed" },
  "mv notes archive",
  "mv notes/old notes/older && mv notes/older old",
  "mkdir -p a/b/c && mv notes a/b/c/ && mv a z",
  "mv notes/one.txt notes/two.txt",
  "mv -n notes/one.txt notes/two.txt; mv -b notes/three.txt notes/four.txt",
  "rm -rf notes",
  "rm -rf notes && mkdir notes && echo new > notes/new.txt",
  "rm -rf notes && mkdir -p notes/old && echo old > notes/old/first.txt",
  "rm -rf notes && echo 'a file now' > notes",
  "rm run.sh && mkdir run.sh && touch run.sh/inside",
  "rm link && ln -s notes/two.txt link && ln -s nowhere dangling",
  "ln -sfn notes link && ls link/",
  "ln numbers.txt same.txt && echo more >> same.txt",
  "ln notes/one.txt one && rm notes/one.txt",
  "cp -a notes copied",
  "cp -al notes tied && echo x > tied/new.txt",
  "cp --reflink=auto numbers.txt numbers2.txt",
  "find . -name '*.txt' -delete",
  "find . -type d -empty -delete",
  "find notes -type f -exec mv {} . \\;",
  "find . -name '*.txt' -print0 | xargs -0 sed -i '1s/^/# /'",
  "chmod -R u=rwX,go= notes",
  "chmod 4755 run.sh && chmod 1777 empty",
  "touch -d 2001-02-03 notes/one.txt notes/made.txt",
  "touch -r numbers.txt run.sh",
  "chmod -x run.sh; chmod +x numbers.txt",
  "rmdir empty && mkdir -m 700 empty",
  "mkdir -p deep/er/and/deeper && touch deep/er/and/deeper/leaf && rmdir --ignore-fail-on-non-empty deep/er",
  "printf 'tabs\\tand spaces' > 'odd name.txt'; printf x > \"quote'd\"; printf y > 'new\nline'; printf z > '*'",
  "tar -cf notes.tar --mtime=2019-01-01 --sort=name --owner=0 --group=0 notes && rm -r notes",
  "tar -cf - notes | (mkdir out && cd out && tar -xf -)",
  "tar -cf n.tar notes && rm -rf notes && mkdir notes && tar -xf n.tar && rm n.tar",
  "tar --remove-files -cf moved.tar --mtime=2019-01-01 --sort=name notes",
  { command: "gzip -n numbers.txt && gunzip -k numbers.txt.gz", needs: "gzip" },
  { command: "xz -k numbers.txt && rm numbers.txt && unxz numbers.txt.xz", needs: "xz" },
  {
    command: "zip -qX notes.zip notes/*.txt && rm notes/*.txt && unzip -q notes.zip",
    needs: "zip",
  },
  "printf -- '--- notes/one.txt\\n+++ notes/one.txt\\n@@ -1,2 +1,2 @@\\n-one line\\n+1 line\\n second line\\n' | patch -p0",
  "printf -- '--- /dev/null\\n+++ notes/made.txt\\n@@ -0,0 +1 @@\\n+made\\n' | patch -p0",
  "printf -- '--- notes/one.txt\\n+++ /dev/null\\n@@ -1,2 +0,0 @@\\n-one line\\n-second line\\n' | patch -p0",
  "printf -- '--- notes/one.txt\\n+++ notes/one.txt\\n@@ -1,2 +1,2 @@\\n-other\\n+1 line\\n second line\\n' | patch -p0",
  { command: "rsync -a --delete notes/ empty/", needs: "rsync" },
  { command: "rsync -a --remove-source-files notes/ moved/", needs: "rsync" },
  { command: "rsync -a --inplace notes/one.txt notes/two.txt", needs: "rsync" },
  {
    command:
      "python3 -c \"import pathlib, shutil; shutil.move('notes', 'moved'); pathlib.Path('new').write_text('x'); shutil.copytree('moved', 'again')\"",
    needs: "python3",
  },
  {
    command:
      "python3 -c \"import os; os.replace('numbers.txt', 'n'); f = open('n', 'r+'); f.seek(5); f.write('zz'); f.truncate(); f.close(); os.utime('n', (1, 1))\"",
    needs: "python3",
  },
  {
    command:
      "python3 -c \"import mmap; f = open('numbers.txt', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:3] = b'ABC'; m.flush()\"",
    needs: "python3",
  },
  {
    command:
      "python3 -c \"import tempfile, os; d = tempfile.mkdtemp(dir='.'); open(d + '/x', 'w').write('1'); os.rename(d + '/x', 'x'); os.rmdir(d)\"",
    needs: "python3",
  },
  {
    command: "python3 -m zipfile -c z.zip notes/one.txt && python3 -m zipfile -e z.zip out",
    needs: "python3",
  },
  {
    command:
      "sqlite3 db.sqlite 'create table t(a); insert into t values(1); insert into t values(2);'",
    needs: "sqlite3",
  },
  {
    command: "sqlite3 db.sqlite 'delete from t where a = 1; vacuum;'",
    before:
      "sqlite3 db.sqlite 'create table t(a); insert into t values(1); insert into t values(2);'",
    needs: "sqlite3",
  },
  {
    command: "sqlite3 db.sqlite 'insert into t values(3);'",
    before: "sqlite3 db.sqlite 'pragma journal_mode=wal; create table t(a);' > journal-mode",
    needs: "sqlite3",
  },
  {
    command: "jq '.a = 2' data.json > t && mv t data.json",
    before: "echo '{\"a\":1}' > data.json",
    needs: "jq",
  },
  "flock numbers.txt sh -c 'echo locked >> numbers.txt'",
  "exec 3<> numbers.txt; printf first >&3; exec 3>&-; cat < numbers.txt > read.txt",
  "mkfifo pipe && { cat pipe > got.txt & } && echo through > pipe; wait; rm pipe",
  "cd notes && rm -rf ../empty && pwd > where.txt && cd .. && cp notes/where.txt .",
  "(umask 077; touch secret.txt; mkdir closed); umask 022; touch open.txt",
  "install -m 750 -D numbers.txt bin/tool",
  "shred -n 1 -u notes/one.txt",
  "exit 3",
]);

const builds = inProject("code", [
  { command: "make -s", needs: "gcc" },
  { command: "make -s && make -s clean", needs: "gcc" },
  { command: "touch include/add.h && make -s", before: "make -s", needs: "gcc" },
  { command: "make -s -j2 && ./app; echo $?", needs: "gcc" },
  {
    command: "gcc -Iinclude -shared -fPIC -o build/libadd.so src/add.c && strip build/libadd.so",
    needs: "gcc",
  },
  {
    command: "gcc -Iinclude -c -o build/add.o src/add.c && ar rcsD build/libadd.a build/add.o",
    needs: "gcc",
  },
]);

const repositories = inProject("git", [
  {
    command: `git init -q fresh && cd fresh && echo 1 > a && ${commitAll} new`,
    witness: "cd fresh && git fsck",
  },
  { command: `echo more >> file.txt && ${commitAll} third`, witness: gitWitness },
  { command: `git rm -q file.txt && git commit -qm gone`, witness: gitWitness },
  { command: `git mv lib/a.txt lib/z.txt && git commit -qm moved`, witness: gitWitness },
  { command: `git checkout -q side`, witness: gitWitness },
  { command: `git checkout -q side && git checkout -q main`, witness: gitWitness },
  { command: `git switch -qc new && git branch -D side`, witness: gitWitness },
  { command: `git merge -q -m merged side`, witness: gitWitness },
  { command: `git merge -q --squash side; git reset -q --hard`, witness: gitWitness },
  { command: `git rebase -q side`, witness: gitWitness },
  { command: `git cherry-pick side`, witness: gitWitness, prints: "hash of a moment" },
  { command: "echo x > file.txt && git stash -q && git stash pop -q", witness: gitWitness },
  { command: "echo x > lib/a.txt && git stash -q", witness: gitWitness },
  { command: `git worktree add -q tree side && cd tree && echo w > w.txt && ${commitAll} w` },
  {
    command: `cd tree && echo w > w.txt && ${commitAll} w`,
    before: `git worktree add -q tree side`,
    witness: "git fsck --full; git rev-parse side",
  },
  {
    command: "git worktree remove tree",
    before: "git worktree add -q tree side",
    witness: gitWitness,
  },
  { command: "git reset -q --hard HEAD~1 && git clean -fdxq", witness: gitWitness },
  { command: "git tag -a v1 -m one && git config user.name person", witness: gitWitness },
  { command: "git gc -q --prune=now", witness: gitWitness },
  {
    command: "git clone -q . cloned 2>&1",
    witness: "cd cloned && git fsck && git rev-parse HEAD",
  },
  {
    command: "git clone -q --bare . bare.git 2>&1 && git push -q bare.git side:other",
    witness: "git -C bare.git fsck && git -C bare.git branch -a",
  },
  {
    command: "git format-patch -q -1 && git reset -q --hard HEAD~1 && git am -q *.patch",
    witness: gitWitness,
  },
  {
    command: "git diff HEAD~1 > change.diff && git apply -R change.diff",
    witness: gitWitness,
  },
  { command: "git submodule -q add ./ sub 2>&1; ls", witness: gitWitness },
  { command: "git archive -o out.tar HEAD && tar -xf out.tar lib/a.txt", witness: gitWitness },
]).map((entry) => ({ ...entry, leaveOut: gitFiles }));

const packages = inProject("node", [
  {
    command: `${npm} install ./packages/left && node -e 'require("left")'`,
    needs: "npm",
    prints: "how long it took",
  },
  {
    command: `${npm} install --install-links ./packages/left ./packages/right`,
    needs: "npm",
    prints: "how long it took",
    leaveOut: /\.package-lock\.json$/u,
  },
  {
    command: `${npm} uninstall left`,
    before: `${npm} install ./packages/left > install.log; rm install.log`,
    needs: "npm",
    prints: "how long it took",
  },
  {
    command: `${npm} ci --install-links`,
    before: `${npm} install --install-links ./packages/left > install.log; rm install.log`,
    needs: "npm",
    prints: "how long it took",
    leaveOut: /\.package-lock\.json$/u,
  },
  {
    command: `${npm} install --install-links ./packages/left`,
    before: `${npm} install --install-links ./packages/left > install.log; rm install.log; sed -i s/1.0.0/1.1.0/ packages/left/package.json; echo added > packages/left/added.js`,
    needs: "npm",
    prints: "how long it took",
    leaveOut: /\.package-lock\.json$/u,
  },
  { command: `${npm} pack ./packages/left`, needs: "npm", leaveOut: /\.tgz$/u },
  { command: `${npm} run -s build`, needs: "npm" },
  { command: "tsc -p .", needs: "tsc" },
  {
    command: "echo 'export const three = 3;' >> src/one.ts && tsc -p .",
    before: "tsc -p .",
    needs: "tsc",
  },
  'node build.js && node -e \'fs.rmSync("dist", { recursive: true }); fs.cpSync("src", "copy", { recursive: true })\'',
  'node -e \'fs.appendFileSync("build.js", "//"); fs.renameSync("build.js", "b.js"); fs.symlinkSync("b.js", "l")\'',
]);

/** About a hundred, told apart by what they use. */
export const realCommands: readonly RealCommand[] = [
  ...texts,
  ...builds,
  ...repositories,
  ...packages,
];

/** A directory of the real tree is moved in one step, without the copy that "mv" makes where that is refused. */
export const movingCommands: readonly RealCommand[] = [
  ...inProject("git", [
    { command: "git mv lib moved", leaveOut: gitFiles, witness: gitWitness },
    {
      command: "git mv lib/deep deep && git mv lib src && git commit -qm moved",
      leaveOut: gitFiles,
      witness: gitWitness,
    },
  ]),
  ...inProject("text", [
    ...[
      "os.rename('notes', 'moved')",
      "os.rename('notes', 'empty')",
      "os.rename('notes/old', 'older'); os.rename('notes', 'older/notes')",
      "os.rename('notes', 'n'); os.rename('empty', 'notes'); os.rename('n', 'empty')",
      "os.rename('notes', 'n'); os.mkdir('notes'); open('notes/one.txt', 'w').write('new')",
      "os.rename('notes', 'n'); os.rename('n', 'notes')",
      "os.rename('notes', 'n'); os.unlink('n/one.txt'); open('n/two.txt', 'a').write('more'); os.chmod('n/old', 0o700)",
      "os.link('notes/one.txt', 'notes/same.txt'); os.rename('notes', 'n'); os.symlink('one.txt', 'n/link')",
      "os.rename('notes', 'n'); __import__('shutil').rmtree('n')",
    ].map((script) => ({ command: `python3 -c "import os; ${script}"`, needs: "python3" })),
    {
      command: "python3 -c \"import os; os.rename('notes', 'moved')\"",
      before:
        "ln notes/one.txt notes/old/tied && ln notes/two.txt tied && chmod 000 notes/old/first.txt && ln -s nowhere notes/gone",
      needs: "python3",
    },
    { command: 'perl -e \'rename("notes", "moved") or die "$!"\'', needs: "perl" },
    'node -e \'fs.renameSync("notes", "moved")\'',
  ]),
];
