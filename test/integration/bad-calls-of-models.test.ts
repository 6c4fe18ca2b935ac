import { expect, test } from "vitest";
import type { Model, ModelEvent } from "../../src/agent/index.ts";
import type { Outcome } from "../../src/core/index.ts";
import { saying, storedKits } from "../support/stored-kits.ts";
import { complaint } from "./complaint.ts";

const { open } = storedKits("bad-calls");

interface BadCall {
  readonly is: string;
  readonly name?: string;
  readonly input: string;
  readonly codes: readonly string[];
}

const tenMegabytes = "x".repeat(10_000_000);

const bad: readonly BadCall[] = [
  { is: "invalid JSON", input: "{not json", codes: ["INVALID_JSON"] },
  { is: "JSON that is not an object", input: '"text"', codes: ["INVALID_INPUT"] },
  { is: "nothing", input: "", codes: ["INVALID_INPUT"] },
  { is: "null", input: "null", codes: ["INVALID_INPUT"] },
  {
    is: "10 MB of a path",
    input: JSON.stringify({ file_path: tenMegabytes }),
    codes: ["APPROVAL_REQUIRED"],
  },
  {
    is: "10 MB of an unknown field",
    input: JSON.stringify({ [tenMegabytes]: 1 }),
    codes: ["INVALID_INPUT"],
  },
  {
    is: "10 MB of brackets",
    input: "[".repeat(10_000_000),
    codes: ["INVALID_JSON"],
  },
  { is: "a call without a name", name: "", input: "{}", codes: ["UNKNOWN_TOOL"] },
  {
    is: "a call with a name of 1 MB",
    name: "N".repeat(1_000_000),
    input: "{}",
    codes: ["UNKNOWN_TOOL"],
  },
];

test.each(bad)(
  "$is gets a code, a sentence and a hint, and the session continues",
  async (call) => {
    const outcomes: Outcome[] = [];
    const kit = await open({
      onEvent: (event) => {
        if (event.type === "call-end") outcomes.push(event.outcome);
      },
    });
    let answer = 0;
    const model: Model = {
      id: "fake:m",
      async *stream() {
        answer += 1;
        const { name = "Read", input } = call;
        const sent: readonly ModelEvent[] =
          answer === 1
            ? [
                { type: "tool-call", id: "", name, input },
                { type: "finish", reason: "tool-calls" },
              ]
            : [
                { type: "text", text: "Done." },
                { type: "finish", reason: "stop" },
              ];
        yield* sent;
      },
    };

    const run = kit.run({ task: "go", model });

    expect(await run.result).toMatchObject({ status: "done", calls: 1 });
    expect(complaint(outcomes[0], call.codes)).toBeUndefined();
    expect(outcomes[0]?.text.length).toBeLessThan(4000);
    const later = kit.run({
      sessionId: run.sessionId,
      task: "go on",
      model: saying("Here.").model,
    });
    expect(await later.result).toMatchObject({ status: "done", text: "Here." });
    await kit.dispose();
  },
);
