import { GrantGuard, type NarrowOptions } from "./guard.ts";
import type { HostSearch } from "../core/index.ts";
import type { Host, HostClock, HostFs, HostInfo, HostNet, HostProc } from "../core/index.ts";
import { NarrowedFs } from "./files.ts";
import { NarrowedNet } from "./network.ts";
import { NarrowedProc } from "./processes.ts";
import { NarrowedSearch } from "./search.ts";

/** What a tool holds, and the end of it. */
export interface NarrowedHost {
  readonly host: Host;
  /** From now on every use of the host fails, also by work the tool left behind. */
  readonly revoke: () => void;
  /** Whether a program that was started through it still runs. */
  readonly isBusy: () => Promise<boolean>;
}

/**
 * A host that does what a grant covers and nothing else. Relative paths start at `cwd`; every path is
 * canonicalised before it is checked. What is not covered fails with UNDECLARED_EFFECT, what a rule withholds
 * inside a granted tree with PERMISSION_DENIED. Clock and info are free. Disposing it does nothing.
 */
export function narrowHost(host: Host, options: NarrowOptions): NarrowedHost {
  const guard = new GrantGuard(host, options);
  const narrowed = new Narrowed(guard);
  return {
    host: narrowed,
    revoke: () => guard.revoke(),
    isBusy: async () => await narrowed.isBusy(),
  };
}

/** Every call makes one, so a door is made when it is first used. */
class Narrowed implements Host {
  readonly #guard: GrantGuard;
  #fs: NarrowedFs | undefined;
  #proc: NarrowedProc | undefined;
  #net: NarrowedNet | undefined;
  #search: NarrowedSearch | undefined;

  constructor(guard: GrantGuard) {
    this.#guard = guard;
  }

  get id(): string {
    return this.#guard.host.id;
  }

  get info(): HostInfo {
    return this.#guard.host.info;
  }

  get clock(): HostClock {
    return this.#guard.host.clock;
  }

  get fs(): HostFs {
    this.#fs ??= new NarrowedFs(this.#guard);
    return this.#fs;
  }

  async isBusy(): Promise<boolean> {
    return (await this.#proc?.isBusy()) === true;
  }

  get proc(): HostProc {
    this.#proc ??= new NarrowedProc(this.#guard);
    return this.#proc;
  }

  get net(): HostNet {
    this.#net ??= new NarrowedNet(this.#guard);
    return this.#net;
  }

  get search(): HostSearch {
    this.#search ??= new NarrowedSearch(this.#guard);
    return this.#search;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The host belongs to the kit, not to the call.
  }
}
