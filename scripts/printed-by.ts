import type { ChildProcess } from "node:child_process";

/** Output of a program on both streams, and the code with which it exits. */
export interface Printed {
  readonly code: number | null;
  readonly text: string;
}

/** Waits for a program whose streams are pipes, and returns what it printed. */
export async function printedBy(child: ChildProcess): Promise<Printed> {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  }
  return await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, text }));
  });
}
