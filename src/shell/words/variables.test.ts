import { describe, expect, test } from "vitest";
import { explainCommand } from "../../explain/index.ts";
import { commandEffects } from "../index.ts";

const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };

/** Paths that a command reads, as a user would name them. */
function reads(command: string): readonly string[] {
  return commandEffects(command, place).flatMap((effect) =>
    effect.kind === "read" ? [`${effect.scope} ${effect.path}`] : [],
  );
}

describe("what a variable holds is put in", () => {
  test.each([
    { command: 'f=a.ts; cat "$f"', is: ["file /w/project/a.ts"] },
    { command: 'd=src; f="$d/a.ts"; cat "$f"', is: ["file /w/project/src/a.ts"] },
    { command: 'for f in a b; do cat "$f"; done', is: ["file /w/project/a", "file /w/project/b"] },
    {
      command: 'for f in src/*.ts; do cat "$f"; done',
      is: ["file /w/project/src", "tree /w/project/src"],
    },
    {
      command: 'for d in pkg/*/; do ls "$d"; done',
      is: ["tree /w/project/pkg", "tree /w/project/pkg"],
    },
    { command: 'cat "$(dirname src/a/b.ts)/c.ts"', is: ["file /w/project/src/a/c.ts"] },
    {
      command: 'if true; then f=a; else f=b; fi; cat "$f"',
      is: ["file /w/project/a", "file /w/project/b"],
    },
    {
      command: "find src -print0 | xargs -0 cat",
      is: ["tree /w/project/src", "tree /w/project/src"],
    },
    {
      command: 'git ls-files -- src | while IFS= read -r f; do cat "$f"; done',
      is: ["tree /w/project", "tree /w/project/src"],
    },
    { command: 'i=1; sed -n "${i}p" a', is: ["file /w/project/a"] },
  ])("$command", ({ command, is }) => {
    expect(reads(command)).toEqual(is);
  });
});

describe("what a variable may hold besides is not forgotten", () => {
  test.each([
    { command: 'f=a; read f < b; cat "$f"', because: "read sets it" },
    {
      command: 'f=a; while true; do cat "$f"; f=$(cat b); done',
      because: "the round before sets it",
    },
    { command: 'f=a; eval "f=b"; cat "$f"', because: "eval sets it" },
    { command: 'f=a; g() { f=b; }; g; cat "$f"', because: "a function sets it" },
    { command: 'f="a b"; cat $f', because: "the shell cuts it" },
    { command: "f='* /*'; cat $f", because: "the shell cuts it and matches each part" },
    { command: "f='\\*'; cat $f", because: "a backslash may be part of the name" },
    { command: 'true && f=a; cat "$f"', because: "it may not be set at all" },
    { command: 'f=$(cat b); local f=a; cat "$f"', because: "local sets nothing out here" },
    { command: 'f=a cat "$f"', because: "it is put in before it is set" },
    { command: '(f=a); cat "$f"', because: "a subshell keeps it" },
    { command: 'true | f=a; cat "$f"', because: "a pipe keeps it" },
    { command: 'export f=a; declare -l f; cat "$f"', because: "an attribute changes it" },
    { command: 'n=$(wc -l < b); cat "$n/a"', because: "what may be missing leaves the slash" },
  ])("$command: $because", ({ command }) => {
    expect(reads(command)).toContain("tree /");
  });

  test("an unquoted value that is a pattern names what the pattern names", () => {
    expect(reads("f='*'; cat $f")).toEqual(reads("cat *"));
    expect(reads("f=/etc/x*/y; cat $f")).toEqual(reads("cat /etc/x*/y"));
    expect(reads("f=..; cat $f/x?")).toEqual(reads("cat ../x?"));
    expect(reads('f="*"; cat "$f"')).toEqual(["file /w/project/*"]);
  });

  test("a subshell changes nothing outside it", () => {
    expect(reads('f=a; (f=/etc/x); cat "$f"')).toEqual(["file /w/project/a"]);
  });

  test("a path that climbs out through a variable is the path it leads to", () => {
    expect(reads('d=src; cat "$d/../../x"')).toContain("file /w/x");
  });

  test("a wipe hidden in a variable is on the floor", () => {
    expect(explainCommand('d=/; rm -rf "$d"', place).verdict).toBe("deny");
    expect(explainCommand('for d in a /usr; do rm -rf "$d"; done', place).verdict).toBe("deny");
  });
});

describe("variables that programs obey", () => {
  test.each([
    { command: "FILE=a; cat $FILE", verdict: "allow", because: "no program is given it" },
    { command: "FILE=a; npm test", verdict: "ask", because: "npm may have been given one before" },
    { command: "FILE=a; export FILE; ls", verdict: "ask", because: "it is handed on" },
    { command: "GIT_PAGER=./x; git log", verdict: "ask", because: "git is given one of its own" },
    { command: "PATH=.; ls", verdict: "ask", because: "bash obeys it" },
  ])("$command is $verdict, $because", ({ command, verdict }) => {
    expect(explainCommand(command, place).verdict).toBe(verdict);
  });
});

test("a search in what printf prints is a search", () => {
  expect(explainCommand("printf x | grep x", place).class).toBe("search");
  expect(explainCommand("cat f | grep x", place).class).toBe("read");
});

test("diff with pages starts pr, and says so", () => {
  const programs = commandEffects("diff -l a b", place).flatMap((effect) =>
    effect.kind === "execute" ? [effect.argv] : [],
  );

  expect(programs).toEqual([["diff", "-l", "a", "b"], ["pr"]]);
});

test("an effect that an option causes names the option", () => {
  const effects = commandEffects("git log --output=f; sed -i p g; sort -o h h", place);

  expect(effects.flatMap((effect) => (effect.kind === "write" ? [effect.through] : []))).toEqual([
    "--output",
    "-i",
    "-o",
  ]);
});
