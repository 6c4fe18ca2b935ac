import { expect, test } from "vitest";
import { textOf } from "../../../../test/fakes/compacted-runs.ts";
import type { Message } from "../../../session/index.ts";
import { shortenResults, startOfLatest } from "./shorten-results.ts";

function pictureTurn(id: string): readonly Message[] {
  return [
    { role: "assistant", content: [{ type: "tool-call", id, name: "T", input: "{}" }] },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          callId: id,
          name: "T",
          content: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
          isError: false,
        },
      ],
    },
  ];
}

test("the latest turns start at an answer of the model", () => {
  const user: Message = { role: "user", content: [{ type: "text", text: "go" }] };
  const messages = [user, ...pictureTurn("a"), ...pictureTurn("b")];

  expect([0, 1, 2, 3].map((turns) => startOfLatest(messages, turns))).toEqual([5, 3, 1, 0]);
  const shortened = shortenResults(messages, 1);
  expect(textOf(shortened.slice(0, 3))).not.toContain("AAAA");
  expect(shortened.slice(3)).toEqual(messages.slice(3));
});
