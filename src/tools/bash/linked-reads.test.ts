import { describe, expect, test } from "vitest";
import { memoryHost } from "../../testing/index.ts";
import { understand } from "./analyze-command.ts";

async function readBesides(command: string): Promise<readonly string[]> {
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
    effect.kind === "read" && !effect.path.startsWith("/project") ? [effect.path] : [],
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
    { command: "cat NOTES*.MD *.md", reads: ["/out/secret"] },
    { command: "cat src/*/l", reads: ["/out"] },
    { command: "cat src/*/*/x.ts", reads: ["/out"] },
    { command: "find src -name l -exec cat {} +", reads: ["/out"] },
    { command: "find . -iname '*.MD' -exec cat {} +", reads: ["/out/secret"] },
    { command: "find src/*/*/ -type f -exec cat {} +", reads: ["/out"] },
    { command: "find src/*/*/ -name '*.md' -exec cat {} +", reads: ["/out"] },
    { command: "find src ! -name '*.md' -exec cat {} +", reads: ["/out"] },
    { command: "find src -name '*.md' -o -exec cat {} +", reads: ["/out"] },
    { command: "find src -name '*.{md' -o -name '*[l]' -exec cat {} +", reads: ["/out"] },
    { command: "find -L src -type f -exec cat {} +", reads: ["/out"] },
    { command: "find src ! -type f -exec cat {} +", reads: ["/out"] },
    { command: "find src -type f -o -exec cat {} +", reads: ["/out"] },
    { command: "find src \\( -type f -o -name l \\) -exec cat {} +", reads: ["/out"] },
    { command: "find src -exec cat {} + -type f", reads: ["/out"] },
    { command: "find src -type f -exec cat {} + -o -exec cat {} +", reads: ["/out"] },
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

describe("and nowhere else", () => {
  test.each([
    { command: "cat x.txt", because: "no link is in it" },
    { command: "ls *", because: "it lists links" },
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
