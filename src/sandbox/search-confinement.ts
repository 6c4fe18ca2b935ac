import { isWithin } from "../text/index.ts";
import { type ConfinedHelper, type Confinement } from "../core/index.ts";
import type { SandboxPolicy } from "./policy/policy.ts";
import type { Sandbox, SandboxDriver } from "./sandbox.ts";
import { sandboxPolicy, type SandboxPolicyOptions } from "./policy/sandbox-policy.ts";

export type SearchConfinement = Pick<Confinement, "helper">;

/** No program is started to search: the host does it by itself. */
export const notStarted: SearchConfinement = {};

/** Whether a driver holds a program that only reads for less than the search itself takes. */
export function confinesSearches({ name }: Pick<SandboxDriver, "name">): boolean {
  return name === "bwrap" || name === "landlock";
}

/** What a program may do that searches below a root a call was granted: read there and what is no secret. */
export async function searchPolicy({
  root,
  shown = [],
  ...options
}: Pick<SandboxPolicyOptions, "workspace" | "home" | "temporary" | "secrets" | "hide"> & {
  readonly root: string;
  /** What of hidden directories can be read even so. */
  readonly shown?: readonly string[];
}): Promise<SandboxPolicy> {
  const policy = await sandboxPolicy({
    ...options,
    variables: {},
    // It writes nothing, so nothing has to be looked for that it must not write.
    protect: [],
    reveal: [root, ...shown],
  });
  return {
    ...policy,
    writable: [],
    pinned: [],
    protected: [],
    watched: [],
    hidden: policy.hidden.filter(({ path }) => !isWithin(root, path)),
    environment: {},
  };
}

/** All searches of a policy are held by one process: it starts nothing but what reads for them. */
export function searchConfinement(sandbox: Sandbox): SearchConfinement {
  const { helper, directory, policy } = sandbox;
  if (helper !== undefined) return { helper };
  if (directory === undefined) return notStarted;
  const inside: ConfinedHelper = {
    key: JSON.stringify(policy),
    // What hides a secret goes with it when it is removed or replaced outside.
    places: [...policy.hidden, ...policy.revealed].map(({ path }) => path),
    launch: (argv) => sandbox.wrap(argv, { cwd: "/" }),
    shared: directory,
    plain: (argv, { cwd, env }) => ({ argv, cwd, env, descriptors: [] }),
  };
  return { helper: inside };
}
