import type { Model, ModelEvent, ModelRequest } from "../../src/agent/models/model.ts";
import type { Message } from "../../src/session/index.ts";
import { done, model, says } from "./fake-run.ts";
import { fakeToolkit, type FakeToolkit } from "./fake-toolkit.ts";

/** A model that reads `count` files, one in each turn, and then ends. */
export function reader(count: number): Model & { readonly requests: ModelRequest[] } {
  const reads = Array.from(
    { length: count },
    (_, n) => () =>
      says(
        { type: "text", text: `Reading ${n}.` },
        { type: "tool-call", id: `r${n}`, name: "Read", input: `{"file_path":"f${n}.txt"}` },
        { type: "finish", reason: "tool-calls" },
      ),
  );
  return model(...reads, () => says(...done));
}

/** A Read tool whose results are this long. */
export function files(chars: number): FakeToolkit {
  let reads = 0;
  return fakeToolkit({
    Read: {
      run: () => {
        const path = `/f${(reads += 1)}.txt`;
        return {
          content: [{ type: "text", text: `start ${"x".repeat(chars)} end` }],
          effects: [{ kind: "read", path, scope: "file" }],
        };
      },
    },
  });
}

/** A model that answers each request with this text. */
export function summarizer(text = "The summary."): Model & { readonly requests: ModelRequest[] } {
  const answer = (): AsyncIterable<ModelEvent> =>
    says({ type: "text", text }, { type: "finish", reason: "stop" });
  return { ...model(...Array.from({ length: 20 }, () => answer)), id: "small:model" };
}

/** Everything that messages say. */
export const textOf = (messages: readonly Message[] = []): string => JSON.stringify(messages);
