// A language server for tests. Every line with the word BAD is an error that names the whole line.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [, , mode] = process.argv;
const texts = new Map();
let buffer = Buffer.alloc(0);
let renames = 0;

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
}

function problems(text) {
  return text.split("\n").flatMap((line, index) =>
    line.includes("BAD")
      ? {
          range: { start: { line: index, character: 0 }, end: { line: index, character: 1 } },
          severity: 1,
          code: "E1",
          message: `bad: ${line.trim()}`,
        }
      : [],
  );
}

/** The results of writes to the paths of the mode. */
function attempts() {
  return mode
    .slice("writes:".length)
    .split(",")
    .map((path) => {
      try {
        appendFileSync(path, "x");
        return "written";
      } catch ({ code }) {
        return code;
      }
    })
    .join(" ");
}

function publish(uri, { version, text }) {
  send({
    method: "textDocument/publishDiagnostics",
    params: { uri, ...(version === undefined ? {} : { version }), diagnostics: problems(text) },
  });
}

function flood() {
  const params = { type: 3, message: "x".repeat(100_000) };
  const message = { jsonrpc: "2.0", method: "window/logMessage", params };
  const body = JSON.stringify(message);
  const pour = () =>
    process.stdout.write(`Content-Length: ${body.length}\r\n\r\n${body}`, () => setImmediate(pour));
  pour();
}

function onText(uri, document) {
  const before = texts.get(uri);
  texts.set(uri, document);
  switch (mode) {
    case "push":
      return publish(uri, document);
    case "unversioned":
      return publish(uri, { text: document.text });
    case "stale":
      // The old text, under the version of the old text and under none.
      if (before === undefined) return publish(uri, document);
      publish(uri, before);
      return publish(uri, { text: before.text });
    case "dies":
      return process.exit(7);
    case "flood":
      return flood();
    case "huge":
      return process.stdout.write("Content-Length: 100000000\r\n\r\n");
    case "noise":
      return process.stdout.write(`${"no header at all ".repeat(1000)}\n`);
    case "no-json":
      return process.stdout.write("Content-Length: 4\r\n\r\n{{{{");
    default:
  }
}

function handle({ id, method, params, result }) {
  if (result !== undefined) return;
  switch (method) {
    case "initialize":
      if (mode === "mute") return;
      if (mode === "child") spawn("sleep", ["1000"], { stdio: "ignore" });
      if (mode === "wrong-id") send({ id: 999, result: { capabilities: {} } });
      send({ id: "nobody asked", result: [] });
      send({ id: 77, method: "no/such/request" });
      return send({
        id,
        result: {
          capabilities: ["push", "stale", "unversioned"].includes(mode)
            ? {}
            : { diagnosticProvider: {}, renameProvider: true },
        },
      });
    case "textDocument/didOpen": {
      const { uri, version, text } = params.textDocument;
      return onText(uri, { version, text });
    }
    case "textDocument/didChange": {
      const { uri, version } = params.textDocument;
      return onText(uri, { version, text: params.contentChanges[0].text });
    }
    case "textDocument/didClose":
      return texts.delete(params.textDocument.uri);
    case "textDocument/diagnostic": {
      if (mode === "silent" || mode === "flood") return;
      if (mode === "refuses") return send({ id, error: { code: 1, message: "I will not" } });
      const { text } = texts.get(params.textDocument.uri) ?? { text: "" };
      const isTried = mode.startsWith("writes:") && text.includes("BAD");
      const items = problems(isTried ? `BAD ${attempts()}` : text);
      if (mode === "wrong-id") return send({ id: id + 1000, result: { kind: "full", items } });
      return send({ id, result: { kind: "full", items } });
    }
    case "textDocument/definition":
      return send({
        id,
        result: [{ uri: params.textDocument.uri, range: { start: { line: 0, character: 6 } } }],
      });
    case "textDocument/hover":
      return send({ id, result: { contents: { kind: "plaintext", value: "const one: 1" } } });
    case "textDocument/documentSymbol":
      return send({
        id,
        result: [{ name: "one", kind: 13, selectionRange: { start: { line: 0, character: 6 } } }],
      });
    case "textDocument/rename": {
      const { uri } = params.textDocument;
      const other = mode.startsWith("outside:") ? mode.slice(8) : undefined;
      const changes = {};
      for (const each of [uri, ...(other === undefined ? [] : [`file://${other}`])]) {
        changes[each] = [
          {
            range: { start: { line: 0, character: 6 }, end: { line: 0, character: 9 } },
            newText: mode === "fickle" ? `${params.newName}${++renames}` : params.newName,
          },
        ];
      }
      return send({ id, result: { changes } });
    }
    case "shutdown":
      return mode === "mute" ? undefined : send({ id, result: null });
    case "exit":
      return mode === "child" ? undefined : process.exit(0);
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: "unknown" } });
  }
}

process.stdin.on("data", (bytes) => {
  buffer = Buffer.concat([buffer, bytes]);
  for (;;) {
    const end = buffer.indexOf("\r\n\r\n");
    if (end === -1) return;
    const length = Number(/content-length: *(\d+)/iu.exec(buffer.subarray(0, end).toString())?.[1]);
    if (buffer.length < end + 4 + length) return;
    const body = buffer.subarray(end + 4, end + 4 + length).toString();
    buffer = buffer.subarray(end + 4 + length);
    handle(JSON.parse(body));
  }
});
if (mode !== "child") process.stdin.on("end", () => process.exit(0));
