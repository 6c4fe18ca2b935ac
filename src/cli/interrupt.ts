import type { Terminal } from "./terminal.ts";

export interface Interrupt {
  readonly signal: AbortSignal;
  dispose(): void;
}

/** Aborts on the first Ctrl-C or TERM, so that what runs can settle; a second one ends the process at once. */
export function onInterrupt(terminal: Terminal): Interrupt {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    if (terminal.isInteractive) terminal.err("\nStopping; once more ends it at once.\n");
    controller.abort(new Error("interrupted"));
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    dispose: () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
