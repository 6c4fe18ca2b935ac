import { expect, test } from "vitest";
import { boundedFetch } from "./bounded-fetch.ts";

const open = "[".repeat(150);
const close = "]".repeat(150);

test.each([
  ["one event after another", `data: ${open}${close}\n\ndata: ${open}${close}\n\n`, undefined],
  ["one message on two lines", `data: ${open}${close}\ndata: ${open}${close}\n\n`, undefined],
  ["a deep message", `data: ${open}${open}\n\n`, "sent a message of more than 200 levels"],
  [
    "brackets in another field before a deep message",
    `id: ${close}${close}\ndata: ${open}${open}\n\n`,
    "sent a message of more than 200 levels",
  ],
  [
    "a comment amid a deep message",
    `data: ${open}\n:${close}\ndata: ${open}\n\n`,
    "sent a message of more than 200 levels",
  ],
])("the depth of %s is that of its data", async (_name, events, expected) => {
  const headers = { "content-type": "text/event-stream" };
  const violations: string[] = [];
  const send = boundedFetch(
    async () => new Response(events, { headers }),
    new Set(["https://example.com"]),
    (why) => violations.push(why),
  );

  const text = await (await send("https://example.com/mcp")).text().catch(() => undefined);

  expect(violations[0]).toBe(expected);
  expect(text).toBe(expected === undefined ? events : undefined);
});
