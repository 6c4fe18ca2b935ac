import { expect, test } from "vitest";
import { isRunningProcess, ownProcess } from "./own-process.ts";

const own = ownProcess() ?? "";
const [pid, boot, ticks, space] = own.split("/");

test.skipIf(own === "").each<[string, boolean | undefined, string]>([
  [own, true, "it is this one"],
  [`${pid}/${boot}/${Number(ticks) + 1}/${space}`, false, "another had its number"],
  [`0/${boot}/${ticks}/${space}`, false, "there is none of this number"],
  [`${pid}/before/${ticks}/${space}`, false, "the machine was restarted"],
  [`${pid}/before/${ticks}/9`, false, "so was whatever held it"],
  [`${pid}/${boot}/${ticks}/9`, undefined, "it is counted in another container"],
])("%s runs: %s, because %s", (name, isRunning) => {
  expect(isRunningProcess(name)).toBe(isRunning);
});
