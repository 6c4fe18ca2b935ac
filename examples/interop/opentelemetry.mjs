import * as otel from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createToolkit } from "haft";
import { scriptedModel } from "haft/agent";
import { instrumentKit } from "haft/telemetry";

// Your program has an exporter of its own, set up as for any other library.
const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
otel.trace.setGlobalTracerProvider(provider);

const model = scriptedModel({
  format: 1,
  name: "note",
  turns: [
    { calls: [{ name: "Write", input: { file_path: "NOTES.md", content: "today\n" } }] },
    { text: "Noted." },
  ],
});
const kit = await createToolkit({ workspace: process.argv[2] ?? ".", mode: "acceptEdits", model });
const stop = instrumentKit(kit, otel);

await kit.run({ task: "Note the date." }).result;

stop();
for (const { name, attributes } of exporter.getFinishedSpans()) {
  console.log(name, attributes["haft.decision"] ?? "");
}
await kit.dispose();
