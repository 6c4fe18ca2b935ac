import { describe, expect, test } from "vitest";
import { memoryHost } from "../../../testing/index.ts";
import { understand } from "../analyze-command.ts";

async function readBesides(command: string): Promise<readonly string[]> {
  return await touchedBesides(command, "read");
}

async function touchedBesides(command: string, kind: "read" | "write"): Promise<readonly string[]> {
  const host = memoryHost({
    files: {
      "/usr/bin/cat": "",
      "/out/secret": "",
      "src/a.ts": "",
      "src/deep/b.ts": "",
      "x.txt": "",
    },
  });
  host.control.plant("/project/notes.md", { kind: "symlink", target: "/out/secret" });
  host.control.plant("/project/near.md", { kind: "symlink", target: "src/a.ts" });
  host.control.plant("/project/src/deep/l", { kind: "symlink", target: "/out" });
  const seen = { ...host, info: { ...host.info, path: ["/usr/bin"] } };
  const site = { host: seen, cwd: "/project", workspace: "/project" };
  const { effects } = await understand(command, site);
  return effects.flatMap((effect) =>
    effect.kind === kind && !effect.path.startsWith("/project") ? [effect.path] : [],
  );
}

describe("a command reads where the links lead that it follows", () => {
  test.each([
    { command: "cat *", reads: ["/out/secret"] },
    { command: "cat n*.md x.txt", reads: ["/out/secret"] },
    { command: "wc -l {notes,near}.md", reads: ["/out/secret"] },
    { command: "cat src/*/*", reads: ["/out"] },
    { command: "shopt -s globstar; cat src/**", reads: ["/out"] },
    { command: "shopt -s globstar; cat **/*.md", reads: ["/out/secret", "/out"] },
    { command: "cat **/*.md", reads: ["/out/secret"] },
    { command: "grep -R x .", reads: ["/out/secret", "/out"] },
    { command: "grep -nRi x src", reads: ["/out"] },
    { command: "ggrep -R x src", reads: ["/out"] },
    { command: "zgrep -R x src", reads: ["/out"] },
    { command: "gfind src -name l -exec cat {} +", reads: ["/out"] },
    { command: "grep --dereference-recursive x src", reads: ["/out"] },
    { command: "rg -L x", reads: ["/out/secret", "/out"] },
    { command: "rg --follow x src", reads: ["/out"] },
    { command: "find src -exec cat {} +", reads: ["/out"] },
    { command: "diff -r src x.txt", reads: ["/out"] },
    { command: "cat < n*s.md", reads: ["/out/secret", "/out"] },
    { command: "ls && cat *", reads: ["/out/secret"] },
    { command: "ag -f x src", reads: ["/out"] },
    { command: "tree -l src", reads: ["/out"] },
    { command: "find -L src -name x", reads: ["/out"] },
    { command: "find src -follow", reads: ["/out"] },
    { command: "fd -L x src", reads: ["/out"] },
    { command: "fd --follow x src", reads: ["/out"] },
    { command: "ls -RL src", reads: ["/out"] },
    { command: "ls --recursive --dereference src", reads: ["/out"] },
    { command: "du -aL src", reads: ["/out"] },
    { command: "cat NOTES*.MD *.md", reads: ["/out/secret"] },
    { command: "cat src/*/l", reads: ["/out"] },
    { command: "cat src/*/*/x.ts", reads: ["/out"] },
    { command: "find src -name l -exec cat {} +", reads: ["/out"] },
    { command: "find . -iname '*.MD' -exec cat {} +", reads: ["/out/secret"] },
    { command: "find src/*/*/ -type f -exec cat {} +", reads: ["/out", "/out"] },
    { command: "find src/*/*/ -name '*.md' -exec cat {} +", reads: ["/out", "/out"] },
    { command: 'for f in *; do cat "$f"; done', reads: ["/out/secret"] },
    { command: 'for f in n*.md x.txt; do cat "./$f"; done', reads: ["/out/secret"] },
    { command: 'for f in src/*; do ls "$f/l"; done', reads: ["/out"] },
    { command: 'for i in {1..3}; do cat "notes$i.md"; done', reads: ["/out/secret"] },
    { command: "ls src/*/*", reads: ["/out"] },
    { command: "ls src/*/l/", reads: ["/out"] },
    { command: "du src/*/*/", reads: ["/out"] },
    { command: "echo src/*/*/*", reads: ["/out"] },
    { command: "for f in src/deep/*/*; do echo $f; done", reads: ["/out"] },
    { command: "for f in src/*/*/*; do echo $f; done", reads: ["/out"] },
    { command: "p='src/*/*/*'; for f in $p; do echo $f; done", reads: ["/out"] },
    { command: "cp -rL src new", reads: ["/out"] },
    { command: "find src -exec ls {} \\;", reads: ["/out"] },
    { command: "find src ! -name '*.md' -exec cat {} +", reads: ["/out"] },
    { command: "find src -name '*.md' -o -exec cat {} +", reads: ["/out"] },
    { command: "find src -name '*.{md' -o -name '*[l]' -exec cat {} +", reads: ["/out"] },
    // Both programs go there.
    { command: "find -L src -type f -exec cat {} +", reads: ["/out", "/out"] },
    { command: "find src ! -type f -exec cat {} +", reads: ["/out"] },
    { command: "find src -type f -o -exec cat {} +", reads: ["/out"] },
    { command: "find src \\( -type f -o -name l \\) -exec cat {} +", reads: ["/out"] },
    { command: "find src -exec cat {} + -type f", reads: ["/out"] },
    { command: "find src -type f -exec cat {} + -o -exec cat {} +", reads: ["/out"] },
    { command: "find -H src/*/* -name x", reads: ["/out"] },
    { command: "gfind -P -H src/*/* -type f", reads: ["/out"] },
    { command: "find -H n*.md -size +1M", reads: ["/out/secret"] },
    { command: "find src -name l -exec find -H {} -type f \\;", reads: ["/out"] },
    { command: "du -aD src/*/*", reads: ["/out"] },
    { command: "du -0H src/*/*", reads: ["/out"] },
    { command: "du --dereference-args n*.md", reads: ["/out/secret"] },
    { command: "stat -L n*.md", reads: ["/out/secret"] },
    { command: "stat --deref n*.md", reads: ["/out/secret"] },
    { command: "ls -lH src/*/*", reads: ["/out"] },
    { command: "ls -lRH src/*/*", reads: ["/out"] },
    { command: "ls -dL n*.md", reads: ["/out/secret"] },
    { command: "ls -l --dereference-command-line n*.md", reads: ["/out/secret"] },
    { command: "ls -lL src/deep", reads: ["/out"] },
    { command: "ls -I -l src/*/*", reads: ["/out"] },
    { command: "ls -Il src/*/*", reads: ["/out"] },
    { command: "ls -IlT src/*/*", reads: ["/out"] },
    { command: "ls -lx src/*/*", reads: ["/out"] },
    { command: "ls -l --format=commas src/*/*", reads: ["/out"] },
    { command: "ls -Fp src/*/*", reads: ["/out"] },
    { command: "ls -F --file-type src/*/*", reads: ["/out"] },
    { command: "ls --classify=never src/*/*", reads: ["/out"] },
    { command: "diff src/deep src", reads: ["/out"] },
    { command: "diff x.txt .", reads: ["/out/secret"] },
    { command: "diff -q src/deep x.txt", reads: ["/out"] },
    { command: "diff --to-file=src/deep x.txt", reads: ["/out"] },
    { command: "diff src/d* x.txt", reads: ["/out"] },
    { command: "zdiff src/deep x.txt", reads: ["/out"] },
    { command: "zdiff -r src x.txt", reads: ["/out"] },
    { command: "colordiff -u src/deep x.txt", reads: ["/out"] },
    { command: "find . ! -path '*/src/*' -exec cat {} +", reads: ["/out/secret"] },
    { command: "find . -path '*/src/*' -exec cat {} +", reads: ["/out/secret", "/out"] },
    { command: "find . ! ! -path '*/src/*' -exec cat {} +", reads: ["/out/secret", "/out"] },
    { command: "find . ! -path '*/src/*' -o -exec cat {} +", reads: ["/out/secret", "/out"] },
    { command: "find src -not -path './deep/*' -exec cat {} +", reads: ["/out"] },
    { command: "find . -not -path './deep/*' -exec cat {} +", reads: ["/out/secret", "/out"] },
    {
      command: "find . -mindepth 2 -name src -prune -o -exec cat {} +",
      reads: ["/out/secret", "/out"],
    },
    { command: "find . -depth -name src -prune -o -exec cat {} +", reads: ["/out/secret", "/out"] },
    { command: "find . -name src -o -exec cat {} +", reads: ["/out/secret", "/out"] },
    {
      command: "find . -name -o -name src -prune -o -exec cat {} +",
      reads: ["/out/secret", "/out"],
    },
    {
      command: "find . -name 'x\n-o\n-name\nsrc\n-prune\n-o' -o -exec cat {} +",
      reads: ["/out/secret", "/out"],
    },
    { command: "find -P src -not -path './deep/*' -exec cat {} +", reads: ["/out"] },
    { command: "find . -empty -name src -prune -o -exec cat {} +", reads: ["/out/secret", "/out"] },
  ])("$command", async ({ command, reads }) => {
    expect(await readBesides(command)).toEqual(reads);
  });
});

describe("a command writes where the links lead that it follows", () => {
  test.each([
    { command: "rm src/*/l/x", writes: ["/out"] },
    { command: "rmdir src/*/l/", writes: ["/out"] },
    { command: "unlink src/*/l/x", writes: ["/out"] },
    { command: 'for f in src/deep/*; do rm "$f/x"; done', writes: ["/out"] },
    { command: 'for f in src/deep/*; do cp x.txt "$f/x"; done', writes: ["/out"] },
    { command: 'for f in n*.md; do cp x.txt "$f"; done', writes: ["/out/secret"] },
    { command: "touch n*.md", writes: ["/out/secret"] },
    { command: "tee *.md", writes: ["/out/secret"] },
    { command: "truncate -s 0 {notes,x}.md", writes: ["/out/secret"] },
    { command: "cp x.txt src/deep/l*", writes: ["/out"] },
    { command: "mv x.txt src/deep/l*", writes: ["/out"] },
    { command: "mv -t src/deep/l* x.txt", writes: ["/out"] },
    { command: "ln x.txt src/deep/l*", writes: ["/out"] },
    { command: "cp src/l src/deep", writes: ["/out"] },
    { command: "cp other/src/notes.md .", writes: ["/out/secret"] },
    { command: "cp other/src/l s*/d*", writes: ["/out/secret", "/out"] },
    { command: "cp -r other/src .", writes: ["/out"] },
    { command: "cp -r other/. .", writes: ["/out/secret", "/out"] },
    { command: "cp -rT other .", writes: ["/out/secret", "/out"] },
    { command: "cp -r other/* .", writes: ["/out/secret", "/out"] },
    { command: "find -L src -name x -delete", writes: ["/out"] },
    { command: "find -H src/*/* -name x -delete", writes: ["/out"] },
    { command: "find -H src/*/* -type f -exec rm {} +", writes: ["/out"] },
    { command: "find src/*/*/ -type f -exec rm {} +", writes: ["/out"] },
    { command: "find -L src -type f -exec rm {} +", writes: ["/out"] },
    { command: "find src -name l -exec find -H {} -type f -delete \\;", writes: ["/out"] },
    { command: "chmod -RL a+r src", writes: ["/out"] },
  ])("$command", async ({ command, writes }) => {
    const found = new Set(await touchedBesides(command, "write"));
    expect([...found]).toEqual(writes);
  });

  test.each([
    { command: "rm src/deep/*", because: "links are removed" },
    { command: "rm -rf src", because: "links are removed" },
    { command: "find src -delete", because: "links are removed" },
    { command: "find src/*/* -name l -delete", because: "links are removed" },
    { command: "find src/*/* -exec rm {} +", because: "links are removed" },
    { command: "find -H src -name l -exec rm {} +", because: "only its operands are followed" },
    { command: "cp x.txt src", because: "no link has such a name" },
    { command: "cp -r other/new .", because: "no link is below such a name" },
    { command: "cp x.txt n*.txt", because: "no link has such a name" },
    { command: "mv n*.txt src", because: "links are moved" },
    { command: "mv other/l src/deep", because: "the link is replaced" },
    { command: "mv x.txt n*", because: "the link is replaced, as it leads to a file" },
  ])("and not: $command, as $because", async ({ command }) => {
    expect(await touchedBesides(command, "write")).toEqual([]);
  });
});

describe("and nowhere else", () => {
  test.each([
    { command: "cat x.txt", because: "no link is in it" },
    { command: "ls *", because: "the links lead to files, of which it shows the names" },
    { command: "ls -l src/*/*", because: "links are listed" },
    { command: "ls -d src/*/*", because: "links are listed" },
    { command: "ls -dC src/*/*", because: "links are listed" },
    { command: "ls -lp -- src/*/*", because: "links are listed" },
    { command: "ls --format=long src/*/*", because: "links are listed" },
    { command: "ls -F src/*/*", because: "links are listed" },
    { command: "stat src/*/*", because: "links are described" },
    { command: "du -a src/*/*", because: "links are counted" },
    { command: "find -H src", because: "only its operands are followed" },
    { command: "diff src x.txt", because: "the link lies deeper" },
    { command: "diff x.txt src/a.ts", because: "no folder is compared" },
    { command: "echo src/*/*", because: "the names of links are printed" },
    { command: "for f in src/*/*; do echo $f; done", because: "the names of links are printed" },
    { command: "cp -r src new", because: "links are copied" },
    { command: 'for f in src/*.ts; do cat "$f"; done', because: "no link has such a name" },
    { command: "find src -exec ls -l {} +", because: "links are listed" },
    { command: "ls -lR src", because: "links are listed" },
    { command: "ls -L src", because: "it lists one folder" },
    { command: "find -P src", because: "links are left alone" },
    { command: "cat src/*.ts", because: "the link lies deeper" },
    { command: "grep -r x .", because: "links in folders are left alone" },
    { command: "rg x", because: "links are left alone" },
    { command: "find . -name '*.ts'", because: "links are listed" },
    { command: "rg -l x", because: "only names of files with a match are printed" },
    { command: "rg -il -f x.txt", because: "that is a file of patterns" },
    { command: "ag -lL x", because: "files with and without a match are printed" },
    { command: "cat *.txt", because: "no link has such a name" },
    { command: "cat src/*/*.ts", because: "no link that deep has such a name" },
    { command: "find . -type f -name '*.ts' -exec grep x {} +", because: "links are left out" },
    {
      command: "find . -name x -prune -o -type f -not -name x -exec cat {} \\;",
      because: "links are left out",
    },
    {
      command: "find . -name '*.ts' -not -path './x/*' -exec grep x {} +",
      because: "no link has such a name",
    },
    { command: "find src -not -path '*/deep/*' -exec cat {} +", because: "it is not looked into" },
    { command: "find src -name deep -prune -o -exec cat {} +", because: "it is skipped" },
    {
      command: "find src -name x -prune -o -type d -name deep -prune -o -exec cat {} \\;",
      because: "it is skipped as a directory",
    },
    { command: "gfind . -type f -exec cat {} +", because: "links are left out" },
    { command: "git status", because: "git keeps links as they are" },
  ])("$command: $because", async ({ command }) => {
    expect(await readBesides(command)).toEqual([]);
  });
});

test("among more files than are looked at it is not known where links lead", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 20_001 }, (_, index) => [`d/${index}`, ""]),
  );
  const host = memoryHost({ files: { ...files, "/usr/bin/cat": "" } });
  const seen = { ...host, info: { ...host.info, path: ["/usr/bin"] } };
  const site = { host: seen, cwd: "/project", workspace: "/project" };

  const { effects, isListed } = await understand("cat d/*", site);

  expect(isListed).toBe(false);
  expect(effects).toContainEqual(
    expect.objectContaining({ kind: "unknown", origin: "cat", by: { start: 0, end: 7 } }),
  );
});

async function unknownWhere(fails: string | undefined): Promise<readonly string[]> {
  const host = memoryHost({ files: { "/usr/bin/cat": "", "d/a": "" } });
  if (fails !== undefined) host.control.fail({ path: "/project/d", operation: "list", fails });
  const seen = { ...host, info: { ...host.info, path: ["/usr/bin"] } };
  const site = { host: seen, cwd: "/project", workspace: "/project" };
  const { effects } = await understand("cat d/*", site);
  return effects.flatMap((effect) => (effect.kind === "unknown" ? effect.because : []));
}

describe("where a directory cannot be listed", () => {
  test("it is not known where links lead, as the command may list it", async () => {
    expect(await unknownWhere("EACCES")).toEqual([
      "it follows links, and /project/d cannot be listed",
    ]);
    expect(await unknownWhere("EIO")).toEqual([
      "it follows links, and /project/d cannot be listed",
    ]);
  });

  test("a missing one holds no link", async () => {
    expect(await unknownWhere("ENOENT")).toEqual([]);
    expect(await unknownWhere(undefined)).toEqual([]);
  });
});
