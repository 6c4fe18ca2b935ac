import { signalCodes } from "./exit-codes.ts";
import { onReaderGone } from "./closed-output.ts";
import type { Terminal } from "./terminal.ts";

export interface Interrupt {
  readonly signal: AbortSignal;
  dispose(): void;
}

export interface InterruptOptions {
  /** What tells of signals; the process itself where it is left out. */
  readonly source?: Pick<NodeJS.EventEmitter, "on" | "off">;
  readonly exit?: (code: number) => void;
}

/**
 * Milliseconds in which a second signal is taken for the first: a Ctrl-C reaches every program of a terminal, and a
 * launcher such as npx passes on its own.
 */
const sameMs = 500;

/**
 * Aborts on the first Ctrl-C, TERM or closed terminal, so that what runs can settle; a later one ends the process at
 * once. It aborts as well when nobody reads the output any more, which no signal tells: SIGPIPE comes for any pipe. Dispose it when all that
 * was started has ended: until then a signal that nobody answers would leave programs behind.
 */
export function onInterrupt(
  terminal: Terminal,
  { source = process, exit = (code) => process.exit(code) }: InterruptOptions = {},
): Interrupt {
  const controller = new AbortController();
  let stoppedAt: number | undefined;
  const abort = (): void => controller.abort(new Error("interrupted"));
  const stop = (name: "SIGINT" | "SIGTERM" | "SIGHUP"): void => {
    if (stoppedAt !== undefined) {
      if (terminal.now() - stoppedAt > sameMs) exit(signalCodes[name]);
      return;
    }
    stoppedAt = terminal.now();
    if (terminal.isInteractive && name !== "SIGHUP") {
      terminal.err("\nStopping; once more ends it at once.\n");
    }
    abort();
  };
  const heard = endingSignals(terminal);
  for (const name of heard) source.on(name, stop);
  const forget = onReaderGone(abort);
  return {
    signal: controller.signal,
    dispose: () => {
      for (const name of heard) source.off(name, stop);
      forget();
    },
  };
}

/** Without a terminal there is none that could be closed, and who started it with nohup wants it to go on. */
function endingSignals(terminal: Terminal): readonly ("SIGINT" | "SIGTERM" | "SIGHUP")[] {
  return terminal.isAttached ? ["SIGINT", "SIGTERM", "SIGHUP"] : ["SIGINT", "SIGTERM"];
}
