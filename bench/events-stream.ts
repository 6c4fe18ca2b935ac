// Events over HTTP: 100,000 events in the log of a data directory to a reader whose connection breaks 50 times, and to one
// that does not read: `node bench/events-stream.ts [--events n]`. Fails if one is lost or comes twice.
import { request, type IncomingMessage } from "node:http";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { createToolkit } from "../src/index.ts";
import { openKitEvents, serveHttp } from "../src/entries/http.ts";

const at = process.argv.indexOf("--events");
const count = at === -1 ? 100_000 : Number(process.argv[at + 1]);
const breaks = 50;
await mkdir(".cache", { recursive: true });
const directory = await mkdtemp(path.resolve(".cache", "events-"));
const kit = await createToolkit({
  workspace: import.meta.dirname,
  dataDirectory: directory,
  eventLog: "none",
});
const events = await openKitEvents(directory);
kit.events.subscribe((event) => events.append(event));
const server = await serveHttp(kit, { name: "bench", version: "1.0.0", events });

const seen = new Set<string>();
let position = "0";
const start = performance.now();
const emitting = emitAll();
for (let part = 1; part <= breaks + 1; part += 1)
  await readUntil(Math.floor((count * part) / (breaks + 1)));
await emitting;
const seconds = (performance.now() - start) / 1000;
process.stdout.write(
  `${count} events, ${breaks} reconnects: ${Math.round(count / seconds)} a second, ${seen.size} received once\n`,
);
if (seen.size !== count) throw new Error(`${count - seen.size} events were lost.`);

globalThis.gc?.();
const before = process.memoryUsage().rss;
const stalled = await Promise.all(Array.from({ length: 4 }, async () => await openStream("0")));
let peak = before;
for (let round = 0; round < 40; round += 1) {
  await new Promise((resolve) => setTimeout(resolve, 25));
  peak = Math.max(peak, process.memoryUsage().rss);
}
for (const { end } of stalled) end();
process.stdout.write(
  `4 readers that do not read: ${((peak - before) / 4 / 1e6).toFixed(1)} MB each at most\n`,
);
await server.close();
await kit.dispose();
await events.close();
await rm(directory, { recursive: true, force: true });

/** Emits in batches, as calls would, while the reader reads. */
async function emitAll(): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    kit.events.emit({ type: "call-progress", callId: `e${index}`, update: { message: "a step" } });
    if (index % 1000 === 999) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function readUntil(wanted: number): Promise<void> {
  if (seen.size >= wanted) return;
  const { answer, end } = await openStream(position);
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) {
    text += String(chunk);
    const last = text.lastIndexOf("\n\n");
    if (last === -1) continue;
    for (const frame of text.slice(0, last).split("\n\n")) {
      const callId = /"callId":"(e\d+)"/u.exec(frame)?.[1];
      if (callId === undefined) continue;
      if (seen.has(callId)) throw new Error(`${callId} came twice.`);
      seen.add(callId);
      position = /^id: (.*)$/mu.exec(frame)?.[1] ?? position;
      if (seen.size === wanted) break;
    }
    text = text.slice(last + 2);
    if (seen.size >= wanted) break;
  }
  end();
}

async function openStream(after: string): Promise<{ answer: IncomingMessage; end: () => void }> {
  const headers = { authorization: `Bearer ${server.token}`, "last-event-id": after };
  const sent = request(`${server.url}/events`, { headers, agent: false });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on("response", resolve);
    sent.on("error", reject);
    sent.end();
  });
  return { answer, end: () => sent.destroy() };
}
