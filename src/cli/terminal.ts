import { styleText } from "node:util";

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Where a verb prints. Results go to `out`, everything about them to `err`, so that a pipe gets only results. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** The text in a style where standard error shows colours, else as it is. */
  style(style: Style, text: string): string;
  /** A person reads standard error. */
  readonly isInteractive: boolean;
  /** A person can answer on standard input. */
  readonly canAsk: boolean;
  readStdin(): Promise<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The terminal of this process. Colours obey NO_COLOR and FORCE_COLOR and end where a pipe begins. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const hasColours =
    env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0"
      ? true
      : stderr.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    style: (style, text) => (hasColours ? styleText(style, text, { validateStream: false }) : text),
    isInteractive: stderr.isTTY,
    canAsk: stdin.isTTY && stderr.isTTY,
    readStdin: async () => {
      let text = "";
      stdin.setEncoding("utf8");
      for await (const chunk of stdin) text += String(chunk);
      return text;
    },
    env,
    cwd: process.cwd(),
  };
}
