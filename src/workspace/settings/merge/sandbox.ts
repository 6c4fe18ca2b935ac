import { overlays, requires } from "../schema/named-settings.ts";
import type { SandboxSettings } from "../settings.ts";

type Secrets = NonNullable<SandboxSettings["secrets"]>;

/** Merges secrets. Any source may add one; only a source that may widen can open one. */
function mergeSecrets(
  { add = [], open = [] }: Secrets,
  own: Secrets | undefined,
  mayWiden: boolean,
): Secrets {
  const all = [...new Set([...add, ...(own?.add ?? [])])];
  const opened = [...new Set([...open, ...(mayWiden ? (own?.open ?? []) : [])])];
  return {
    ...(all.length === 0 ? {} : { add: all }),
    ...(opened.length === 0 ? {} : { open: opened }),
  };
}

/** Settings of one source, applied over those of the sources below it. */
export interface SandboxLayer {
  readonly values: SandboxSettings;
  /** Whether it may loosen the settings below it; otherwise it may only tighten them. */
  readonly mayWiden: boolean;
}

/** Merges the layers, the most specific one last. Also lists what a layer asked for and did not get. */
export function mergeSandbox(layers: readonly SandboxLayer[]): {
  readonly values: SandboxSettings;
  readonly withheld: readonly { readonly layer: SandboxLayer; readonly what: string }[];
} {
  let values: SandboxSettings = {};
  const withheld: { readonly layer: SandboxLayer; readonly what: string }[] = [];
  for (const layer of layers) {
    const { mayWiden, values: own } = layer;
    const taken = Object.entries(own).filter(([name, value]) => {
      if (name === "secrets") return false;
      if (mayWiden || isStricter(name, value, values)) return true;
      withheld.push({ layer, what: `sandbox.${name} ${JSON.stringify(value)}` });
      return false;
    });
    const secrets = mergeSecrets(values.secrets ?? {}, own.secrets, mayWiden);
    if (!mayWiden && own.secrets?.open !== undefined) {
      withheld.push({ layer, what: `sandbox.secrets.open ${JSON.stringify(own.secrets.open)}` });
    }
    values = {
      ...values,
      ...Object.fromEntries(taken),
      ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
    };
  }
  return { values, withheld };
}

/** Whether a value is at least as strict as the one in effect, or as the default if none is set. */
function isStricter(name: string, value: unknown, now: SandboxSettings): boolean {
  switch (name) {
    case "require":
      return rank(requires, value) >= rank(requires, now.require ?? "best-effort");
    case "overlay":
      return rank(overlays, value) >= rank(overlays, now.overlay ?? "undo");
    case "network":
      return value === "none" || (now.network ?? "open") === "open";
    default:
      return false;
  }
}

function rank(order: readonly string[], value: unknown): number {
  return typeof value === "string" ? order.indexOf(value) : -1;
}
