import { expect, test } from "vitest";
import { runningSettings } from "./harmless-git-config.ts";

const made = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
[remote "origin"]
\turl = https://example.com/a.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
`;

test("what git init and git clone write runs nothing", () => {
  expect([...runningSettings(made)]).toEqual([]);
});

test.each<[string, string, string]>([
  ["[core]\n\tfsmonitor = x", "[core] fsmonitor = x", "it is run by git status"],
  ["[core]\n\thooksPath = .husky", "[core] hooksPath = .husky", "it says where hooks are"],
  ["[CORE]\n\tsshCommand = x", "[core] sshCommand = x", "letter case does not count"],
  ["[core] pager = x", "[] [core] pager = x", "a setting may follow its section on the same line"],
  ["[core]\n\tbare = x \\\n[a]", "[core] bare = x \\", "it continues in the next line"],
  ['[remote "o"]\nurl = ext::sh', "[remote.o] url = ext::sh", "the address names a helper"],
  ['[remote "o"]\nurl = "ext::sh"', '[remote.o] url = "ext::sh"', "in quotes as well"],
  ['[remote "o"]\nurl = e"xt:":sh', '[remote.o] url = e"xt:":sh', "quotes may be in the middle"],
  ['[remote "o"]\nurl = "ext"::sh', '[remote.o] url = "ext"::sh', "so does one in parts"],
  ['[remote "o"]\nuploadpack = x', "[remote.o] uploadpack = x", "it is run by git fetch"],
  ['[filter "a"]\nclean = x', "[filter.a] clean = x", "it is run by git add"],
  ["[alias]\nst = !x", "[alias] st = !x", "it is a command"],
  ["[include]\npath = ../x", "[include] path = ../x", "another file says more"],
  ["[core]\n?", "[core] ?", "what is not understood may mean anything"],
])("%j may run something", (text, found, _because) => {
  expect([...runningSettings(text)]).toContain(found);
});
