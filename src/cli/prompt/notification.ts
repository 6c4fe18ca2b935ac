import type { UserNotification } from "../../index.ts";
import { visibleText } from "../print/visible-text.ts";
import type { Terminal } from "../terminal.ts";

/**
 * Shows a notification by the sequences that terminals understand, also over ssh: OSC 9, OSC 777 and the bell. A terminal
 * ignores those that it does not know.
 */
export function notifyTerminal(terminal: Terminal, { title, body }: UserNotification): void {
  // A separator, or the end of a sequence, within the text would let it say something else to the terminal.
  const [head, rest] = [title, body].map((text) => plain(text));
  const whole = rest === "" ? head : `${head}: ${rest}`;
  terminal.raw(`\u001B]9;${whole}\u0007\u001B]777;notify;${head};${rest}\u0007\u0007`, "err");
}

function plain(text: string): string {
  return visibleText(text)
    .replaceAll(/[\p{Cc};]+/gu, " ")
    .trim();
}
