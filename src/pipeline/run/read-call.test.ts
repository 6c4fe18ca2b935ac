import { expect, test } from "vitest";
import { readCall } from "./read-call.ts";

test.each([
  { messageId: "m".repeat(20_000), kept: "m".repeat(10_000) },
  { messageId: "m1", kept: "m1" },
])("a message id is kept up to the length of ids", ({ messageId, kept }) => {
  expect(readCall({ name: "Read", messageId }).call.messageId).toBe(kept);
});
