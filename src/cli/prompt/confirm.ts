import { UserLeft } from "./lines.ts";
import type { Terminal } from "../terminal.ts";

/** Asks the user a yes-or-no question; leaving it counts as no. */
export async function confirmed(question: string, terminal: Terminal): Promise<boolean> {
  const lines = await terminal.openLines();
  try {
    return /^y(?:es)?$/iu.test((await lines.question(`${question} [y/N] `)).trim());
  } catch (error) {
    if (error instanceof UserLeft) return false;
    throw error;
  } finally {
    lines.close();
  }
}
