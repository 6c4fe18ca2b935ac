import { memoryHost, type MemoryHost, type MemoryHostOptions } from "../../src/host/index.ts";
import type { Host } from "../../src/core/index.ts";

export interface RemoteHost {
  readonly host: Host;
  /** The machine behind it, as its own users see it. */
  readonly machine: MemoryHost;
  /** Everything that reached the machine, as texts. */
  readonly seen: readonly string[];
}

/** A machine elsewhere: a memory host that is not the machine of the user, and that notes everything it is given. */
export function remoteHost(options: MemoryHostOptions = {}): RemoteHost {
  const machine = memoryHost({ id: "box", ...options });
  const seen: string[] = [];
  const { holdsStore, ...info } = machine.info;
  if (holdsStore === undefined) throw new Error("The memory host is no longer one of its own.");
  const host: Host = {
    id: machine.id,
    info,
    fs: noting(machine.fs, seen),
    proc: noting(machine.proc, seen),
    net: noting(machine.net, seen),
    search: noting(machine.search, seen),
    clock: machine.clock,
    [Symbol.asyncDispose]: async () => await machine[Symbol.asyncDispose](),
  };
  return { host, machine, seen };
}

function noting<T extends object>(target: T, seen: string[]): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => {
        seen.push(`${String(name)} ${text(given)}`);
        return Reflect.apply(member, target, given);
      };
    },
  });
}

function text(given: unknown): string {
  return JSON.stringify(given, (_, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
  );
}
