import { expect, test } from "vitest";
import type { HaftEvent } from "../core/index.ts";
import { simpleTool, testKit } from "../../test/support/kit.ts";
import { RecentMap } from "../text/collections/lru-map.ts";

test("events carry no secret that a call was sent with, to listeners and to a log", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const heard: HaftEvent[] = [];
  const logged: HaftEvent[] = [];
  let got: unknown;
  const tool = simpleTool(
    "Send",
    (input, { progress }) => {
      got = input;
      progress({ message: `with ${token}` });
      return { content: "sent" };
    },
    { touches: ["unknown"], suggestRule: () => `Send(${token})` },
  );
  const { kit } = await testKit({
    tools: { extra: [tool] },
    onEvent: (event) => heard.push(event),
    eventLog: { append: (event) => logged.push(event) },
    onAsk: async ({ input }) => {
      expect(JSON.stringify(input)).toContain(token);
      return { kind: "save", rule: "Send", scope: "session" };
    },
  });

  await kit.call({ name: "Send", input: { deep: [{ token }] } });
  await kit.call({ name: "Send", input: `{"token": "${token}"}` });

  expect(got).toEqual({ token });
  const types = new Set(heard.map(({ type }) => type));
  for (const type of ["call-start", "call-decided", "permission-ask", "call-progress"] as const) {
    expect(types).toContain(type);
  }
  for (const events of [heard, logged]) {
    expect(JSON.stringify(events)).toContain("[redacted: GitHub token]");
    expect(JSON.stringify(events)).not.toContain(token);
  }
});

test("an input that is not JSON is replaced in the event", async () => {
  const heard: HaftEvent[] = [];
  const tool = simpleTool("Take", () => ({ content: "" }));
  const { kit } = await testKit({
    tools: { extra: [tool] },
    onEvent: (event) => heard.push(event),
  });
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;

  await kit.call({ name: "Take", input: circle });

  expect(heard.find(({ type }) => type === "call-start")).toMatchObject({
    call: { name: "Take", input: "(no JSON)" },
  });
});

test("what was not looked at for longest is forgotten, and told", () => {
  const forgotten: (string | undefined)[] = [];
  const map = new RecentMap<string | undefined, number>(2, (key) => forgotten.push(key));

  map.set(undefined, 1).set("b", 2);
  expect(map.get(undefined)).toBe(1);
  map.set("c", 3).set("c", 4);

  expect([...map.keys()]).toEqual([undefined, "c"]);
  expect(map.set("d", 5).get("b")).toBeUndefined();
  expect(forgotten).toEqual(["b", undefined]);
  expect(map.get("c")).toBe(4);
  map.delete("c");
  expect(map.get("c")).toBeUndefined();
  map.set(undefined, 6).clear();
  expect(map.get(undefined)).toBeUndefined();
});
