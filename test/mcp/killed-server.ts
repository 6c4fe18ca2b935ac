// A server that is killed: `killed-server.ts FOLDER stdio|http [before-record|after-record]`. Its agents work without an
// end. Over HTTP it prints its address as JSON. At a named point it stops, and writes the pid of the command to FOLDER.
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Model } from "../../src/agent/index.ts";
import { kitTasks, serveMcpHttp } from "../../src/entries/http.ts";
import { serveStdio } from "../../src/entries/mcp.ts";
import { localHost } from "../../src/host/index.ts";
import { createToolkit } from "../../src/index.ts";

const [folder = "", transport = "", stopsAt = ""] = process.argv.slice(2);

const host = await localHost();
const isRecord = /\/data\/tasks\/task-\w+\.json$/u;

/** Notes which command runs, and never returns. */
async function stop(): Promise<never> {
  const [command] = await host.proc.list();
  writeFileSync(path.join(folder, "stopped"), String(command?.pid));
  return await new Promise(() => undefined);
}

if (stopsAt !== "") {
  const { fs } = host;
  const writeAtomic = fs.writeAtomic.bind(fs);
  fs.writeAtomic = async (...given) => {
    const isStopped = isRecord.test(given[0]);
    if (isStopped && stopsAt === "before-record") return await stop();
    const written = await writeAtomic(...given);
    return isStopped ? await stop() : written;
  };
}

const model: Model = {
  id: "fake:endless",
  // oxlint-disable-next-line require-yield -- it never says anything
  async *stream({ signal }) {
    await new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      // Nothing else keeps the process alive until its input ends.
      setInterval(() => undefined, 1000).unref();
    });
  },
};
const kit = await createToolkit({
  host,
  model,
  workspace: path.join(folder, "work"),
  dataDirectory: path.join(folder, "data"),
  mode: "bypassPermissions",
  sandbox: { require: "off", overlay: "off" },
});
const options = { name: "killed", version: "1.0.0", tasks: kitTasks(async () => kit) };
if (transport === "http") {
  const { url, token, closed } = await serveMcpHttp(kit, options);
  process.stdout.write(`${JSON.stringify({ url, token })}\n`);
  await closed;
} else await serveStdio(kit, options);
await kit.dispose();
await host[Symbol.asyncDispose]();
