import type { Host } from "../../core/index.ts";
import type { Journal } from "../../journal/index.ts";
import type { BackgroundServices } from "../tasks.ts";

/** Hosts that a kit and those derived from it act on, with the services open on each. */
export interface OpenHosts {
  /**
   * Adds a use of a host. The returned function ends the tasks of this use, and with the last use of the host closes
   * its journal.
   */
  add(host: Host, beside: BackgroundServices): () => Promise<void>;
  /** Returns the journal of a host, created with the first call there. */
  journalOn(host: Host, make: () => Journal): Journal;
  /** Returns the background services of the first host. */
  first(): BackgroundServices | undefined;
  releaseAll(): Promise<void>;
}

interface Use {
  readonly host: Host;
  readonly beside: BackgroundServices;
}

export function openHosts(): OpenHosts {
  const uses = new Set<Use>();
  const journals = new Map<Host, Journal>();

  const closeJournal = async (host: Host): Promise<void> => {
    const journal = journals.get(host);
    journals.delete(host);
    await journal?.close();
  };

  return {
    add(host, beside) {
      const use = { host, beside };
      uses.add(use);
      return async () => {
        await beside.close();
        if (!uses.delete(use)) return;
        const isInUse = Array.from(uses).some((other) => other.host === host);
        if (!isInUse) await closeJournal(host);
      };
    },
    journalOn(host, make) {
      const journal = journals.get(host) ?? make();
      journals.set(host, journal);
      return journal;
    },
    first: () => Array.from(uses)[0]?.beside,
    async releaseAll() {
      await Promise.all(Array.from(uses, async ({ beside }) => await beside.close()));
      await Promise.all(Array.from(journals.keys(), closeJournal));
    },
  };
}
