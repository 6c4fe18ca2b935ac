/** A process that holds one subject and runs rows on request: `driver.ts <subject> <size>`. */
import { readFileSync, realpathSync, rmSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { makeWorld, type CorpusSize, type World } from "./corpus.ts";
import { rows } from "./rows.ts";
import { openSubject } from "./subjects.ts";

export type Measured =
  | { readonly kind: "done"; readonly ms: number; readonly bytes: number; readonly peakMb: number }
  | { readonly kind: "missing" }
  | { readonly kind: "wrong"; readonly because: string };

/** A slow subject makes fewer calls in a round. */
const mostMs = 2000;

const [name = "", size = "medium"] = process.argv.slice(2);
const world = await ownFiles(await makeWorld(size as CorpusSize), name);
const subject = await openSubject(name, world.project);

process.on("message", (message: { readonly row: number }) => {
  void measure(message.row).then((measured) => process.send?.(measured));
});
process.on("disconnect", () => {
  void subject.close().finally(() => process.exit(0));
});
process.send?.({ kind: "ready" });

/** Files that are changed belong to one subject: some refuse what others changed meanwhile. */
async function ownFiles(shared: World, owner: string): Promise<World> {
  const folder = path.join(realpathSync(".cache"), "corpus-own", `${owner}-${process.pid}`);
  await mkdir(folder, { recursive: true });
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const own = { small: path.join(folder, "small.ts"), large: path.join(folder, "large.ts") };
  await copyFile(shared.small, own.small);
  await copyFile(shared.large, own.large);
  return { ...shared, ...own };
}

async function measure(index: number): Promise<Measured> {
  const row = rows[index];
  if (row === undefined) throw new TypeError(`There is no row ${index}.`);
  try {
    await row.prepare?.(subject, world);
    const started = performance.now();
    let answers: readonly string[] = [];
    let calls = 0;
    while (calls < row.calls && performance.now() - started < mostMs) {
      const running = row.run(subject, world);
      if (running === undefined) return { kind: "missing" };
      answers = await running;
      calls += 1;
    }
    const ms = (performance.now() - started) / calls;
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
