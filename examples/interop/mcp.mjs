import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { createToolkit } from "haft";
import { toMcpServer } from "haft/interop";

const kit = await createToolkit({ workspace: process.argv[2] ?? ".", mode: "acceptEdits" });
const server = toMcpServer(kit, { name: "haft", version: "1.0.0" });

const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
await server.connect(serverEnd);
const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(clientEnd);

const { tools } = await client.listTools();
console.log(tools.some(({ name }) => name === "Write"));
const input = { file_path: "NOTES.md", content: "today\n" };
const { isError } = await client.callTool({ name: "Write", arguments: input });
console.log(`Write: ${isError ? "failed" : "ok"}`);

await client.close();
await server.close();
await kit.dispose();
