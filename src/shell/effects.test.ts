import { describe, expect, test } from "vitest";
import type { Effect } from "../core/index.ts";
import { commandEffects } from "./index.ts";

const place = {
  cwd: "/w/project",
  workspace: "/w/project",
  home: "/home/user",
  env: {},
};

/** Effects as short lines, without executed programs. */
function touched(command: string): readonly string[] {
  return commandEffects(command, place).flatMap((effect: Effect): string[] => {
    if (effect.kind === "read") return [`read ${effect.scope} ${effect.path}`];
    if (effect.kind === "write") return [`${effect.change} ${effect.scope} ${effect.path}`];
    if (effect.kind === "connect")
      return [`connect ${effect.host}${effect.port === undefined ? "" : `:${effect.port}`}`];
    if (effect.kind === "unknown") return [`unknown (${effect.origin})`];
    return [];
  });
}

/** Places outside the workspace where programs with open consequences work. */
const placesOf = (command: string) =>
  commandEffects(command, place).flatMap((effect) =>
    effect.kind === "execute" ? (effect.worksIn ?? []) : [],
  );

test("the volumes of a container are places where the program works", () => {
  for (const volume of ["-v ../data:/x", "--volume=../data:/x", "--volume ../data:/x"]) {
    expect(placesOf(`docker run ${volume} image ls`)).toContain("/w/data");
  }
});

describe("a command's paths and hosts are effects", () => {
  test.each([
    { command: "ls -w 80 src", effects: ["read tree /w/project/src"] },
    {
      command: "cat a | rg --files",
      effects: ["read file /w/project/a", "read tree /w/project"],
    },
    {
      command: "cat a ../b /c",
      effects: ["read file /w/project/a", "read file /w/b", "read file /c"],
    },
    { command: "dig -x 1.2.3.4", effects: ["unknown (dig)", "connect 1.2.3.4"] },
    { command: "unlink a", effects: ["delete file /w/project/a"] },
    { command: "rmdir a/b", effects: ["delete file /w/project/a/b"] },
    {
      command: "rmdir -p ../a/b/",
      effects: ["delete file /w/a/b", "delete file /w/a", "delete file /w"],
    },
    { command: "fd x src", effects: ["read tree /w/project/src"] },
    {
      command: "find a -delete -fprint out",
      effects: ["read tree /w/project/a", "delete tree /w/project/a", "any file /w/project/out"],
    },
    { command: "cat < a > b", effects: ["read file /w/project/a", "any file /w/project/b"] },
    { command: "cat a >> b", effects: ["modify file /w/project/b", "read file /w/project/a"] },
    { command: "cat ~/x", effects: ["read file /home/user/x"] },
    { command: 'cat "$HOME/x"', effects: ["read file /home/user/x"] },
    { command: "cat src/*.ts", effects: ["read tree /w/project/src"] },
    { command: 'cat "$f"', effects: ["read tree /"] },
    { command: "cp a b", effects: ["read file /w/project/a", "any tree /w/project/b"] },
    {
      command: "cp -t out a",
      effects: ["any file /w/project/out", "read file /w/project/a", "any tree /w/project/out"],
    },
    {
      command: "mv a b",
      effects: ["read tree /w/project/a", "delete tree /w/project/a", "any tree /w/project/b"],
    },
    {
      command: "ln -s ../x ../l",
      effects: [
        "read tree /w/x",
        "any tree /w/l",
        "read tree /w/l/../x",
        "read tree /x",
        "read tree /w/l/../../x",
      ],
    },
    {
      command: "ln a b",
      effects: ["read file /w/project/a", "any tree /w/project/b", "modify file /w/project/a"],
    },
    {
      command: "ln -t d /etc/x",
      effects: [
        "any file /w/project/d",
        "read file /etc/x",
        "any tree /w/project/d",
        "modify file /etc/x",
      ],
    },
    {
      command: "ln -s x */l",
      effects: ["unknown (ln)", "read tree /w/project/x", "any tree /w/project", "unknown (ln)"],
    },
    ...[
      "git format-patch --stdout HEAD",
      "git fast-export HEAD",
      "git an-alias",
      "git clone . copy",
      "git clone . https://a.example/b",
      "git commit -v",
      "git commit --verbo",
      "git commit -F .env",
      "git add --patch",
      "git mv .env x",
      "git push ../copy",
    ].map((command) => ({
      command,
      effects: [expect.stringContaining("unknown"), "read tree /w/project"],
    })),
    ...[
      "git push",
      "git commit -am x",
      "git fetch -q --prune",
      "git push -u origin main",
      "git clone https://a.example/b c",
    ].map((command) => ({ command, effects: [expect.stringContaining("unknown")] })),
    {
      command: "mv --exchange a b",
      effects: expect.arrayContaining(["delete tree /w/project/a", "delete tree /w/project/b"]),
    },
    { command: "rm -rf build", effects: ["delete tree /w/project/build"] },
    { command: "mkdir -p a/b", effects: ["create file /w/project/a/b"] },
    { command: "sed -i s/a/b/ f", effects: ["read file /w/project/f", "modify file /w/project/f"] },
    {
      command: "sed 'r other' f",
      effects: ["read file /w/project/f", "read file /w/project/other"],
    },
    { command: "tee a b", effects: ["any file /w/project/a", "any file /w/project/b"] },
    { command: "dd if=a of=b", effects: ["read file /w/project/a", "any file /w/project/b"] },
    { command: "sort -o out f", effects: ["any file /w/project/out", "read file /w/project/f"] },
    {
      command: "uniq a b",
      effects: ["read file /w/project/a", "read file /w/project/b", "any file /w/project/b"],
    },
    {
      command: "find src -name x -delete",
      effects: ["read tree /w/project/src", "any tree /w/project/src"],
    },
    {
      command: "find src -exec cat {} +",
      effects: ["read tree /w/project/src", "read tree /w/project/src"],
    },
    { command: "rm a", effects: ["delete file /w/project/a"] },
    { command: "rm -r src/*", effects: ["delete tree /w/project/src"] },
    { command: "rm -r src/*.log", effects: ["any tree /w/project/src"] },
    {
      command: "find . -exec rm {} \\;",
      effects: ["read tree /w/project", "delete tree /w/project"],
    },
    { command: "grep -r x src", effects: ["read tree /w/project/src"] },
    { command: "rg x", effects: ["read tree /w/project"] },
    { command: "curl https://API.Example.com:8443/a", effects: ["connect api.example.com:8443"] },
    {
      command: "curl -o out https://x.example/a",
      effects: ["any file /w/project/out", "connect x.example"],
    },
    {
      command: "curl -d @secret https://x.example",
      effects: [
        "unknown (curl)",
        "read file /w/project/secret",
        "unknown (curl)",
        "connect x.example",
      ],
    },
    { command: "curl $URL", effects: ["unknown (curl)"] },
    { command: "npm test", effects: ["unknown (npm)"] },
    { command: "npm test > log", effects: ["any file /w/project/log", "unknown (npm)"] },
    { command: "$x a", effects: ["unknown (bash)"] },
    { command: "cat /dev/null > /dev/null 2>&1", effects: [] },
    { command: 'echo x > "$f"', effects: ["unknown (bash)"] },
    { command: "sudo rm a", effects: ["unknown (sudo)", "delete file /w/project/a"] },
    {
      command: "bash -c 'cat a > b'",
      effects: ["any file /w/project/b", "read file /w/project/a"],
    },
    { command: "cat a | xargs cat", effects: ["read file /w/project/a", "read tree /"] },
  ])("$command", ({ command, effects }) => {
    expect(touched(command)).toEqual(effects);
  });
});

function here(...names: readonly string[]): readonly string[] {
  return names.map((name) => `read file /w/project/${name}`);
}

describe("files that a program opens without being given their names", () => {
  test.each([
    { command: "zcat a", effects: here("a", "a.gz", "a.z", "a-z", "a.Z") },
    { command: "gzip -t a", effects: here("a", "a.gz", "a.z", "a-z", "a.Z") },
    { command: "gzip -l -S .q a", effects: here("a", "a.q", "a.gz", "a.z", "a-z", "a.Z") },
    { command: "zgrep x a", effects: here("a", "a.gz", "a.z", "a-z", "a.Z") },
    { command: "zdiff a.gz", effects: ["read tree /w/project/a.gz", ...here("a")] },
    { command: "unzip -l a", effects: here("a", "a.zip", "a.ZIP") },
    {
      command: "gzip -rt d",
      effects: ["read tree /w/project/d", ...here("d.gz", "d.z", "d-z", "d.Z")],
    },
    { command: "iconv -f ./x a", effects: here("a", "x") },
    { command: "file -m x a", effects: ["read tree /w/project/x", ...here("a", "x.mgc")] },
    { command: "gawk --lint=fatal '{print}' a", effects: here("a") },
    { command: "xxd a", effects: here("a") },
    { command: "tar tf a.tar -C d", effects: here("d", "a.tar") },
    { command: "original-awk --help 1 a", effects: here("a") },
  ])("$command", ({ command, effects }) => {
    expect(touched(command)).toEqual(effects);
  });
});

describe("whether kill only looks", () => {
  test.each([
    { command: "kill -0 7 %1", effects: [] },
    { command: "kill -s 0 7", effects: [] },
    { command: "kill -l 9", effects: [] },
    { command: "kill 7", effects: ["unknown (kill)"] },
    { command: "kill -s 9 7", effects: ["unknown (kill)"] },
    { command: "kill -s 0 -9 7", effects: ["unknown (kill)"] },
    { command: 'kill -s 0 "$x"', effects: ["unknown (kill)"] },
  ])("$command", ({ command, effects }) => {
    expect(touched(command)).toEqual(effects);
  });
});

describe("what is trapped may run in every folder the shell comes to", () => {
  const inside = "read file /w/project/a";
  test.each([
    { command: "trap 'cat a' EXIT", effects: [inside] },
    { command: "trap 'cat a' EXIT; ls", effects: [inside, "read tree /w/project"] },
    { command: "trap 'cat a' EXIT; cd /etc", effects: [inside, "read file /etc/a"] },
    { command: "trap -- 'cat a' 0; cd ~", effects: [inside, "read file /home/user/a"] },
    { command: "eval 'cd /etc'; trap 'cat a' ERR", effects: ["read file /etc/a", inside] },
    { command: "f() { cat a; }; trap f EXIT; cd /etc", effects: [inside, "read file /etc/a"] },
    { command: "trap 'cat a' EXIT; cd -", effects: [inside, "read tree /"] },
    { command: "trap 'cd /etc; cat a' EXIT", effects: ["read file /etc/a", inside] },
    {
      command: "trap 'rm a' EXIT; cd /etc",
      effects: ["delete file /w/project/a", "delete file /etc/a"],
    },
    { command: "trap 'rm a' EXIT; cd -", effects: ["delete file /w/project/a", "unknown (rm)"] },
    { command: "trap 'cd /etc' DEBUG; cat a", effects: ["unknown (trap)", inside] },
    { command: "trap 'cd /etc' EXIT DEBUG; cat a", effects: ["unknown (trap)", inside] },
  ])("$command", ({ command, effects }) => {
    expect(touched(command)).toEqual(effects);
  });
});

describe("the folder is followed", () => {
  test.each([
    { command: "cd src && cat a", reads: ["/w/project/src/a"] },
    { command: "cd src; cat a", reads: ["/w/project/src/a", "/w/project/a"] },
    { command: "cd src || exit 1; cat a", reads: ["/w/project/src/a"] },
    { command: "cd src || cat a", reads: ["/w/project/a"] },
    { command: "(cd src && cat a); cat b", reads: ["/w/project/src/a", "/w/project/b"] },
    { command: "cd src && cd .. && cat a", reads: ["/w/project/a"] },
    { command: "cd src | cat a", reads: ["/w/project/a"] },
    { command: "cd /tmp && cd - && cat a", reads: ["/"] },
    { command: "cd $x && cat a", reads: ["/"] },
    { command: "while true; do cd ..; cat a; done", reads: ["/"] },
    { command: "go() { cd /etc; }; go; cat a", reads: ["/etc/a", "/w/project/a"] },
    {
      command: "if cd src; then cat a; else cat b; fi",
      reads: ["/w/project/src/a", "/w/project/b"],
    },
    { command: "command cd src && cat a", reads: ["/w/project/src/a"] },
    { command: "eval 'cd src' && cat a", reads: ["/w/project/src/a", "/w/project/a"] },
    { command: "bash -c 'cd src'; cat a", reads: ["/w/project/a"] },
    { command: "cd && cat a", reads: ["/home/user/a"] },
  ])("$command", ({ command, reads }) => {
    const paths = commandEffects(command, place).flatMap((effect) =>
      effect.kind === "read" ? [effect.path] : [],
    );

    expect(new Set(paths)).toEqual(new Set(reads));
  });
});

test.each([
  { command: "rm -rf ~/.loc*/sh*", path: "/home/user", pattern: ".loc*/sh*" },
  { command: "rm -rf ~/.lo{cal,x}", path: "/home/user", pattern: ".local" },
  { command: "rm -rf ~/.lo{cal,x}", path: "/home/user", pattern: ".lox" },
  { command: "rm -rf ~/{a,*}", path: "/home/user", pattern: "*" },
  { command: "rm -rf ~/{,x}y", path: "/home/user", pattern: "*y" },
  { command: "rm -rf ~/{a,b}c{a,b}c{a,b}c{a,b}c{a,b}", path: "/home/user", pattern: "*c*c*c*c*" },
  { command: "rm -rf ~/.[l]oca?/share", path: "/home/user", pattern: ".*oca*/share" },
  { command: "cd ~; rm -rf ./.l*", path: "/home/user", pattern: ".l*" },
  { command: 'rm -rf "$HOME"/.l*', path: "/home/user", pattern: ".l*" },
  { command: "rm -rf /srv/**/x*/", path: "/srv", pattern: "**/x*" },
  { command: "mv ~/.loc* /tmp", path: "/home/user", pattern: ".loc*" },
  { command: "find ~ -name 'sh*' -delete", path: "/home/user", pattern: "**/sh*" },
  { command: "find ~ -name .DS_Store -delete", path: "/home/user", pattern: "**/.DS_Store" },
  { command: "find ~ -iname '*.py[co]' -delete", path: "/home/user", pattern: "**/*.py*" },
  { command: "find ~ -name 'Größe &*' -delete", path: "/home/user", pattern: "**/Größe &*" },
  { command: "rm ~/{ä,ö}b", path: "/home/user", pattern: "öb" },
  { command: "find ~ -name a -o -name b -delete", path: "/home/user", pattern: "**/b" },
  { command: "find ~ \\( -name a -o -name b \\) -delete", path: "/home/user", pattern: "**/a" },
  { command: "find ~ \\( -name a -o -name b \\) -delete", path: "/home/user", pattern: "**/b" },
  { command: "find ~ \\( -name a -o -empty \\) -delete", path: "/home/user", pattern: "**" },
  {
    command: "find ~ -type f \\( -empty -o -name a -delete \\)",
    path: "/home/user",
    pattern: "**/a",
  },
  { command: "find ~ ! -name a -delete", path: "/home/user", pattern: "**" },
  { command: "find ~ ! \\( -name a \\) -delete", path: "/home/user", pattern: "**" },
  { command: "find ~ -name a , -empty -delete", path: "/home/user", pattern: "**" },
  { command: "find ~ -name a -delete -o -empty -delete", path: "/home/user", pattern: "**" },
  { command: "find ~ -newer -name -delete", path: "/home/user", pattern: "**" },
  { command: "find ~ -empty -exec echo -name x \\; -delete", path: "/home/user", pattern: "**" },
  { command: "find ~ -empty -delete -name a", path: "/home/user", pattern: "**" },
  { command: 'find ~ -name a "$or" -delete', path: "/home/user", pattern: "**" },
  { command: "find ~/.l* -path '*/x' -delete", path: "/home/user", pattern: ".l*/**" },
])("$command deletes $pattern in $path", ({ command, path, pattern }) => {
  const part = { pattern, change: "delete" };

  expect(commandEffects(command, place)).toContainEqual(expect.objectContaining({ path, part }));
});

test("a command that changes what a pattern names has the pattern", () => {
  expect(commandEffects("touch ~/.loc*/x", place)).toContainEqual(
    expect.objectContaining({ part: { pattern: ".loc*/x", change: "modify" } }),
  );
});

test.each([
  "find ~ -delete -name a",
  "find ~ -printf -name -delete",
  "find ~ -exec echo -name a \\; -delete",
])("a test after the deletion, or a value, narrows nothing: %s", (command) => {
  expect(commandEffects(command, place)).toContainEqual(
    expect.objectContaining({ kind: "write", path: "/home/user", change: "delete" }),
  );
});

test("very many patterns in a directory are few writes there", () => {
  const words = Array.from({ length: 3000 }, (_each, index) => `a${index}*.{b,c}`).join(" ");

  const writes = commandEffects(`rm ${words}`, place).filter(({ kind }) => kind === "write");

  expect(writes).toHaveLength(65);
  expect(writes.at(-1)).toMatchObject({ change: "any", part: { pattern: "**", change: "delete" } });
});
