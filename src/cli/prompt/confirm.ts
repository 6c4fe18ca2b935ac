import { PersonLeft } from "./lines.ts";
import type { Terminal } from "../terminal.ts";

/** Whether a person says yes to a question; who leaves has not. */
export async function confirmed(question: string, terminal: Terminal): Promise<boolean> {
  const lines = await terminal.openLines();
  try {
    return /^y(?:es)?$/iu.test((await lines.question(`${question} [y/N] `)).trim());
  } catch (error) {
    if (error instanceof PersonLeft) return false;
    throw error;
  } finally {
    lines.close();
  }
}
