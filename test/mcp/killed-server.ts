// A server that is killed: `killed-server.ts FOLDER stdio|http`. Its agents work without an end. Over HTTP it prints its
// address as JSON.
import path from "node:path";
import type { Model } from "../../src/agent/index.ts";
import { kitTasks, serveMcpHttp } from "../../src/entries/http.ts";
import { serveStdio } from "../../src/entries/mcp.ts";
import { createToolkit } from "../../src/index.ts";

const [folder = "", transport = ""] = process.argv.slice(2);

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
