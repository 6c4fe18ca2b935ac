import { claims, open, type RuleForm } from "./rule-form.ts";

export const commandRuleForms: readonly RuleForm[] = [
  ...claims("Bash(exact)", "allow", {
    matches: [
      ["Bash(npm test)", open("npm test"), "the same command"],
      ["Bash( npm   test )", open("npm test"), "spacing does not matter"],
      ["Bash(npm test 2>&1)", open("npm test"), "nor does redirecting stderr to stdout"],
      [
        "Bash(npm test > /dev/null)",
        open("npm test"),
        "output to /dev/null does not matter either",
      ],
      ["Bash(npm test>/dev/null 2>/dev/null)", open("npm test"), "with any spacing"],
      ["Bash(echo it's)", open("echo it's"), "an unclosed quote is a literal character"],
      [
        'Bash(git commit -m "a b")',
        open("git commit -m", { argv: ["git", "commit", "-m", "a b"] }),
        "quoted text is one word",
      ],
    ],
    not: [
      ['Bash(echo "2>&1")', open("echo"), "in quotes it is an argument"],
      ["Bash(npm test)", open("npm test x"), "one more word is another command"],
      ["Bash(npm test)", open("npm"), "so is one word less"],
      ["Bash(npm test)", open("./npm test"), "a program of the workspace is another program"],
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
      ["Bash(npm run *)", open("npm run"), "and the command alone"],
      ["Bash(npm *)", open("npm run x"), "a star matches spaces"],
    ],
    not: [
      ["Bash(npm run *)", open("npm runner"), "the space is a word boundary"],
      ["Bash(npm run *)", open("npm install"), "another command"],
      ["Bash(npm run *)", open("npm run $X"), "a word known only at run time is asked about"],
    ],
  }),
  ...claims("Bash(prefix*)", "allow", {
    matches: [["Bash(npm run build*)", open("npm run build:all"), "no boundary without a space"]],
    not: [["Bash(npm run build*)", open("npm run bui"), "the text before the star must match"]],
  }),
  ...claims("Bash(prefix:*)", "allow", {
    matches: [
      ["Bash(git status:*)", open("git status -s"), "the same as a space and a star"],
      ["Bash(git status:*)", open("git status"), "the command alone too"],
    ],
    not: [
      ["Bash(git status:*)", open("git statuses"), "the same word boundary"],
      ["Bash(git:* push)", open("git push"), "the suffix is special only at the end"],
    ],
  }),
  ...claims("Bash(* inside)", "allow", {
    matches: [
      ["Bash(git * main)", open("git push origin main"), "a star matches any words"],
      ["Bash(* --version)", open("node --version"), "also at the start"],
    ],
    not: [
      ["Bash(git * main)", open("git push origin main -f"), "the end must match"],
      [String.raw`Bash(ls \*)`, open("ls a"), "a backslash makes the star literal"],
    ],
  }),
  ...claims("Bash over several commands", "allow", {
    matches: [
      ["Bash(npm *)", [...open("npm ci"), ...open("npm test")], "the rule matches each command"],
    ],
    not: [
      [
        "Bash(npm *)",
        [...open("npm ci"), ...open("node x.js")],
        "the rule does not match one of them",
      ],
    ],
  }),
  ...claims("Bash over several commands", "deny", {
    matches: [["Bash(rm *)", [...open("ls"), ...open("rm x")], "one match is enough"]],
    not: [["Bash(rm *)", [...open("ls"), ...open("rmdir x")], "another program"]],
  }),
  ...claims("Bash behind a launcher", "allow", {
    matches: [
      ["Bash(npm test)", open("npm test", { via: ["timeout"] }), "haft looks through timeout"],
      [
        "Bash(npm test)",
        open("npm test", { via: ["nice", "nohup"] }),
        "and through nice and nohup",
      ],
      ["Bash(sudo npm test)", open("npm test", { via: ["sudo"] }), "a rule can name a launcher"],
      ["Bash(npx tsc *)", open("npx tsc -p ."), "npx is part of the command"],
    ],
    not: [
      ["Bash(npm test)", open("npm test", { via: ["sudo"] }), "sudo is more than the command"],
      ["Bash(npm test)", open("npm test", { via: ["watch"] }), "haft never looks through watch"],
      ["Bash(tsc *)", open("npx tsc -p ."), "haft does not look through npx"],
      ["Bash(npm test)", open("npm test", { via: ["docker exec"] }), "nor through docker exec"],
    ],
  }),
  ...claims("Bash behind a launcher", "deny", {
    matches: [
      ["Bash(rm *)", open("rm x", { via: ["sudo"] }), "whatever launches it"],
      ["Bash(sudo *)", open("rm x", { via: ["sudo"] }), "the launcher itself"],
      ["Bash(rm *)", open("/bin/rm x"), "at any path"],
      ["Bash(sh -c *)", open("rm x", { via: ["sh -c"] }), "a shell is a launcher"],
    ],
    not: [["Bash(sudo *)", open("rm x", { via: ["timeout"] }), "another launcher"]],
  }),
  ...claims("Bash behind variables", "allow", {
    matches: [
      [
        "Bash(npm test)",
        open("NODE_ENV=test CI=1 npm test"),
        "these variables do not change what runs",
      ],
      ["Bash(npm test)", open("LC_ALL=C npm test"), "the locale does not either"],
      ["Bash(FOO=1 npm test)", open("FOO=1 npm test"), "a rule can name a variable"],
    ],
    not: [
      [
        "Bash(npm test)",
        open("NODE_OPTIONS=--require=x npm test"),
        "this variable changes what runs",
      ],
      ["Bash(npm test)", open("PATH=. npm test"), "so does this variable"],
      ["Bash(npm test)", open("CI=$X npm test"), "a value known only at run time is asked about"],
      ["Bash(FOO=1 npm test)", open("FOO=2 npm test"), "the value must match"],
    ],
  }),
  ...claims("Bash behind variables", "deny", {
    matches: [
      ["Bash(npm publish)", open("FOO=1 PATH=. npm publish"), "a deny rule ignores all variables"],
      ["Bash(FOO=1 *)", open("FOO=1 npm publish"), "or names one"],
    ],
    not: [["Bash(FOO=1 *)", open("FOO=2 npm publish"), "another value"]],
  }),
  ...claims("Bash and quoting", "deny", {
    matches: [
      [
        "Bash(git push --force)",
        open("git", { argv: ["git push --force"] }),
        "in doubt about words a deny rule applies",
      ],
      ['Bash("rm" -rf *)', open("rm -rf x"), "quotes in a rule do not matter"],
      ["Bash(rm *)", open("rm $X"), "a star matches a word known only at run time"],
    ],
    not: [["Bash(git push --force)", open("git push"), "another command"]],
  }),
  ...claims("Bash and words not known yet", "ask", {
    matches: [["Bash(git push *)", open("git $X"), "the word may match at run time"]],
    not: [],
  }),
];
