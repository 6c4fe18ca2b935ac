import { expect, test } from "vitest";
import { analyseCommand } from "../../shell/index.ts";
import { needsRealFiles } from "./needs-real-files.ts";

const place = { cwd: "/project", workspace: "/project", home: "/home/me" };

test.each<[string, boolean, string]>([
  ["sleep 9 &", true, "it stays when the command has ended"],
  ["(make a) & (make b) & wait", false, "all of it has ended by then"],
  ["(make a) & wait; make b", false, "what comes after the wait leaves nothing"],
  ["(make a) & wait; sleep 9 &", true, "what is left after the wait stays"],
  ["sleep 9 & wait $!; sleep 1 & wait 7", true, "not all is waited for"],
  ["sleep 9 & if true; then wait; fi", true, "it may not wait"],
  ["(sleep 9 &); wait", true, "another shell started it"],
  ["x=$(sleep 9 &); wait", true, "so it did here"],
  ["echo `sleep 9 &`; wait", true, "and here"],
  ["bash -c 'sleep 9 &'; wait", true, "and here, which the text does not show"],
  ['bash -c "sleep 9 &"; wait', true, "or in other quotes"],
  ["sleep 9 & test -f a && wait", true, "it may not come to the wait"],
  ["sleep 9 & test -f a || wait", true, "nor here"],
  ["sleep 9 & exit; wait", true, "it ends before"],
  ["set -e; sleep 9 & make; wait", true, "it may end before"],
  ['for i in 1 2; do make "$i" & done; wait', false, "each turn is waited for"],
  ["make a & make b &\nwait", false, "a line ends there"],
  ["echo a) & wait", true, "what is not understood may stay"],
  ["make a && make b 2>&1", false, "no ampersand there leaves anything"],
  ["npm run dev", true, "a server runs until it is stopped"],
  ["npm test", false, "it ends by itself"],
  ["docker build .", true, "another program does the work"],
])("%s: %s, because %s", (command, isLive) => {
  expect(needsRealFiles(analyseCommand(command, place))).toBe(isLive);
});
