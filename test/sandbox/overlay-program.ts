/**
 * Work of overlay tests in a separate process, given in JSON:
 *
 *   node overlay-program.ts {"roots": [...], "staging": "...", "script": "...", "hold": true}
 *
 * Prints the staged changes, or, to hold, a line once the script runs, and then stays until it is killed.
 */
import { spawnConfined, prepareOverlay, runConfined } from "../../src/sandbox/index.ts";
import { ToolError } from "../../src/core/index.ts";

export interface OverlayOrder {
  readonly roots: readonly string[];
  readonly staging: string;
  readonly script: string;
  readonly hold?: boolean;
}

const order: OverlayOrder = JSON.parse(process.argv[2] ?? "");
const [cwd = "/"] = order.roots;
try {
  const overlay = await prepareOverlay(order);
  const confined = await overlay.confinement.wrap(["/bin/sh", "-c", order.script], {
    cwd,
    env: {},
  });
  if (order.hold === true) {
    const child = await spawnConfined(confined);
    child.stdout?.once("data", () => process.stdout.write("running\n"));
    setInterval(() => undefined, 1000);
  } else {
    const result = await runConfined(confined);
    const staged = await overlay.changes();
    await overlay.drop();
    process.stdout.write(JSON.stringify({ result, staged }));
  }
} catch (error) {
  const told = ToolError.is(error) ? { code: error.code } : { message: String(error) };
  process.stdout.write(JSON.stringify(told));
}
