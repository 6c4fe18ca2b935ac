import { describe, expect, test } from "vitest";
import { probeDriver, drivers } from "../../src/sandbox/index.ts";
import {
  stopCommands,
  stopDrivers,
  stopWays,
  stopWorld,
  type StopCommand,
} from "../support/stop-race.ts";
import { stride, tried } from "../support/law-runs.ts";

const commands = Object.keys(stopCommands) as StopCommand[];
/** While the sandbox is made, while it starts, and once the command writes; `npm run stop-race` tries any moment. */
const delaysMs = tried([0, 15, 40, 120], Math.min(2, stride));
const patienceMs = 300_000;

const working = new Set<string>(["off"]);
for (const driver of drivers) {
  if (stopDrivers.some((name) => name === driver.name)) {
    if ((await probeDriver(driver)).works) working.add(driver.name);
  }
}

describe.skipIf(process.platform !== "linux").each(stopDrivers)("%s", (driver) => {
  test.skipIf(!working.has(driver)).each(stopWays)(
    "a call ended by %s is answered when nothing of it runs, and undo has all it wrote",
    { timeout: patienceMs },
    async (way) => {
      await using world = await stopWorld(driver);
      for (const command of commands) {
        for (const delayMs of delaysMs) {
          const { survivors, outsideUndo } = await world.round({ way, command, delayMs });

          expect({ command, delayMs, survivors, outsideUndo }).toEqual({
            command,
            delayMs,
            survivors: [],
            outsideUndo: [],
          });
        }
      }
    },
  );
});
