/** A process that holds one subject and runs rows on request: `driver.ts <subject> <size>`. */
import { readFileSync } from "node:fs";
import { makeWorld, type CorpusSize } from "./corpus.ts";
import { rows } from "./rows.ts";
import { openSubject } from "./subjects.ts";

export type Measured =
  | { readonly kind: "done"; readonly ms: number; readonly bytes: number; readonly peakMb: number }
  | { readonly kind: "missing" }
  | { readonly kind: "wrong"; readonly because: string };

const [name = "", size = "medium"] = process.argv.slice(2);
const world = await makeWorld(size as CorpusSize);
const subject = await openSubject(name, world.project);

process.on("message", (message: { readonly row: number }) => {
  void measure(message.row).then((measured) => process.send?.(measured));
});
process.on("disconnect", () => {
  void subject.close().finally(() => process.exit(0));
});
process.send?.({ kind: "ready" });

async function measure(index: number): Promise<Measured> {
  const row = rows[index];
  if (row === undefined) throw new TypeError(`There is no row ${index}.`);
  try {
    const started = performance.now();
    let answers: readonly string[] = [];
    for (let call = 0; call < row.calls; call += 1) {
      const running = row.run(subject, world);
      if (running === undefined) return { kind: "missing" };
      answers = await running;
    }
    const ms = (performance.now() - started) / row.calls;
    const because = await row.wrong(answers, world);
    if (because !== undefined) {
      return { kind: "wrong", because: `${because}: ${(answers[0] ?? "").slice(0, 120)}` };
    }
    const bytes = answers.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    return { kind: "done", ms, bytes, peakMb: peakMb(subject.pid ?? process.pid) };
  } catch (error) {
    return { kind: "wrong", because: error instanceof Error ? error.message : String(error) };
  }
}

/** The most a process ever had resident. */
function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/u.exec(status)?.[1] ?? 0) / 1024;
}
