import type { Call } from "../../core/index.ts";
import { envelopeName, type Registry } from "../../registry/index.ts";
import type { Envelope } from "../../tools/index.ts";

/** The tool that calls others under their own names, loaded when a session first needs it. */
export class LazyEnvelope {
  #loaded: Envelope | undefined;

  /** Adds it to a registry, unless a tool there has its name. */
  async addTo(registry: Registry): Promise<void> {
    if (registry.resolve(envelopeName) !== undefined) return;
    const { loadEnvelope } = await import("../../tools/index.ts");
    this.#loaded ??= await loadEnvelope();
    // Another call may have added it meanwhile.
    if (registry.resolve(envelopeName) === undefined) registry.register(this.#loaded.toolCall);
  }

  /** The call inside an envelope, or the same call. */
  open(call: Call, registry: Registry): Call {
    return this.#loaded?.openEnvelope(call, registry) ?? call;
  }
}
