import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createToolkit, type HaftEvent, type Kit } from "../../src/index.ts";
import { tool, world } from "./world.ts";

let workspace = "";
let kit: Kit | undefined;
let events: HaftEvent[] = [];
beforeEach(async () => {
  events = [];
  workspace = await realpath(await mkdtemp(path.join(tmpdir(), "haft-turn-")));
  await writeFile(path.join(workspace, "a.ts"), "export const a = 1;\n");
  await writeFile(path.join(workspace, "b.ts"), "export const b = 1;\n");
});
afterEach(async () => {
  await kit?.dispose();
  await rm(workspace, { recursive: true, force: true });
});

async function open(): Promise<Kit> {
  kit = await createToolkit({
    workspace,
    dataDirectory: `${workspace}-data`,
    mode: "bypassPermissions",
    onEvent: (event) => events.push(event),
  });
  return kit;
}

const glob = { name: "Glob", input: { pattern: "**/*.ts" } };
const grep = { name: "Grep", input: { pattern: "const", output_mode: "content" } };
const edit = (file: string, to = 2) => ({
  name: "Edit",
  input: { file_path: `${file}.ts`, old_string: `${file} = 1`, new_string: `${file} = ${to}` },
});

/** When each call began to run (it was decided) and ended, as positions in the list of events. */
function spanOf(id: string): { readonly from: number; readonly to: number } {
  const position = (type: HaftEvent["type"]): number =>
    events.findLastIndex(
      (event) => event.type === type && "callId" in event && event.callId === id,
    );
  return { from: position("call-decided"), to: position("call-end") };
}

test("[Glob, Grep, Edit, Glob, Grep, Bash] with the real tools keeps program order where it matters", async () => {
  const opened = await open();
  await opened.call({ name: "Read", input: { file_path: "a.ts" } });
  const bash = { name: "Bash", input: { command: "cat a.ts > c.txt; echo 'const c' > c.ts" } };
  const calls = [glob, grep, edit("a"), glob, grep, bash].map((call, index) => ({
    ...call,
    id: `call-${index}`,
  }));

  const outcomes = await opened.callAll(calls);

  expect(outcomes.map(({ status, text }) => (status === "ok" ? "ok" : text))).toEqual(
    Array(6).fill("ok"),
  );
  expect(outcomes.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
  expect(outcomes[1]?.text).toContain("a = 1");
  expect(outcomes[4]?.text).toContain("a = 2");
  expect(outcomes[4]?.text).not.toContain("const c");
  expect(await readFile(path.join(workspace, "c.txt"), "utf8")).toContain("a = 2");
  const groups = [["call-0", "call-1"], ["call-2"], ["call-3", "call-4"], ["call-5"]];
  for (const [index, group] of groups.slice(1).entries()) {
    const before = Math.max(...(groups[index] ?? []).map((id) => spanOf(id).to));
    for (const id of group) expect(spanOf(id).from).toBeGreaterThan(before);
  }
});

test("two Edits of different files run together, two of one file one after the other", async () => {
  const waiting: (() => void)[] = [];
  const both = Promise.withResolvers<void>();
  const opened = await open();
  for (const file_path of ["a.ts", "b.ts"])
    await opened.call({ name: "Read", input: { file_path } });
  const slow = await world(
    {
      mode: "bypassPermissions",
      hooks: {
        after: [
          async () => {
            // Ends no call before both run; two that waited for each other would never get here.
            waiting.push(() => undefined);
            if (waiting.length === 2) both.resolve();
            await both.promise;
            return undefined;
          },
        ],
      },
    },
    { files: { "a.ts": "a = 1\n", "b.ts": "b = 1\n" } },
  );
  const together = await slow.kit.callAll([write("a"), write("b")]);
  const apart = await opened.callAll([
    edit("a"),
    edit("b"),
    { ...edit("a"), input: { ...edit("a").input, old_string: "a = 2", new_string: "a = 3" } },
  ]);

  expect(together.map(({ status }) => status)).toEqual(["ok", "ok"]);
  expect(apart.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  expect(await readFile(path.join(workspace, "a.ts"), "utf8")).toBe("export const a = 3;\n");
  expect(await readFile(path.join(workspace, "b.ts"), "utf8")).toBe("export const b = 2;\n");
});

test("at most ten run at once, whatever they are", async () => {
  let now = 0;
  let most = 0;
  const release = Promise.withResolvers<void>();
  const busy = tool("Busy", async () => {
    now += 1;
    most = Math.max(most, now);
    if (now === 10) release.resolve();
    await release.promise;
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return { content: "done" };
  });
  const { kit: opened } = await world({ tools: { extra: [busy] } });

  const outcomes = await opened.callAll(Array.from({ length: 35 }, () => ({ name: "Busy" })));

  expect(outcomes.every(({ status }) => status === "ok")).toBe(true);
  expect(most).toBe(10);
});

test("aborting a turn settles every call of it: those that run, those that wait, those that were asked about", async () => {
  const controller = new AbortController();
  const started = Promise.withResolvers<void>();
  const hang = tool("Hang", async () => {
    started.resolve();
    return await new Promise<never>(() => undefined);
  });
  const { kit: opened, host } = await world(
    { tools: { extra: [hang] }, onAsk: async () => await new Promise<never>(() => undefined) },
    { now: "real", files: { "a.ts": "x" } },
  );
  const calls = [
    { name: "Hang" },
    { name: "Write", input: { file_path: "n.txt", content: "n" } },
    { name: "Write", input: { file_path: "n.txt", content: "m" } },
    ...Array.from({ length: 12 }, () => ({ name: "Hang" })),
  ];
  const running = opened.callAll(calls, { signal: controller.signal });
  await started.promise;

  controller.abort();
  const outcomes = await running;

  expect(outcomes).toHaveLength(15);
  expect(outcomes.map(({ error }) => error?.code)).toEqual(Array(15).fill("ABORTED"));
  expect(outcomes.every(({ error }) => (error?.hint ?? "") !== "")).toBe(true);
  expect(host.control.texts()).toEqual({ "/project/a.ts": "x" });
});

test("calls that wait for one another through inOrder never starve, and a failing one lets the next go on", async () => {
  const opened = await open();
  await opened.call({ name: "Read", input: { file_path: "a.ts" } });
  const options = { inOrder: true } as const;

  const outcomes = await Promise.all([
    opened.call(edit("a", 2), options),
    opened.call(edit("a", 9), options),
    opened.call({ name: "Read", input: { file_path: "a.ts" } }, options),
  ]);

  expect(outcomes.map(({ status }) => status)).toEqual(["ok", "failed", "ok"]);
  expect(outcomes[2]?.text).toContain("a = 2");
});

function write(file: string) {
  return { name: "Write", input: { file_path: `new-${file}`, content: file } };
}
