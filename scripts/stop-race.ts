// Stops commands at random moments and counts those that live on, or write what undo does not have, with each driver, by
// abort, timeout and a cancelled MCP request: `npm run stop-race -- [rounds of each] [busy loops] [driver,…]`.
import { spawn } from "node:child_process";
import { drivers, probeDriver } from "../src/sandbox/index.ts";
import {
  stopCommands,
  stopDrivers,
  stopWays,
  stopWorld,
  type StopCommand,
  type StopDriver,
} from "../test/support/stop-race.ts";

const longestDelayMs = 400;
const [rounds = "30", loops = "0", wanted = stopDrivers.join(",")] = process.argv.slice(2);
const commands = (["listed", "open", "detached"] satisfies StopCommand[]).filter(
  (name) => name in stopCommands,
);

async function works(name: StopDriver): Promise<boolean> {
  const driver = drivers.find((each) => each.name === name);
  return driver === undefined || (await probeDriver(driver)).works;
}

const busy = Array.from({ length: Number(loops) }, () =>
  spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
);
let wrong = 0;
try {
  for (const driver of stopDrivers.filter((name) => wanted.split(",").includes(name))) {
    if (!(await works(driver))) {
      process.stdout.write(`${driver}: does not work here\n`);
      continue;
    }
    for (const way of stopWays) {
      let survivors = 0;
      let files = 0;
      await using world = await stopWorld(driver);
      for (let round = 0; round < Number(rounds); round += 1) {
        const command = commands[round % commands.length] ?? "open";
        const delayMs = Math.floor(Math.random() * longestDelayMs);
        const result = await world.round({ way, command, delayMs });
        survivors += result.survivors.length;
        files += result.outsideUndo.length;
        if (result.survivors.length + result.outsideUndo.length > 0) {
          wrong += 1;
          process.stdout.write(`${JSON.stringify({ driver, way, command, delayMs, ...result })}\n`);
        }
      }
      process.stdout.write(
        `${driver} by ${way}: ${survivors} survivors, ${files} files outside undo, of ${rounds} calls\n`,
      );
    }
  }
} finally {
  for (const loop of busy) loop.kill("SIGKILL");
}
process.exitCode = wrong === 0 ? 0 : 1;
