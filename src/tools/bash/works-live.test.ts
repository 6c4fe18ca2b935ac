import { expect, test } from "vitest";
import { analyseCommand } from "../../shell/index.ts";
import { worksLive } from "./works-live.ts";

const place = { cwd: "/project", workspace: "/project", home: "/home/me" };

test.each<[string, boolean, string]>([
  ["sleep 9 &", true, "it stays when the command has ended"],
  ["(make a) & (make b) & wait", false, "all of it has ended by then"],
  ["(make a) & wait; make b", false, "what comes after the wait leaves nothing"],
  ["(make a) & wait; sleep 9 &", true, "what is left after the wait stays"],
  ["sleep 9 & wait $!; sleep 1 & wait 7", true, "not all is waited for"],
  ["sleep 9 & if true; then wait; fi", true, "it may not wait"],
  ["make a && make b 2>&1", false, "no ampersand there leaves anything"],
  ["npm run dev", true, "a server stays until somebody ends it"],
  ["npm test", false, "it ends by itself"],
  ["docker build .", true, "another program does the work"],
])("%s: %s, because %s", (command, isLive) => {
  expect(worksLive(analyseCommand(command, place))).toBe(isLive);
});
