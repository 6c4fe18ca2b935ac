import type { Terminal } from "./terminal.ts";

export interface ProgressLine {
  update(message: string): void;
  /** Clears the line; call it before printing anything else. */
  stop(): void;
}

/** Milliseconds before anything is shown: what is quicker needs no telling. */
const patience = 1000;
const interval = 250;

/** A line that says what is still running, once that takes longer than a second. Silent where nobody watches. */
export function progressLine(label: string, terminal: Terminal): ProgressLine {
  if (!terminal.isInteractive) return { update: () => undefined, stop: () => undefined };
  const startedAt = performance.now();
  let message = "";
  let isShown = false;
  const timer = setInterval(() => {
    const elapsed = performance.now() - startedAt;
    if (elapsed < patience) return;
    isShown = true;
    const text = `${label} ${(elapsed / 1000).toFixed(0)} s ${message}`.slice(0, 100);
    terminal.err(`\r\u001B[2K${terminal.style("dim", text)}`);
  }, interval);
  timer.unref();
  return {
    update: (next) => {
      message = next.replaceAll(/\s+/gu, " ");
    },
    stop: () => {
      clearInterval(timer);
      if (isShown) terminal.err("\r\u001B[2K");
      isShown = false;
    },
  };
}
