import { visibleText } from "./print/visible-text.ts";
import type { Lines } from "./prompt/lines.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/**
 * Output and input of a verb. Results go to `out`, everything about them to `err`, so that a pipe gets only results.
 */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Prints text that may move the cursor: output of the user's own program, or a line that is redrawn. */
  raw(text: string, stream: "out" | "err"): void;
  /** Returns the text in a style if that stream shows colors, else unchanged. Default: standard error. */
  style(style: Style, text: string, stream?: "out" | "err"): string;
  /** Whether a human reads standard error. */
  readonly isInteractive: boolean;
  /** Whether a human reads standard output as well, so that one stream need not repeat the other. */
  readonly isOutputRead: boolean;
  /** Whether standard output is a screen. */
  readonly isOutputShown: boolean;
  /** Whether one of the three streams is a terminal, which may be closed. */
  readonly isAttached: boolean;
  /** Whether a human can answer on standard input. */
  readonly canAsk: boolean;
  readonly columns: number;
  readStdin(): Promise<string>;
  /** Yields each line of standard input as soon as it arrives, without its line end, until the signal is aborted. */
  readLines(signal?: AbortSignal): AsyncIterable<string>;
  openLines(): Promise<Lines>;
  /** Returns milliseconds since a fixed moment. */
  now(): number;
  /** Calls `act` repeatedly until the returned function is called; does not keep the process alive. */
  every(milliseconds: number, act: () => void): () => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Returns the terminal of this process. Colors obey NO_COLOR and FORCE_COLOR and are off for a pipe. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const colours = { out: hasColours(stdout, env), err: hasColours(stderr, env) };
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    raw: (text, stream) => void (stream === "out" ? stdout : stderr).write(text),
    style: (style, text, stream = "err") => (colours[stream] ? styled(style, text) : text),
    isInteractive: stderr.isTTY,
    isOutputRead: stderr.isTTY && stdout.isTTY,
    isOutputShown: stdout.isTTY,
    isAttached: stdin.isTTY || stdout.isTTY || stderr.isTTY,
    canAsk: stdin.isTTY && stderr.isTTY,
    columns: stderr.isTTY ? stderr.columns : 80,
    readStdin: async () => {
      if (stdin.isTTY) stderr.write("Reading standard input; end it with Ctrl-D.\n");
      let text = "";
      stdin.setEncoding("utf8");
      for await (const chunk of stdin) text += String(chunk);
      return text;
    },
    readLines: async function* readLines(signal) {
      const { createInterface } = await import("node:readline");
      const stopped = signal === undefined ? {} : { signal };
      yield* createInterface({ input: stdin, crlfDelay: Infinity, ...stopped });
    },
    openLines: async () => (await import("./prompt/lines.ts")).openLines(stdin, stderr),
    now: () => performance.now(),
    every: (milliseconds, act) => {
      const timer = setInterval(act, milliseconds);
      timer.unref();
      return () => clearInterval(timer);
    },
    env,
    cwd: process.cwd(),
  };
}

/** Not an import: importing `node:util` evaluates all of it, a fifth of the time `haft --help` takes. */
function styled(style: Style, text: string): string {
  const { styleText } = process.getBuiltinModule("node:util");
  return styleText(style, text, { validateStream: false });
}

/** Whether text for this stream may have colors. */
export function hasColours(
  stream: { readonly isTTY: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}

/**
 * Wraps a terminal so that control characters in printed text become visible: file names, rules of a project and output
 * of programs are not trusted. Results for a pipe stay unchanged, and so does `raw`.
 */
export function guardedTerminal(terminal: Terminal): Terminal {
  return {
    ...terminal,
    out(text) {
      terminal.out(terminal.isOutputShown ? readable(text, terminal, "out") : text);
    },
    err(text) {
      terminal.err(readable(text, terminal, "err"));
    },
  };
}

/**
 * Escape sequences of `style`. They stay unchanged wherever they come from, because a color hides and moves nothing.
 */
const ownStyles = new RegExp(String.raw`(\u001B\[(?:1|2|22|3[1236]|39)m)`, "u");

function readable(text: string, terminal: Terminal, stream: "out" | "err"): string {
  const isStyled = terminal.style("dim", "", stream) !== "";
  if (!isStyled) return visibleText(text);
  return text
    .split(ownStyles)
    .map((part, at) => (at % 2 === 1 ? part : visibleText(part)))
    .join("");
}
