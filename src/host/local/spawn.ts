import type { Child, LaunchSpec } from "../launcher.ts";
import { withSockets } from "./direct-launcher.ts";
import { checkedProgram } from "./launch-error.ts";

/** Starts a program of the host's own. */
export async function spawnProgram(spec: LaunchSpec): Promise<Child> {
  checkedProgram(spec.argv);
  return withSockets(spec);
}
