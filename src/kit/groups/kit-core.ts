import type { Call } from "../../core/index.ts";
import type { Deferral } from "../../registry/index.ts";
import type { Engine } from "../call-engine.ts";
import { IdSource } from "../../text/index.ts";
import { KitLifetime } from "../kit-lifetime.ts";
import type { KitParts } from "../kit-parts.ts";

/** State that the members of one kit share. */
export interface KitCore {
  readonly parts: KitParts;
  readonly lifetime: KitLifetime;
  readonly deferral: Deferral;
  readonly newId: (prefix: string) => string;
  /** The engine, if a call has loaded it. */
  readonly engine: () => Engine | undefined;
  /** Loads the engine and what MCP servers offer for these calls. */
  readonly load: (calls?: readonly Call[]) => Promise<Engine>;
  /** The call inside an envelope, or the same call. Every step sees the tool that is called. */
  readonly opened: (call: Call) => Call;
}

export function kitCore(parts: KitParts, deferral: Deferral): KitCore {
  const ids = new IdSource();
  const newId = (prefix: string): string => ids.next(prefix);
  const lifetime = new KitLifetime(parts.host, parts.signal);
  let engine: Engine | undefined;
  return {
    parts,
    lifetime,
    deferral,
    newId,
    engine: () => engine,
    async load(calls = []) {
      await parts.servers.current?.learn(calls);
      const family = await parts.engines();
      return (engine ??= family.open(parts, newId, lifetime.signal));
    },
    opened(call) {
      const inner = parts.envelope.open(call, parts.registry);
      return inner === call || deferral.opensEnvelopes ? inner : call;
    },
  };
}
