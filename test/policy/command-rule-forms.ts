import { claims, open, type RuleForm } from "./rule-form.ts";

export const commandRuleForms: readonly RuleForm[] = [
  ...claims("Bash(exact)", "allow", {
    matches: [
      ["Bash(npm test)", open("npm test"), "the very command"],
      ["Bash( npm   test )", open("npm test"), "spacing means nothing"],
      ["Bash(npm test 2>&1)", open("npm test"), "nor does where errors are printed"],
      ["Bash(npm test > /dev/null)", open("npm test"), "nor output to nowhere"],
      ["Bash(npm test>/dev/null 2>/dev/null)", open("npm test"), "however it is spaced"],
      ["Bash(echo it's)", open("echo it's"), "a quote that is not closed is a character"],
      [
        'Bash(git commit -m "a b")',
        open("git commit -m", { argv: ["git", "commit", "-m", "a b"] }),
        "quotes make one word",
      ],
    ],
    not: [
      ['Bash(echo "2>&1")', open("echo"), "in quotes it is a word"],
      ["Bash(npm test)", open("npm test x"), "one more word is another command"],
      ["Bash(npm test)", open("npm"), "one word less too"],
      ["Bash(npm test)", open("./npm test"), "a program of the workspace is another"],
      [
        "Bash(git commit -m a b)",
        open("git", { argv: ["git", "commit", "-m", "a b"] }),
        "words are compared one by one",
      ],
    ],
  }),
  ...claims("Bash(prefix *)", "allow", {
    matches: [
      ["Bash(npm run *)", open("npm run build --fast"), "any more words"],
      ["Bash(npm run *)", open("npm run"), "and the bare command"],
      ["Bash(npm *)", open("npm run x"), "a star takes spaces"],
    ],
    not: [
      ["Bash(npm run *)", open("npm runner"), "the space is a word boundary"],
      ["Bash(npm run *)", open("npm install"), "another command"],
      ["Bash(npm run *)", open("npm run $X"), "a word not known yet is asked about"],
    ],
  }),
  ...claims("Bash(prefix*)", "allow", {
    matches: [["Bash(npm run build*)", open("npm run build:all"), "no boundary without a space"]],
    not: [["Bash(npm run build*)", open("npm run bui"), "what stands before the star counts"]],
  }),
  ...claims("Bash(prefix:*)", "allow", {
    matches: [
      ["Bash(git status:*)", open("git status -s"), "the same as a space and a star"],
      ["Bash(git status:*)", open("git status"), "the bare command too"],
    ],
    not: [
      ["Bash(git status:*)", open("git statuses"), "with the same boundary"],
      ["Bash(git:* push)", open("git push"), "only at the end"],
    ],
  }),
  ...claims("Bash(* inside)", "allow", {
    matches: [
      ["Bash(git * main)", open("git push origin main"), "any run of words"],
      ["Bash(* --version)", open("node --version"), "at the start too"],
    ],
    not: [
      ["Bash(git * main)", open("git push origin main -f"), "the end counts"],
      [String.raw`Bash(ls \*)`, open("ls a"), "a backslash makes it a character"],
    ],
  }),
  ...claims("Bash over several commands", "allow", {
    matches: [["Bash(npm *)", [...open("npm ci"), ...open("npm test")], "each one is named"]],
    not: [["Bash(npm *)", [...open("npm ci"), ...open("node x.js")], "one is not named"]],
  }),
  ...claims("Bash over several commands", "deny", {
    matches: [["Bash(rm *)", [...open("ls"), ...open("rm x")], "any one is enough"]],
    not: [["Bash(rm *)", [...open("ls"), ...open("rmdir x")], "another program"]],
  }),
  ...claims("Bash behind a launcher", "allow", {
    matches: [
      ["Bash(npm test)", open("npm test", { via: ["timeout"] }), "timeout changes nothing"],
      ["Bash(npm test)", open("npm test", { via: ["nice", "nohup"] }), "nor do these"],
      ["Bash(sudo npm test)", open("npm test", { via: ["sudo"] }), "a launcher can be named"],
      ["Bash(npx tsc *)", open("npx tsc -p ."), "npx is part of the command"],
    ],
    not: [
      ["Bash(npm test)", open("npm test", { via: ["sudo"] }), "sudo is more than the command"],
      ["Bash(npm test)", open("npm test", { via: ["watch"] }), "watch is never looked through"],
      ["Bash(tsc *)", open("npx tsc -p ."), "npx is not looked through"],
      ["Bash(npm test)", open("npm test", { via: ["docker exec"] }), "nor is docker exec"],
    ],
  }),
  ...claims("Bash behind a launcher", "deny", {
    matches: [
      ["Bash(rm *)", open("rm x", { via: ["sudo"] }), "whatever starts it"],
      ["Bash(sudo *)", open("rm x", { via: ["sudo"] }), "the launcher itself"],
      ["Bash(rm *)", open("/bin/rm x"), "wherever the program lies"],
      ["Bash(sh -c *)", open("rm x", { via: ["sh -c"] }), "a shell is a launcher"],
    ],
    not: [["Bash(sudo *)", open("rm x", { via: ["timeout"] }), "another launcher"]],
  }),
  ...claims("Bash behind variables", "allow", {
    matches: [
      ["Bash(npm test)", open("NODE_ENV=test CI=1 npm test"), "these cannot change what runs"],
      ["Bash(npm test)", open("LC_ALL=C npm test"), "nor can the language"],
      ["Bash(FOO=1 npm test)", open("FOO=1 npm test"), "a variable can be named"],
    ],
    not: [
      ["Bash(npm test)", open("NODE_OPTIONS=--require=x npm test"), "this one runs something"],
      ["Bash(npm test)", open("PATH=. npm test"), "so does this one"],
      ["Bash(npm test)", open("CI=$X npm test"), "a value not known yet is asked about"],
      ["Bash(FOO=1 npm test)", open("FOO=2 npm test"), "with its value"],
    ],
  }),
  ...claims("Bash behind variables", "deny", {
    matches: [
      ["Bash(npm publish)", open("FOO=1 PATH=. npm publish"), "any variable is looked past"],
      ["Bash(FOO=1 *)", open("FOO=1 npm publish"), "or named"],
    ],
    not: [["Bash(FOO=1 *)", open("FOO=2 npm publish"), "another value"]],
  }),
  ...claims("Bash and quoting", "deny", {
    matches: [
      [
        "Bash(git push --force)",
        open("git", { argv: ["git push --force"] }),
        "doubt about words forbids",
      ],
      ['Bash("rm" -rf *)', open("rm -rf x"), "quotes in a rule mean nothing"],
      ["Bash(rm *)", open("rm $X"), "a star takes what is not known yet"],
    ],
    not: [["Bash(git push --force)", open("git push"), "another command"]],
  }),
  ...claims("Bash and words not known yet", "ask", {
    matches: [["Bash(git push *)", open("git $X"), "it may be what the rule names"]],
    not: [],
  }),
];
