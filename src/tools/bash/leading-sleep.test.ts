import { expect, test } from "vitest";
import { analyseCommand } from "../../shell/index.ts";
import { waitingRefusal } from "./leading-sleep.ts";
import { mayPromote } from "./bash.ts";

test.each([
  { command: "sleep 2", isRefused: true, because: "it only waits" },
  { command: "  sleep 5 && curl localhost", isRefused: true, because: "waiting comes first" },
  { command: "sleep 5; ls", isRefused: true, because: "waiting comes first" },
  { command: "sleep 5\nls", isRefused: true, because: "a line end ends a command" },
  { command: "sleep 1m", isRefused: true, because: "minutes are long" },
  { command: "sleep 2.5 || true", isRefused: true, because: "a half counts" },
  { command: "sleep 1.9", isRefused: false, because: "that is a pause" },
  { command: "sleep 0.5m", isRefused: true, because: "that is half a minute" },
  { command: "sleep 30 & echo hi", isRefused: false, because: "nobody waits for it" },
  { command: "sleep $N", isRefused: false, because: "how long is not known" },
  { command: "make && sleep 5", isRefused: false, because: "something is done first" },
  { command: "sleepy 5", isRefused: false, because: "that is another program" },
  { command: "echo sleep 5", isRefused: false, because: "that is text" },
])("$command is refused: $isRefused, because $because", ({ command, isRefused }) => {
  expect(waitingRefusal(command, undefined)?.code).toBe(isRefused ? "INVALID_INPUT" : undefined);
});

test("who stops it before it is over waits for something else", () => {
  expect(waitingRefusal("sleep 5", 4999)).toBeUndefined();
  expect(waitingRefusal("sleep 5", 5000)).toMatchObject({ data: { seconds: 5 } });
});

test.each([
  { command: "npm run dev", may: true, because: "a server may continue in the background" },
  { command: "cd app && make", may: true, because: "a build may continue in the background" },
  { command: "sleep 300 && ls", may: false, because: "it only waits" },
  { command: "git fetch", may: false, because: "it may hold a lock" },
  { command: "make && git push", may: false, because: "it may hold a lock" },
  { command: "/usr/bin/git gc", may: false, because: "it may hold a lock" },
  { command: "echo 'unfinished", may: false, because: "it is not understood" },
])("$command may go on past its time: $may, because $because", ({ command, may }) => {
  const place = { cwd: "/project", workspace: "/project", home: "/home/user" };
  expect(mayPromote(analyseCommand(command, place))).toBe(may);
});
