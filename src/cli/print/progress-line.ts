import type { Terminal } from "../terminal.ts";

export interface ProgressLine {
  update(message: string): void;
  /** Clears the line until `resume`, for a question. */
  pause(): void;
  resume(): void;
  /** Clears the line; call it before printing anything else. */
  stop(): void;
}

/** Milliseconds before the line is shown: a shorter wait needs no line. */
const patience = 1000;
const interval = 250;
const clear = "\r\u001B[2K";

const silent: ProgressLine = {
  update: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  stop: () => undefined,
};

/**
 * Shows a line that names what is still running, if that takes longer than a second. Prints nothing if no user watches.
 */
export function progressLine(label: string, terminal: Terminal): ProgressLine {
  if (!terminal.isInteractive) return silent;
  const startedAt = terminal.now();
  let message = "";
  let isShown = false;
  let isPaused = false;
  const hide = (): void => {
    if (isShown) terminal.raw(clear, "err");
    isShown = false;
  };
  const cancel = terminal.every(interval, () => {
    const elapsed = terminal.now() - startedAt;
    if (isPaused || elapsed < patience) return;
    isShown = true;
    const text = `${label} ${Math.floor(elapsed / 1000)} s ${message}`.trimEnd();
    terminal.raw(clear, "err");
    terminal.err(terminal.style("dim", text.slice(0, terminal.columns - 1)));
  });
  return {
    update: (next) => {
      // Remove colors and cursor movements that a program printed.
      message = printable(next);
    },
    pause: () => {
      isPaused = true;
      hide();
    },
    resume: () => {
      isPaused = false;
    },
    stop: () => {
      cancel();
      hide();
    },
  };
}

function printable(text: string): string {
  return text
    .replaceAll(escapes, "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

const escapes = new RegExp(
  String.raw`\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*\u0007?|.)`,
  "gu",
);
