import { redact, RedactedStream } from "../../redact/index.ts";
import { fromNextLine, quietly } from "../../text/index.ts";
import type { StateOf } from "../step.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { eventSource } from "../event-source.ts";

/** Maximum characters of streamed output buffered for the answer of a call that never finished. */
const streamedLimit = 32_768;
/** Maximum characters of one call's output that are emitted as events; `onOutput` still gets the latest output. */
const watchedChars = 1_000_000;
const floodChars = 4096;

/** Output of one running call: its end is stored for the answer, and listeners get it as it arrives. */
export class StreamedOutput {
  readonly #state: StateOf<"streamed" | "isStreamedCut">;
  readonly #environment: PipelineEnvironment;
  #written = 0;
  #live: Map<"stdout" | "stderr", RedactedStream> | undefined;

  constructor(state: StateOf<"streamed" | "isStreamedCut">, environment: PipelineEnvironment) {
    this.#state = state;
    this.#environment = environment;
  }

  write(text: string, stream: "stdout" | "stderr"): void {
    const { options } = this.#state;
    this.#written += text.length;
    const kept = this.#state.streamed + text;
    this.#state.streamed = kept.length > streamedLimit ? kept.slice(-streamedLimit) : kept;
    this.#state.isStreamedCut ||= kept.length > streamedLimit;
    // Listeners do not need all of a flood: from here on they get only its latest lines.
    if (this.#written <= watchedChars) {
      this.#show(this.#hidden(text, stream), stream);
      return;
    }
    this.end();
    if (options.onOutput === undefined) return;
    const latest = fromNextLine(text.slice(-floodChars));
    quietly(options.onOutput, this.#environment.redactSecrets ? redact(latest) : latest, stream);
  }

  /**
   * Redacts streamed output. Listeners see it before the answer is bounded, so secrets are redacted here too, including
   * those split across chunks.
   */
  #hidden(text: string, stream: "stdout" | "stderr"): string {
    if (!this.#environment.redactSecrets) return text;
    const all = (this.#live ??= new Map());
    const live = all.get(stream) ?? new RedactedStream();
    all.set(stream, live);
    return live.push(text);
  }

  /** Emits the output that redaction was still buffering. */
  end(): void {
    if (this.#live === undefined) return;
    for (const [stream, live] of this.#live) this.#show(live.end(), stream);
    this.#live.clear();
  }

  #show(text: string, stream: "stdout" | "stderr"): void {
    if (text === "") return;
    const { id, options } = this.#state;
    quietly(options.onOutput, text, stream);
    this.#environment.emit({
      type: "call-output",
      callId: id,
      text,
      stream,
      ...eventSource(options),
    });
  }
}
