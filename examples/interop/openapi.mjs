import { createServer } from "node:http";
import { createToolkit } from "haft";
import { fromOpenAPI } from "haft/interop";

// A server for this program; yours is elsewhere.
const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ got: `${request.method} ${request.url}` }));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();

const document = `
openapi: 3.1.0
paths:
  /notes/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer } }
    get: { operationId: readNote, summary: Read a note. }
    delete: { operationId: deleteNote, summary: Delete a note. }
`;
const { tools, skipped } = await fromOpenAPI(document, {
  baseUrl: `http://127.0.0.1:${port}`,
  headers: { authorization: "Bearer key-of-the-user" },
});
console.log(`${tools.length} tools, ${skipped.length} skipped`);

const kit = await createToolkit({
  tools: { extra: tools },
  rules: { allow: [`WebFetch(domain:127.0.0.1:${port})`] },
});
const calls = ["readNote", "deleteNote"].map((name) => ({ name, input: { id: 7 } }));
for (const { tool, status, text } of await kit.callAll(calls)) {
  console.log(`${tool}: ${status}${status === "ok" ? `, ${text.split("\n")[0]}` : ""}`);
}
await kit.dispose();
server.close();
