import { expect, test } from "vitest";
import { isBenignExit } from "./benign-exit.ts";

test.for([
  { command: "grep x a", code: 1, is: true, because: "nothing found" },
  { command: "cat a | grep x", code: 1, is: true, because: "the last program decides" },
  { command: "grep x a | wc -l", code: 1, is: false, because: "wc failed" },
  { command: "LC_ALL=C /usr/bin/grep x a", code: 1, is: true, because: "the program by its path" },
  { command: "git diff --exit-code", code: 1, is: true, because: "a difference" },
  { command: "git push", code: 1, is: false, because: "git itself failed" },
  { command: "test -f a", code: 1, is: true, because: "the test is false" },
  { command: "[ -f a ]", code: 1, is: true, because: "the test is false" },
  { command: "[[ -f a ]]", code: 1, is: true, because: "the test is false" },
  { command: "grep x missing", code: 2, is: false, because: "2 is an error of grep" },
  { command: "make; grep x a", code: 1, is: true, because: "the last command decides" },
  { command: "grep x a && make", code: 1, is: false, because: "make may have failed" },
  { command: "echo 'a; grep'", code: 1, is: false, because: "quoted text is not a command" },
  { command: 'echo "a | \\" grep"', code: 1, is: false, because: "an escaped quote ends nothing" },
  { command: "npm test && grep x a", code: 1, is: false, because: "npm may have failed" },
  { command: "cat a | make && grep x", code: 1, is: false, because: "make may have failed" },
  { command: "make | cat && grep x a", code: 1, is: false, because: "cat may have failed" },
  { command: "make || grep x a", code: 1, is: true, because: "a failed make has grep run" },
  { command: "make; cd a && grep x b", code: 1, is: true, because: "cd would have said so" },
  { command: "X=1 && grep x b", code: 1, is: false, because: "nothing is known of it" },
  { command: "cd $(make) && grep x b", code: 1, is: false, because: "make may have failed" },
  { command: "test -f a && grep x a", code: 1, is: true, because: "both answer so" },
  { command: "make && cd a || grep x a", code: 1, is: true, because: "grep ran in any case" },
  { command: "set -eu; make; grep x a", code: 1, is: false, because: "make ends it all" },
  { command: "set -o errexit\nmake\ngrep x a", code: 1, is: false, because: "make ends it all" },
  { command: "set -e; cd a; grep x a", code: 1, is: true, because: "cd would have said so" },
  { command: "set -e; make || grep x a; test a", code: 1, is: true, because: "make has grep run" },
  { command: "set -o pipefail; make | grep x", code: 1, is: false, because: "make counts too" },
  { command: "set -o pipefail; make || grep x a", code: 1, is: true, because: "make has it run" },
  { command: "set -o pipefail; echo a | grep x", code: 1, is: true, because: "echo never says no" },
  { command: "grep x a 2>&1", code: 1, is: true, because: "a redirection ends no command" },
  { command: "grep x a &>/dev/null", code: 1, is: true, because: "nor does this one" },
  { command: "grep x <&3", code: 1, is: true, because: "nor does this one" },
  { command: "grep x a >| b", code: 1, is: true, because: "nor does this one" },
  { command: "make 2>&1 | grep x", code: 1, is: true, because: "the last program decides" },
  { command: "make |& grep x", code: 1, is: true, because: "it is a pipe" },
  { command: "grep x a;\n", code: 1, is: true, because: "nothing follows" },
])("$command ending with $code is benign: $is, because $because", ({ command, code, is }) => {
  expect(isBenignExit(command, code)).toBe(is);
});

test("if standard error is not empty, a program before the search may have failed", () => {
  // A program that cannot have caused the exit code is not considered.
  expect(isBenignExit("make; grep x a", 1, false)).toBe(true);
  expect(isBenignExit("cd a && grep x a", 1, false)).toBe(false);
});
