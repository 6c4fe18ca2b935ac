import { expect, test } from "vitest";
import { defineTool } from "../core/index.ts";
import { memoryHost } from "../host/index.ts";
import type { ToolkitOptions } from "../kit/index.ts";
import { gate, settled, simpleTool, testKit } from "../../test/support/kit.ts";

const never = async (): Promise<never> => await new Promise<never>(() => undefined);
const files = { "a.txt": "one\n" };
const read = { name: "Read", input: { file_path: "a.txt" } };
const write = { name: "Write", input: { file_path: "b.txt", content: "x" } };

const looking = simpleTool("Looking", () => ({ content: "" }), {
  touches: ["read"],
  effects: never,
});
const loading = defineTool({
  name: "Loading",
  touches: ["read"],
  init: never,
});

test.each<[string, ToolkitOptions, { readonly name: string; readonly input?: unknown }]>([
  ["a before-hook", { hooks: { before: [never] } }, read],
  ["a permission hook", { hooks: { permission: [never] } }, write],
  ["a person", { onAsk: never }, write],
  ["a tool's effects", { tools: { extra: [looking] } }, { name: "Looking" }],
])("an abort ends a call that waits for %s", async (_name, options, call) => {
  const { kit } = await testKit(options, { files });
  const controller = new AbortController();
  const running = kit.call(call, { signal: controller.signal });
  const together = kit.callAll([call, call], { signal: controller.signal });
  await settled();

  controller.abort();

  expect((await running).status).toBe("aborted");
  expect((await together).map(({ status }) => status)).toEqual(["aborted", "aborted"]);
  await kit.dispose();
});

test("a tool that aborts its own call, and then never returns, ends its call", async () => {
  const controller = new AbortController();
  const hanging = simpleTool("Hanging", () => {
    controller.abort();
    return never();
  });
  const { kit, host } = await testKit({ tools: { extra: [hanging] } }, { files });

  const running = kit.call({ name: "Hanging" }, { signal: controller.signal });
  await settled();
  host.control.advance(1000);

  expect((await running).status).toBe("aborted");
  await kit.dispose();
});

test("an abort ends a call that waits for its tool to load", async () => {
  const { kit } = await testKit({}, { files });
  kit.registry.register(loading);
  const running = kit.call({ name: "Loading" });
  await settled();

  await kit.dispose();

  expect((await running).status).toBe("aborted");
});

test("an abort ends a call that waits for a path to be resolved", async () => {
  const host = memoryHost({ files });
  const listing = simpleTool("Listing", () => ({ content: "" }), {
    touches: ["read"],
    effects: () => [{ kind: "read", path: "slow.txt", scope: "file" }],
  });
  const canonical = host.fs.canonical.bind(host.fs);
  host.fs.canonical = async (path, options) =>
    path.endsWith("slow.txt") ? await never() : await canonical(path, options);
  const { kit } = await testKit({ host, tools: { extra: [listing] } });
  const running = kit.call({ name: "Listing" });
  await settled();

  await kit.dispose();

  expect((await running).status).toBe("aborted");
});

test("an abort ends a call that waits for the question about another one", async () => {
  const { kit } = await testKit({ onAsk: never }, { files });
  const controller = new AbortController();
  const first = kit.call(write);
  const second = kit.call(write, { signal: controller.signal });
  await settled();

  controller.abort();
  expect((await second).status).toBe("aborted");

  await kit.dispose();
  expect((await first).status).toBe("aborted");
});

test("an abort ends a call that waits for another's effects", async () => {
  const { kit } = await testKit({ tools: { extra: [looking] } }, { files });
  const controller = new AbortController();
  const first = kit.call({ name: "Looking" }, { inOrder: true });
  const second = kit.call(read, { inOrder: true, signal: controller.signal });
  await settled();

  controller.abort();
  expect((await second).status).toBe("aborted");

  await kit.dispose();
  expect((await first).status).toBe("aborted");
});

test("an after-hook that never answers is left behind once the call is aborted", async () => {
  const tool = simpleTool("Say", () => ({ content: "one" }));
  const { kit, host } = await testKit({ hooks: { after: [never] }, tools: { extra: [tool] } });
  const running = kit.call({ name: "Say" });
  await settled();

  const disposed = kit.dispose();
  await settled();
  host.control.advance(1000);
  await disposed;

  const { status, text } = await running;
  expect(status).toBe("ok");
  expect(text).toContain("one");
  expect(text).toContain("A hook failed after this call: it did not answer.");
});

test("a call that was aborted before it began starts nothing", async () => {
  let hooked = 0;
  const hooks = {
    before: [
      () => {
        hooked += 1;
        return undefined;
      },
    ],
  };
  const { kit } = await testKit({ hooks }, { files });

  const outcome = await kit.call(read, { signal: AbortSignal.abort() });

  expect(outcome.status).toBe("aborted");
  expect(hooked).toBe(0);
});

test("an after-hook has all the time it wants while nobody aborts", async () => {
  const later = gate();
  const { kit, host } = await testKit({
    tools: { extra: [simpleTool("Quick", () => ({ content: "quick" }))] },
    hooks: {
      after: [
        async () => {
          await later.passed;
          return { context: "checked" };
        },
      ],
    },
  });
  const call = kit.call({ name: "Quick" }, { signal: new AbortController().signal });
  await settled();

  host.control.advance(60_000);
  await settled();
  later.open();

  expect((await call).text).toBe("quick\nchecked");
});

test("what a stopped tool still answers is kept with the error", async () => {
  const tool = simpleTool("Slow", async (_input, { signal }) => {
    await new Promise<void>((resolve) => {
      // It takes a moment to gather what it has.
      signal.addEventListener("abort", () => setImmediate(resolve), { once: true });
    });
    return { content: "half of it" };
  });
  const { kit } = await testKit({ tools: { extra: [tool] } });
  const controller = new AbortController();
  const running = kit.call({ name: "Slow" }, { signal: controller.signal });
  await settled();

  controller.abort();

  const outcome = await running;
  expect(outcome.status).toBe("aborted");
  expect(outcome.text).toContain("half of it");
});

test("a stopped tool that then answers nothing, or answers too late, was stopped anyway", async () => {
  const late = gate();
  const tools = [
    simpleTool("Nothing", async (_input, { signal }) => {
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => setImmediate(resolve), { once: true });
      });
      return JSON.parse("{}");
    }),
    simpleTool("Late", async () => {
      await late.passed;
      return { content: "nobody hears this" };
    }),
  ];
  const { kit, host } = await testKit({ tools: { extra: tools } });
  const controller = new AbortController();
  const { signal } = controller;
  const running = tools.map(({ name }) => kit.call({ name }, { signal }));
  await settled();

  controller.abort();
  await settled();
  host.control.advance(1000);
  const [nothing, tooLate] = await Promise.all(running);
  late.open();
  await settled();

  for (const outcome of [nothing, tooLate]) {
    expect(outcome).toMatchObject({ status: "aborted", error: { code: "ABORTED" } });
  }
  expect(tooLate?.text).not.toContain("nobody hears this");
});
