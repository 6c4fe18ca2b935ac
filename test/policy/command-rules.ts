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

/** What rules make of whole command lines: lists, wrappers, variables, redirections, here-documents. */
export const commandRules: readonly CommandRule[] = [
  ...claims("allow", {
    matches: [
      ["Bash(npm test)", "npm test", "the very command"],
      ["Bash(npm test)", "npm   'test'", "quotes and spaces mean nothing"],
      ["Bash(npm test)", String.raw`n\pm te""st`, "however it is quoted"],
      ["Bash(npm test)", "npm test 2>&1", "one output onto another changes no file"],
      ["Bash(npm test)", "npm test > /dev/null", "nor does output to nowhere"],
      ["Bash(npm test)", "(npm test)", "a subshell is the same command"],
      ["Bash(npm test)", "if true; then npm test; fi", "so is a branch"],
      ["Bash(npm test)", "npm test | tail -5", "the rest only reads"],
      ["Bash(npm test)", "cd src && npm test", "a folder is no command to name"],
      ["Bash(npm run *)", "npm run build --fast", "a star takes more words"],
      ["Bash(npm run *)", "npm run", "or none"],
      ["Bash(npm run:*)", "npm run build", "the older spelling"],
      ["Bash(npm run build*)", "npm run build:all", "no boundary without a space"],
      ["Bash(npm *)", "npm ci && npm test; npm run a", "each one is named"],
      ["Bash(npm test)", "timeout 60 npm test", "timeout is looked through"],
      ["Bash(npm test)", "nice -n 5 nohup npm test", "so are nice and nohup"],
      ["Bash(npm test)", "time npm test", "and time"],
      ["Bash(npm test)", "stdbuf -oL npm test", "and stdbuf"],
      ["Bash(npm test)", "command npm test", "and command"],
      ["Bash(npx tsc *)", "npx tsc -p .", "npx is part of the command"],
      ["Bash(sudo npm test)", "sudo npm test", "a launcher can be named"],
      ["Bash(sudo npm *)", "sudo npm run a", "with a star too"],
      ["Bash(docker exec web *)", "docker exec web npm test", "what is inside comes with it"],
      ["Bash(watch npm test)", "watch npm test", "spelled in full"],
      ["Bash(npm test)", "CI=1 NODE_ENV=test npm test", "these change nothing that runs"],
      ["Bash(npm test)", "LC_ALL=C npm test", "nor does the language"],
      ["Bash(FOO=1 npm test)", "FOO=1 npm test", "a variable can be named"],
      ["Bash(git commit *)", "git commit -m 'a; rm -rf b'", "quoted text is one word"],
      [
        "Bash(git commit *)",
        "git commit -m \"$(cat <<'E'\nSubject `x` $(y)\n\nBody\nE\n)\"",
        "a here-document that is its own text is one word as well",
      ],
      ["Bash(rm build/a)", "rm build/a", "a rule speaks for what its program does"],
      ["Bash(mkdir /tmp/x)", "mkdir /tmp/x", "outside too, where it spells the path"],
      ["Edit(/out.txt)", "echo hi > out.txt", "a redirection is an edit"],
      ["Edit(/out.txt)", "cp a.txt out.txt", "so is what a program is known to write"],
      ["Read(//etc/hosts)", "cat /etc/hosts", "a program that reads is a read"],
      ["Read(~/notes/**)", "cat ~/notes/a.txt", "with the home folder filled in"],
      ["WebFetch(domain:example.com)", "curl -s https://example.com/a", "a plain fetch"],
    ],
    not: [
      ["Bash(npm test)", "npm test x", "one more word is another command"],
      ["Bash(npm test)", "npm test && rm x", "every command has to be named"],
      ["Bash(npm test)", "npm test; rm x", "however they are joined"],
      ["Bash(npm test)", "npm test | tee out", "in a pipe as well"],
      ["Bash(npm test)", "npm test & rm x", "and in the background"],
      ["Bash(npm test)", "npm test\nrm x", "and on the next line"],
      ["Bash(npm test)", "npm test > out.txt", "a redirection needs a rule of its own"],
      ["Bash(npm test)", "npm test $(rm x)", "what is substituted counts"],
      ["Bash(npm test)", "npm test `rm x`", "in backticks too"],
      ["Bash(npm test)", "npm test > $(rm x)", "and in the name of a file"],
      ["Bash(npm test)", "npm test <<E\n$(rm x)\nE", "and in a here-document"],
      ["Bash(npm *)", "npm run $X", "a word not known yet is asked about"],
      ["Bash(npm *)", "npm run *", "so is a pattern of file names"],
      ["Bash(npm run *)", "npm runner", "the space is a boundary"],
      ["Bash(npm test)", "sudo npm test", "sudo is more than the command"],
      ["Bash(npm test)", "watch npm test", "watch is never looked through"],
      ["Bash(watch *)", "watch npm test", "nor by a star"],
      ["Bash(setsid *)", "setsid npm test", "nor setsid"],
      ["Bash(ionice *)", "ionice -c 3 npm test", "nor ionice"],
      ["Bash(flock *)", "flock lock npm test", "nor flock"],
      ["Bash(find *)", "find . -exec npm test ';'", "nor what find starts"],
      ["Bash(find *)", "find . -name x -delete", "nor what find removes"],
      ["Bash(tsc *)", "npx tsc -p .", "npx is not looked through"],
      ["Bash(npm test)", "docker exec web npm test", "nor docker exec"],
      ["Bash(npm test)", "env npm test", "nor env"],
      ["Bash(npm test)", "PATH=. npm test", "this variable changes what runs"],
      ["Bash(npm test)", "NODE_OPTIONS=--require=x npm test", "so does this one"],
      ["Bash(npm test)", "LD_PRELOAD=./x timeout 5 npm test", "in front of a launcher too"],
      ["Bash(npm test)", "./npm test", "a program of the workspace is another"],
      ["Bash(rm *)", "rm .git/config", "protected paths are asked about all the same"],
      ["Bash(rm *)", "rm /etc/x", "a star names nothing outside"],
      ["Bash(rm x)", "cd /other && rm x", "the same words elsewhere are another file"],
      ["Bash(ls)", "bash -c 'ls; rm x'", "a shell is no launcher to look through"],
      ["Edit(/out.txt)", "echo hi > other.txt", "another file"],
      ["Edit(/**)", "echo hi > .git/hooks/x", "protected paths again"],
      ["Edit(/**)", "echo hi > ~/.bashrc", "outside the workspace"],
      ["Read(//etc/hosts)", "cat /etc/passwd", "another file"],
      ["WebFetch(domain:example.com)", "curl -s https://example.org/a", "another host"],
      ["WebFetch(domain:example.com)", "ping -c 1 example.com", "connects, and fetches nothing"],
    ],
  }),
  ...claims("deny", {
    matches: [
      ["Bash(rm *)", "ls && rm x", "any one is enough"],
      ["Bash(rm *)", "echo $(rm x)", "in a substitution"],
      ["Bash(rm *)", "echo `rm x`", "in backticks"],
      ["Bash(rm *)", "bash -c 'rm x'", "in a shell of its own"],
      ["Bash(rm *)", "bash <<E\nrm x\nE", "in a here-document fed to one"],
      ["Bash(rm *)", "eval 'rm x'", "evaluated"],
      ["Bash(rm *)", "sudo rm x", "whatever starts it"],
      ["Bash(rm *)", "find . -exec rm {} +", "find too"],
      ["Bash(rm *)", "ls | xargs rm", "and xargs"],
      ["Bash(rm *)", "FOO=1 PATH=. rm x", "whatever variables stand before it"],
      ["Bash(rm *)", "/bin/rm x", "wherever it lies"],
      ["Bash(rm *)", String.raw`r\m x`, "however it is written"],
      ["Bash(rm *)", "$'\\x72m' x", "in whatever letters"],
      ["Bash(rm *)", "f() { rm x; }; f", "in a function"],
      ["Bash(sudo *)", "sudo -u ada npm test", "the launcher itself"],
      ["Bash(git push *)", "git add . && git push origin main", "in a list"],
      ["Read(/secrets/**)", "cat secrets/key", "a program that reads it"],
      ["Read(/secrets/**)", "grep x secrets/key", "or searches it"],
      ["Read(/secrets/**)", "cd secrets && cat key", "from another folder"],
      ["Read(/secrets/**)", "cat < secrets/key", "or is fed it"],
      ["Read(/secrets/**)", "cp secrets/key out", "or copies it"],
      ["Read(/secrets/**)", "echo x > secrets/key", "what must not be read is not replaced"],
      ["Edit(/a.txt)", "echo x > a.txt", "a redirection"],
      ["Edit(/a.txt)", "sed -i s/a/b/ a.txt", "a program in place"],
      ["Edit(/a.txt)", "mv b.txt a.txt", "or by name"],
      ["WebFetch(domain:evil.net)", "curl https://evil.net/x", "a program that connects"],
      ["WebFetch(domain:evil.net)", "ping -c 1 evil.net", "whatever for"],
      ["WebFetch(domain:*.evil.net)", "wget http://a.b.evil.net", "at any depth"],
    ],
    not: [
      ["Bash(rm *)", "ls && rmdir x", "another program"],
      ["Bash(rm *)", "echo rm x", "a word is no command"],
      ["Bash(rm *)", "cat <<E\nrm x\nE", "nor is text that is only shown"],
      ["Bash(git push *)", "git pushed", "the boundary holds here too"],
      ["Read(/secrets/**)", "ls", "listing the folder above reads nothing in it"],
      ["Read(/secrets/**)", "git status", "nor does asking git what changed"],
      ["Read(/secrets/**)", "cat public/key", "another folder"],
      ["Edit(/a.txt)", "cat a.txt", "reading is not editing"],
      ["WebFetch(domain:evil.net)", "curl https://good.net/x", "another host"],
    ],
  }),
  ...claims("ask", {
    matches: [
      ["Bash(ls *)", "ls -la", "even what would be allowed"],
      ["Bash(git push *)", "git $X", "a word not known yet may be what it names"],
      ["Read(/private/**)", "cat private/a", "a read of the shell"],
    ],
    not: [["Bash(ls *)", "lsof", "another program"]],
  }),
];
