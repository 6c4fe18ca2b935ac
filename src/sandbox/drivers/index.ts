import { sandboxExec } from "../experimental/sandbox-exec.ts";
import { srt } from "../experimental/srt.ts";
import type { SandboxDriver } from "../sandbox.ts";
import { bwrap } from "./bwrap.ts";
import { landlock } from "./landlock.ts";
import { none } from "./none.ts";
import { unshare } from "./unshare.ts";

/** Drivers from the strongest to none; the first that works and is not experimental is used. */
export const drivers: readonly SandboxDriver[] = [bwrap, landlock, unshare, sandboxExec, srt, none];
