import type { RuleList } from "../../src/policy/index.ts";

/** One claim about a rule and a command as a person types it, in a workspace at /ws. */
export interface CommandRule {
  readonly list: RuleList;
  readonly rule: string;
  readonly command: string;
  readonly matches: boolean;
  readonly because: string;
}

type Claim = readonly [rule: string, command: string, because: string];

function claims(
  list: RuleList,
  both: { readonly matches: readonly Claim[]; readonly not: readonly Claim[] },
): readonly CommandRule[] {
  const make =
    (matches: boolean) =>
    ([rule, command, because]: Claim): CommandRule => ({ list, rule, command, matches, because });
  return [...both.matches.map(make(true)), ...both.not.map(make(false))];
}

/** Verdicts of rules about whole command lines: lists, wrappers, variables, redirections, here-documents. */
export const commandRules: readonly CommandRule[] = [
  ...claims("allow", {
    matches: [
      ["Bash(npm test)", "npm test", "the same command"],
      ["Bash(npm test)", "npm   'test'", "quotes and extra spaces do not matter"],
      ["Bash(npm test)", String.raw`n\pm te""st`, "in any quoting"],
      ["Bash(npm test)", "npm test 2>&1", "duplicating a descriptor changes no file"],
      ["Bash(npm test)", "npm test > /dev/null", "output to /dev/null changes no file"],
      ["Bash(npm test)", "(npm test)", "a subshell is the same command"],
      ["Bash(npm test)", "if true; then npm test; fi", "a branch is the same command"],
      ["Bash(npm test)", "npm test | tail -5", "the rest of the pipe only reads"],
      ["Bash(npm test)", "cd src && npm test", "changing the directory needs no rule"],
      ["Bash(npm run *)", "npm run build --fast", "a star matches more words"],
      ["Bash(npm run *)", "npm run", "a star matches no words too"],
      ["Bash(npm run:*)", "npm run build", "the older syntax"],
      ["Bash(npm run build*)", "npm run build:all", "no boundary without a space"],
      ["Bash(npm *)", "npm ci && npm test; npm run a", "the rule matches each command"],
      ["Bash(npm test)", "timeout 60 npm test", "haft looks through timeout"],
      ["Bash(npm test)", "nice -n 5 nohup npm test", "and through nice and nohup"],
      ["Bash(npm test)", "time npm test", "and through time"],
      ["Bash(npm test)", "stdbuf -oL npm test", "and through stdbuf"],
      ["Bash(npm test)", "command npm test", "and through command"],
      ["Bash(npx tsc *)", "npx tsc -p .", "npx is part of the command"],
      ["Bash(sudo npm test)", "sudo npm test", "a rule can name a launcher"],
      ["Bash(sudo npm *)", "sudo npm run a", "also with a star"],
      [
        "Bash(docker exec web *)",
        "docker exec web npm test",
        "the rule covers what the launcher starts",
      ],
      ["Bash(watch npm test)", "watch npm test", "named in full"],
      ["Bash(npm test)", "CI=1 NODE_ENV=test npm test", "these variables do not change what runs"],
      ["Bash(npm test)", "LC_ALL=C npm test", "the locale does not either"],
      ["Bash(FOO=1 npm test)", "FOO=1 npm test", "a rule can name a variable"],
      ["Bash(git commit *)", "git commit -m 'a; rm -rf b'", "quoted text is one word"],
      [
        "Bash(git commit *)",
        "git commit -m \"$(cat <<'E'\nSubject `x` $(y)\n\nBody\nE\n)\"",
        "a here-document with literal text is one word too",
      ],
      ["Bash(rm build/a)", "rm build/a", "a rule covers what its program does"],
      ["Bash(mkdir /tmp/x)", "mkdir /tmp/x", "also outside, if the rule spells the path"],
      ["Edit(/out.txt)", "echo hi > out.txt", "a redirection is an edit"],
      ["Edit(/out.txt)", "cp a.txt out.txt", "a known write of a program is an edit"],
      ["Read(//etc/hosts)", "cat /etc/hosts", "reading by a program is a read"],
      ["Read(~/notes/**)", "cat ~/notes/a.txt", "~ is the home directory"],
      ["WebFetch(domain:example.com)", "curl -s https://example.com/a", "a plain fetch"],
    ],
    not: [
      ["Bash(npm test)", "npm test x", "one more word is another command"],
      ["Bash(npm test)", "npm test && rm x", "a rule must match every command"],
      ["Bash(npm test)", "npm test; rm x", "whatever the separator"],
      ["Bash(npm test)", "npm test | tee out", "also in a pipe"],
      ["Bash(npm test)", "npm test & rm x", "also in the background"],
      ["Bash(npm test)", "npm test\nrm x", "also on the next line"],
      ["Bash(npm test)", "npm test > out.txt", "a redirection needs a rule of its own"],
      ["Bash(npm test)", "npm test $(rm x)", "a command substitution counts"],
      ["Bash(npm test)", "npm test `rm x`", "also in backticks"],
      ["Bash(npm test)", "npm test > $(rm x)", "also in a file name"],
      ["Bash(npm test)", "npm test <<E\n$(rm x)\nE", "also in a here-document"],
      ["Bash(npm *)", "npm run $X", "a word known only at run time is asked about"],
      ["Bash(npm *)", "npm run *", "a glob is such a word"],
      ["Bash(npm run *)", "npm runner", "the space is a boundary"],
      ["Bash(npm test)", "sudo npm test", "sudo is more than the command"],
      ["Bash(npm test)", "watch npm test", "haft never looks through watch"],
      ["Bash(watch *)", "watch npm test", "a star does not cover what watch starts"],
      ["Bash(setsid *)", "setsid npm test", "nor what setsid starts"],
      ["Bash(ionice *)", "ionice -c 3 npm test", "nor what ionice starts"],
      ["Bash(flock *)", "flock lock npm test", "nor what flock starts"],
      ["Bash(find *)", "find . -exec npm test ';'", "nor what find starts"],
      ["Bash(find *)", "find . -name x -delete", "nor what find removes"],
      ["Bash(tsc *)", "npx tsc -p .", "haft does not look through npx"],
      ["Bash(npm test)", "docker exec web npm test", "nor through docker exec"],
      ["Bash(npm test)", "env npm test", "nor through env"],
      ["Bash(npm test)", "PATH=. npm test", "this variable changes what runs"],
      ["Bash(npm test)", "NODE_OPTIONS=--require=x npm test", "so does this variable"],
      ["Bash(npm test)", "LD_PRELOAD=./x timeout 5 npm test", "also before a launcher"],
      ["Bash(npm test)", "./npm test", "a program of the workspace is another program"],
      ["Bash(rm *)", "rm .git/config", "no rule allows protected paths"],
      ["Bash(rm *)", "rm /etc/x", "a star covers no path outside"],
      ["Bash(rm x)", "cd /other && rm x", "in another directory it is another file"],
      ["Bash(ls)", "bash -c 'ls; rm x'", "haft does not look through a shell"],
      ["Edit(/out.txt)", "echo hi > other.txt", "another file"],
      ["Edit(/**)", "echo hi > .git/hooks/x", "no rule allows protected paths"],
      ["Edit(/**)", "echo hi > ~/.bashrc", "outside the workspace"],
      ["Read(//etc/hosts)", "cat /etc/passwd", "another file"],
      ["WebFetch(domain:example.com)", "curl -s https://example.org/a", "another host"],
      [
        "WebFetch(domain:example.com)",
        "ping -c 1 example.com",
        "ping connects but fetches nothing",
      ],
    ],
  }),
  ...claims("deny", {
    matches: [
      ["Bash(rm *)", "ls && rm x", "one match is enough"],
      ["Bash(rm *)", "echo $(rm x)", "in a substitution"],
      ["Bash(rm *)", "echo `rm x`", "in backticks"],
      ["Bash(rm *)", "bash -c 'rm x'", "in a nested shell"],
      ["Bash(rm *)", "bash <<E\nrm x\nE", "in a here-document on its input"],
      ["Bash(rm *)", "eval 'rm x'", "in an evaluated string"],
      ["Bash(rm *)", "sudo rm x", "whatever launches it"],
      ["Bash(rm *)", "find . -exec rm {} +", "also from find"],
      ["Bash(rm *)", "ls | xargs rm", "also from xargs"],
      ["Bash(rm *)", "FOO=1 PATH=. rm x", "whatever variables precede it"],
      ["Bash(rm *)", "/bin/rm x", "at any path"],
      ["Bash(rm *)", String.raw`r\m x`, "in any quoting"],
      ["Bash(rm *)", "$'\\x72m' x", "in any escape sequence"],
      ["Bash(rm *)", "f() { rm x; }; f", "in a function"],
      ["Bash(sudo *)", "sudo -u ada npm test", "the launcher itself"],
      ["Bash(git push *)", "git add . && git push origin main", "in a list"],
      ["Read(/secrets/**)", "cat secrets/key", "a program that reads it"],
      ["Read(/secrets/**)", "grep x secrets/key", "or searches it"],
      ["Read(/secrets/**)", "cd secrets && cat key", "from another directory"],
      ["Read(/secrets/**)", "cat < secrets/key", "or reads it from standard input"],
      ["Read(/secrets/**)", "cp secrets/key out", "or copies it"],
      [
        "Read(/secrets/**)",
        "echo x > secrets/key",
        "a path that may not be read may not be replaced",
      ],
      ["Edit(/a.txt)", "echo x > a.txt", "a redirection"],
      ["Edit(/a.txt)", "sed -i s/a/b/ a.txt", "an edit in place"],
      ["Edit(/a.txt)", "mv b.txt a.txt", "or a rename to it"],
      ["WebFetch(domain:evil.net)", "curl https://evil.net/x", "a program that connects"],
      ["WebFetch(domain:evil.net)", "ping -c 1 evil.net", "for any purpose"],
      ["WebFetch(domain:*.evil.net)", "wget http://a.b.evil.net", "at any depth"],
    ],
    not: [
      ["Bash(rm *)", "ls && rmdir x", "another program"],
      ["Bash(rm *)", "echo rm x", "an argument is not a command"],
      ["Bash(rm *)", "cat <<E\nrm x\nE", "printed text is not a command"],
      ["Bash(git push *)", "git pushed", "the boundary applies here too"],
      ["Read(/secrets/**)", "ls", "listing the parent directory reads nothing in it"],
      ["Read(/secrets/**)", "git status", "neither does git status"],
      ["Read(/secrets/**)", "cat public/key", "another directory"],
      ["Edit(/a.txt)", "cat a.txt", "reading is not editing"],
      ["WebFetch(domain:evil.net)", "curl https://good.net/x", "another host"],
    ],
  }),
  ...claims("ask", {
    matches: [
      ["Bash(ls *)", "ls -la", "even if the mode would allow it"],
      ["Bash(git push *)", "git $X", "a word known only at run time may match"],
      ["Read(/private/**)", "cat private/a", "a read by a program"],
    ],
    not: [["Bash(ls *)", "lsof", "another program"]],
  }),
];
