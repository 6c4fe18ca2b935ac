import { describe, expect, test } from "vitest";
import { explainCommand } from "../explain/index.ts";

const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };

/** Commands that may do more than read, with a reason for each family. None may run without asking. */
const families: readonly { readonly because: string; readonly commands: readonly string[] }[] = [
  {
    because: "the sed script writes a file",
    commands: [
      "sed -n '$w out' a",
      "sed '1~2w out' a",
      "sed '/x/,/y/{s/a/b/;w out\n}' a",
      "sed 's/a/b/gw out' a",
      "sed --e='w o' f",
      "sed -ne 'p;w o' f",
      "sed $'p\\nw out' f",
      "sed '/[/]/w out' a",
      "sed 's/[^/]*$//w out' a",
      "sed 's/[/]/x/;w out' f",
      "sed ':a;w out' f",
      "sed 'b;w out' f",
      "sed '#n\nw out' f",
      "sed 'a\\\ntext\nw out' f",
      "sed 'y/abc/def/;w out' f",
      "sed 'R file\nw out' f",
      "sed '\\,x,w out' f",
      "sed '\\nxnw out' f",
      "sed '/a/I,/b/Mw out' f",
      "sed 'l 5;w out' f",
      "sed -e 'a\\' -e 'x' -e 'w out' f",
    ],
  },
  {
    because: "sed edits in place, runs a command, or takes a script nobody saw",
    commands: [
      "sed -Ei.bak 's/a/b/' f",
      "sed -n -i.bak p f",
      "sed --in-place=.b p f",
      "sed -s -n p f -i",
      "sed 's/x/y/;e date' a",
      "sed '1e' a",
      "sed 's,a,b,we' a",
      "sed 's/a/b/2e' a",
      "sed -nf s.sed f",
      'sed "w $F" a',
      "sed $X a",
      'sed "$X" a',
      "sed --posix --file x f",
    ],
  },
  {
    because: "of several modes of a packer the last one applies",
    commands: [
      "xz -t -z f",
      "xz -tz f",
      "xz -l -d f.xz",
      "unxz --list --decompress f.xz",
      "bzip2 -tz f",
      "bzip2 --test --compress f",
      "zstd -t -z f",
      "zstd -ld f.zst",
    ],
  },
  {
    because: "behind the archive unzip takes a word for the name of a member",
    commands: ["unzip a.zip '*' -l", "unzip a.zip -p", "unzip a.zip m -t", "unzip a.zip -- -v"],
  },
  {
    because: "one awk ignores a long option and runs the word behind it",
    commands: [
      "awk --assign 'BEGIN{system(\"rm x\")}' '{print}' f",
      "original-awk --field-separator 'BEGIN{system(\"rm x\")}' 1 f",
      "mawk --assign x=1 1 f",
    ],
  },
  {
    because: "the option reads what the object or the next word names",
    commands: [
      "nm -l a.o",
      "nm --line-numbers a.o",
      "tar -tf a.tar -W use-compress-program=./x",
      "bsdtar tfW a.tar x",
    ],
  },
  {
    because: "the awk program writes, runs or reads by itself",
    commands: [
      "awk '{print > $1}' f",
      "awk '{print >> \"out\"}' f",
      'awk \'{printf "%s", $1 > "o"}\' f',
      "awk 'BEGIN{system(\"rm x\")}'",
      "awk 'BEGIN{\"rm x\"|getline}'",
      "awk '{print | \"cat 1>&2\"}' f",
      "awk -i inplace '{print}' f",
      "awk '{print ($1)>\"o\"}' f",
      "awk '/a/{print>\"b\"}' f",
      "awk 'BEGIN{ARGV[1]=\"/etc/passwd\"}{print}' f",
      "gawk '@include \"x\"' f",
      "gawk -o prof '{print}' f",
      "gawk --source 'BEGIN{system(\"id\")}' f",
      'awk "BEGIN{$X}" f',
      "awk '$1 ~ /[/]/ {print > \"x\"}' f",
      'awk \'{a=1/2;b="x/";print > "o/"}\' f',
      "awk '{ if ($1>2) print > \"o\" }' f",
      "awk '{a=1 /2; print > \"b\" /3}' f",
      "awk '{x=y[1]/2;print>\"/tmp/o\"}' f",
      "awk '{print $1 > \"/dev/stderr.txt\"}' f",
    ],
  },
  {
    because: "find deletes, writes or runs",
    commands: [
      "find . -exec sh -c 'rm \"$1\"' _ {} \\;",
      "find . -name '*.o' -exec rm {} +",
      "find . -ok rm {} \\;",
      "find . -fprintf out '%p'",
      "find . -fls out",
      "find . -execdir ./x {} +",
      "find . -name x -delete",
      "find . \\( -name a -o -delete \\)",
      "find . -exec cat {} \\; -exec rm {} \\;",
      "find . -exec cat {} + -delete",
      "find $X -name a",
      "find . $X",
      "find . -files0-from list",
      'find . -name "$(rm x)"',
      "find . -exec sed -i s/a/b/ {} +",
      "find . -exec {} \\;",
      "find . -exec sort -o {} {} \\;",
      "find . -exec tee {} \\;",
      "find . -name * -delete",
      "find . -name *",
    ],
  },
  {
    because: "xargs adds words that nobody has seen, to a program they could harm",
    commands: [
      "xargs rm < list",
      "ls | xargs sort",
      "ls | xargs git log",
      "ls | xargs -n1 env",
      "ls | xargs find",
      "ls | xargs awk",
      "ls | xargs uniq",
      "xargs -a f uniq",
      "xargs -I{} uniq a {} < f",
      "ls | xargs -I{} sh -c 'cat {}'",
      'ls | xargs -I% bash -c "echo %"',
      "ls | xargs --process-slot-var=PATH cat",
      "ls | xargs -I{} {} x",
      "ls | xargs sed -n",
    ],
  },
  {
    because: "a search tool runs another program",
    commands: [
      "rg --pre=./x foo",
      "rg -zl foo",
      "rg --hostname-bin=./x foo",
      "fd -x rm",
      "fd -tf -x rm",
      "fd . --exec-batch rm",
      "ag --pager=less foo",
      "tree -o out",
      "rg $X foo",
    ],
  },
  {
    because: "an option or a second operand is where it writes",
    commands: [
      "sort -o out f",
      "sort f -oout",
      "sort --outp=out f",
      "sort --compress-prog=./x f",
      "sort *",
      'sort "$x"',
      "sort -bo out f",
      "uniq a b",
      "uniq -c a b",
      "uniq a*",
      "uniq {a,b}",
      "xxd a b",
      "xxd -r a",
      "shuf -o out f",
      "iconv -o x f",
      "base64 -i a -o b",
      "jq -i . f",
      `jq -n 'import "config" as $c {search:"/home/user/.docker"}; $c'`,
      `jq -n 'include "x" {search:"/etc"}; .'`,
      "jq -f program.jq f",
      "jq --from-file=program.jq f",
      'jq "$filter" f',
      'jq "i$rest" f',
      `jq '# x\ninclude "x"; .' f`,
      `jq -n 'module {}; include "x"; .'`,
      `jq -n --arg a 'include "x"; .' 'include "x"; .'`,
      "file -C",
      "file -z a",
      "file *",
      "script out",
      "less -o out f",
      "less +!ls f",
      "man ./x",
      "man -P x y",
      "mktemp",
    ],
  },
  {
    because: "it is read otherwise than it looks",
    commands: [
      "xxd a.txt -a",
      "xxd -l 8 a.txt -plain",
      "bzgrep -R x .",
      "bzgrep -e a -i f",
      "bzgrep '-f /etc/shadow' x",
      "bzgrep -nA 3 a f",
      "zgrep --dereference-recursive x",
      "zgrep -r x .",
      "zgrep --fil list x",
      "gzip -c -S /../x f",
      "zdiff f",
      "unzip -l 'a*.zip'",
      "file -m a:/etc/shadow f",
      "man -s ./x page",
    ],
  },
  {
    because: "it asks the network for a name",
    commands: [
      "hostname -f",
      "hostname -i",
      "hostname --dom",
      "ss dst example.com",
      "ss -t 'dst example.com'",
      "netstat -tl",
      "netstat -r",
      "getent hosts example.com",
    ],
  },
  {
    because: "git runs a program or changes the repository",
    commands: [
      "git -p log",
      "git --paginate log",
      "git -c alias.x='!ls' x",
      "git -c core.fsmonitor=./x status",
      "git --exec-path=./x status",
      "git --config-env=core.pager=X log",
      "git log --output x",
      "git diff --outp=x",
      "git show --textc HEAD",
      "git diff --ext-diff",
      "git grep -O foo",
      "git grep --open-files-in-pager=./x foo",
      "git branch x",
      "git branch -f x",
      "git branch -a x",
      "git branch --sort=x y",
      "git branch --set-upstream-to=x",
      "git tag v1",
      "git tag -d v1",
      "git remote add x y",
      "git remote update",
      "git remote show origin",
      "git stash",
      "git stash -u",
      "git reflog delete x",
      "git worktree add x",
      "git config a.b c",
      "git config --unset a.b",
      "git config edit",
      "git config set a b",
      "git symbolic-ref HEAD x",
      "git submodule foreach ls",
      "git status --ignore-submodules=none",
      "git status --ignore-submodules=untracked",
      "git diff --submodule=diff",
      "git diff-files",
      "git diff-index HEAD",
      "git bisect run ./x",
      "git cat-file --filters HEAD:x",
      "git hash-object -w x",
      "git ls-remote ext::sh",
      "git help x",
      "git $X",
      "git log $X",
      "git diff $(x)",
      'git log "$X"',
      "git log *",
      "git log {a,--output=b}",
      "git rev-list --alternate-refs HEAD",
      "GIT_DIR=x git status",
      "GIT_TRACE=/tmp/x git log",
      "git push",
      "git commit -m x",
      "git",
    ],
  },
];

describe.each(families)("$because", ({ commands }) => {
  test.each(commands)("%j", (command) => {
    const explanation = explainCommand(command, place);

    expect(explanation.readOnly).toBe(false);
    expect(explanation.verdict).not.toBe("allow");
    expect(explanation.reasons.length).toBeGreaterThan(0);
  });
});

describe("git reads outside its working directory only where that is asked about", () => {
  test.each([
    "git diff /dev/null /home/user/.netrc",
    "git diff a ../other/b",
    "git diff -- a ../other/b",
    "git diff a /etc/x:y",
    "git diff a sub/../../other",
    'git diff "$a" "$b"',
    "git diff {/dev/null,/etc/passwd}",
    "git -C sub diff a ../../other",
    "git log -- ../other",
    "git blame ../other",
  ])("%s", (command) => {
    expect(explainCommand(command, place).verdict).toBe("ask");
  });

  test.each([
    "git diff main..topic",
    "git diff HEAD~1 HEAD -- src/a.ts",
    "git diff main topic",
    "git diff sub/../a",
    "git -C sub diff ../a ../b",
    "git show HEAD:../a",
    "git diff-index --cached HEAD",
    "git diff-files --ignore-submodules",
    "git diff --ignore-submodules=dirty",
  ])("%s stays inside", (command) => {
    expect(explainCommand(command, place).verdict).toBe("allow");
  });
});

describe("git repeats a merge in the repository, with the drivers of its configuration", () => {
  test.each([
    "git show --remerge-diff",
    "git log -p --diff-merges=remerge",
    "git log --diff-merges r",
    'git log --diff-merges="$how"',
    "git log --remerge",
  ])("%s", (command) => {
    expect(explainCommand(command, place).verdict).toBe("ask");
  });

  test.each(["git log -p -m", "git log --diff-merges=first-parent", "git log -p --cc"])(
    "but not for a difference alone: %s",
    (command) => {
      const settings = { "core.bare": "false", "merge.x.driver": "./x %A" };

      expect(explainCommand(command, { ...place, git: { config: settings } }).verdict).toBe(
        "allow",
      );
    },
  );
});

test("the directory that git rev-parse resolves is read", () => {
  const { effects, verdict } = explainCommand("git rev-parse --resolve-git-dir /other/.git", place);

  expect(verdict).toBe("ask");
  expect(effects).toContainEqual(
    expect.objectContaining({ kind: "read", path: "/other/.git", scope: "tree" }),
  );
});
