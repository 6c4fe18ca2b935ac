import { isWithin } from "../text/index.ts";
import { type ConfinedHelper, type Confinement } from "../core/index.ts";
import type { SandboxPolicy } from "./policy/policy.ts";
import type { Sandbox } from "./sandbox.ts";
import { sandboxPolicy, type SandboxPolicyOptions } from "./policy/sandbox-policy.ts";

export type SearchConfinement = Pick<Confinement, "helper">;

/** Starts no program to search: the host searches by itself. */
export const notStarted: SearchConfinement = {};

/** Policy for a granted search below a root: programs read that root and every path that is not secret. */
export async function searchPolicy({
  root,
  shown = [],
  ...options
}: Pick<SandboxPolicyOptions, "workspace" | "home" | "temporary" | "secrets" | "hide"> & {
  readonly root: string;
  /** Hidden paths that can be read anyway. */
  readonly shown?: readonly string[];
}): Promise<SandboxPolicy> {
  const policy = await sandboxPolicy({
    ...options,
    variables: {},
    // The program writes nothing, so there is no need to find protected paths.
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

/** Confines all searches of a policy in one process, which starts only the programs that read for them. */
export function searchConfinement(sandbox: Sandbox): SearchConfinement {
  const { helper, directory, policy } = sandbox;
  if (helper !== undefined) return { helper };
  if (directory === undefined) return notStarted;
  const inside: ConfinedHelper = {
    key: JSON.stringify(policy),
    // The mask of a secret disappears when the secret is removed or replaced outside.
    places: [...policy.hidden, ...policy.revealed].map(({ path }) => path),
    launch: (argv) => sandbox.wrap(argv, { cwd: "/" }),
    shared: directory,
    plain: (argv, { cwd, env }) => ({ argv, cwd, env, descriptors: [] }),
  };
  return { helper: inside };
}
