import { signalCodes } from "./exit-codes.ts";
import { onReaderGone } from "./closed-output.ts";
import type { Terminal } from "./terminal.ts";

export interface Interrupt {
  readonly signal: AbortSignal;
  dispose(): void;
}

export interface InterruptOptions {
  /** Emitter of signals. Default: the process itself. */
  readonly source?: Pick<NodeJS.EventEmitter, "on" | "off">;
  readonly exit?: (code: number) => void;
}

/**
 * Milliseconds in which a second signal counts as the first: a Ctrl-C reaches every program of a terminal, and a
 * launcher such as npx forwards its own.
 */
const sameMs = 500;

/**
 * Aborts on the first Ctrl-C, TERM or closed terminal, so that what runs can end in order; a later signal ends the
 * process at once. It also aborts when the reader of the output is gone, which no signal reports: SIGPIPE occurs for
 * any pipe. Dispose it when everything that was started has ended: until then an unhandled signal would leave programs
 * behind.
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

/**
 * Returns the signals that end a verb. Without a terminal none can close, and a user of nohup wants the process to
 * continue.
 */
function endingSignals(terminal: Terminal): readonly ("SIGINT" | "SIGTERM" | "SIGHUP")[] {
  return terminal.isAttached ? ["SIGINT", "SIGTERM", "SIGHUP"] : ["SIGINT", "SIGTERM"];
}
