// One of several processes that use the same login: connects, waits for its turn, calls a tool of a server and prints the result.
import { once } from "node:events";
import { createToolkit } from "../../../src/index.ts";

const [workspace = "", dataDirectory = "", url = ""] = process.argv.slice(2);
const kit = await createToolkit({
  workspace,
  dataDirectory,
  sessions: "none",
  sandbox: { require: "off" },
  settings: { mcpServers: { s: { url } } },
  rules: { allow: ["mcp__s"] },
});
await kit.mcp.check("s");
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdin.destroy();
const outcome = await kit.call({ name: "mcp__s__t", input: {} });
process.stdout.write(`${JSON.stringify({ status: outcome.status, text: outcome.text })}\n`);
await kit.dispose();
