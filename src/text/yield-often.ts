import { setImmediate } from "node:timers/promises";

/** How many steps are taken before others get a turn. */
const stepsAtOnce = 200;

/**
 * Small synchronous steps take a fraction of what it costs to wait for each; this lets everything else run between
 * them. Call it once a step.
 */
export function pacer(): () => Promise<void> | undefined {
  let steps = 0;
  return () => {
    steps += 1;
    return steps % stepsAtOnce === 0 ? setImmediate() : undefined;
  };
}
