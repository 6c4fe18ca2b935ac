import { GrantGuard, type NarrowOptions } from "./guard.ts";
import type { HostSearch } from "../core/index.ts";
import type { Host, HostClock, HostFs, HostInfo, HostNet, HostProc } from "../core/index.ts";
import { NarrowedFs } from "./files.ts";
import { NarrowedNet } from "./network.ts";
import { NarrowedProc } from "./processes.ts";
import { NarrowedSearch } from "./search.ts";

/** Host of one call and the means to revoke it. */
export interface NarrowedHost {
  readonly host: Host;
  /** Makes every later use of the host fail, also by work that the tool left running. */
  readonly revoke: () => void;
  /** Whether a program started through this host is still running. */
  readonly isBusy: () => Promise<boolean>;
}

/**
 * Limits a host to a grant. Relative paths start at `cwd`; every path is canonicalized before it is checked. Access
 * that the grant does not cover fails with UNDECLARED_EFFECT, and a path that a rule excludes from a granted tree with
 * PERMISSION_DENIED. Clock and info are always available. Disposing the narrowed host has no effect.
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

/** Every call makes one, so each service is created on first use. */
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
