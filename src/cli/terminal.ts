import type { Lines } from "./prompt/lines.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Where a verb prints. Results go to `out`, everything about them to `err`, so that a pipe gets only results. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Prints what may move the cursor: what a person's own program prints, or a line that is drawn again. */
  raw(text: string, stream: "out" | "err"): void;
  /** The text in a style where that stream shows colours, else as it is. Default: standard error. */
  style(style: Style, text: string, stream?: "out" | "err"): string;
  /** A person reads standard error. */
  readonly isInteractive: boolean;
  /** Standard output goes to a person as well, so that what was said on one stream need not be said on the other. */
  readonly isOutputRead: boolean;
  /** Standard output is a screen. */
  readonly isOutputShown: boolean;
  /** One of the three streams is a terminal, which may be closed. */
  readonly isAttached: boolean;
  /** A person can answer on standard input. */
  readonly canAsk: boolean;
  readonly columns: number;
  readStdin(): Promise<string>;
  /** The lines of standard input, each as soon as it has come, without its end. */
  readLines(): AsyncIterable<string>;
  openLines(): Promise<Lines>;
  /** Milliseconds from some moment on. */
  now(): number;
  /** Acts again and again until the returned function is called; keeps no process alive. */
  every(milliseconds: number, act: () => void): () => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The terminal of this process. Colours obey NO_COLOR and FORCE_COLOR and end where a pipe begins. */
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
    readLines: async function* readLines() {
      const { createInterface } = await import("node:readline");
      yield* createInterface({ input: stdin, crlfDelay: Infinity });
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

/** Whether text for this stream may carry colours. */
export function hasColours(
  stream: { readonly isTTY: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
