// Servers that ruin a call: the session survives each of them, and says what happened.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { leaveNothing } from "../../support/leftovers.ts";
import { callServer, rules, tool } from "./hostile-server.ts";
import { serverEntry, serverWorld } from "./server-world.ts";
import { areLawsFull } from "../../support/law-runs.ts";

leaveNothing();

const faults = [
  { act: "exit", code: "UNAVAILABLE", says: "ended with code 7 during the call" },
  { act: "kill", code: "UNAVAILABLE", says: "was killed by SIGKILL during the call" },
  { act: "error", code: "TOOL_FAILED", says: "it broke" },
  { act: "badError", code: "TOOL_FAILED", says: "an answer that is not valid" },
  { act: "noResult", code: "TOOL_FAILED", says: "an answer that is not valid" },
  { act: "textResult", code: "TOOL_FAILED", says: "an answer that is not valid" },
  { act: "huge", code: "UNAVAILABLE", says: "sent a message of more than 8388608 bytes" },
  { act: "endless", code: "UNAVAILABLE", says: "sent a message of more than 8388608 bytes" },
  { act: "deep", code: "UNAVAILABLE", says: "sent a message of more than 200 levels" },
  { act: "flood", code: "UNAVAILABLE", says: "sent far more than it was asked for" },
];

describe("a call that a server ruins", () => {
  test.each(faults)("$act: $code, $says", async ({ act, code, says }) => {
    const { outcome, records } = await callServer({ acts: { t: act } });

    expect(outcome).toMatchObject({ status: "failed", error: { code } });
    expect(outcome.text).toContain(says);
    expect(outcome.error?.hint).not.toBe("");
    // A call is never repeated by itself: what it did before is not known.
    expect(records.filter((line) => line === "call t")).toHaveLength(1);
  });

  test("it ends when nothing has come for the configured time", async () => {
    const { outcome } = await callServer({ acts: { t: "never" } }, { timeout: 700 });

    expect(outcome).toMatchObject({ error: { code: "TIMEOUT", retryable: false } });
    expect(outcome.text).toContain("Check whether the call took effect");
  });

  test("endless progress extends it up to a limit only for as long as the user waits", async () => {
    await using world = serverWorld();
    const entry = { ...serverEntry({ tools: [tool], acts: { t: "progress" } }), timeout: 300 };
    const kit = await world.open({ s: entry }, { rules });
    const stop = new AbortController();
    let reports = 0;
    const call = kit.call(
      { name: "mcp__s__t", input: {} },
      {
        signal: stop.signal,
        onProgress: () => {
          reports += 1;
          if (reports === 5) stop.abort();
        },
      },
    );

    expect((await call).status).toBe("aborted");
    expect(reports).toBe(5);
  });
});

const survived = [
  { act: "twice", text: "first" },
  { act: "wrongId", text: "yours" },
  { act: "asks", text: "asked" },
  { act: "split", text: "ä€😀" },
  { act: "noise", text: "after noise" },
  { act: "notUtf8", text: "a���b" },
  { act: "slowWithProgress", text: "done", timeout: 600 },
  { act: "listChangedStorm", text: "changed" },
];

test.each(survived)(
  "a server that misbehaves by $act still answers",
  async ({ act, text, timeout = 30_000 }) => {
    const { outcome } = await callServer({ acts: { t: act } }, { timeout });

    expect(outcome).toMatchObject({ status: "ok", text });
  },
);

test("answers in another order reach their own calls", async () => {
  await using world = serverWorld();
  const entry = serverEntry({ tools: [tool], acts: { t: "reversed" } });
  const kit = await world.open({ s: entry }, { rules });
  await kit.mcp.check("s");

  const [first, second] = await Promise.all(
    ["one", "two"].map(async (a) => await kit.call({ name: "mcp__s__t", input: { a } })),
  );

  expect(first).toMatchObject({ status: "ok", text: '{"a":"one"}' });
  expect(second).toMatchObject({ status: "ok", text: '{"a":"two"}' });
});

test(
  "every hostile call, again and again, leaves less than 50 MB behind",
  { timeout: 240_000 },
  async () => {
    await using world = serverWorld();
    const acts = [...faults, ...survived].map(({ act }) => act);
    const tools = acts.map((name) => ({ ...tool, name }));
    const entry = serverEntry({ tools, acts: Object.fromEntries(acts.map((act) => [act, act])) });
    const kit = await world.open({ s: entry }, { rules });
    const callAll = async (): Promise<void> => {
      for (const act of acts) await kit.call({ name: `mcp__s__${act}`, input: {} });
    };
    setFlagsFromString("--expose-gc");
    const collect: unknown = runInNewContext("gc");
    const memory = (): number => {
      if (typeof collect === "function") collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    await callAll();

    const before = memory();
    for (let round = 0; round < (areLawsFull ? 2 : 1); round += 1) await callAll();

    const grownMb = (memory() - before) / 1e6;
    expect(grownMb).toBeLessThan(50);
  },
);
