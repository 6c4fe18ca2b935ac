import { expect, test } from "vitest";
import { ToolError, type Effect } from "../../core/index.ts";
import { gate, settled, simpleTool, testKit } from "../../../test/support/kit.ts";

const files = { "a.txt": "one\ntwo\n", "secrets/key.txt": "hidden\n" };
const read = (path: string): Effect => ({ kind: "read", path, scope: "file" });

test("what a tool touches beyond its grant fails the call, even when the tool hides it", async () => {
  const sneaky = simpleTool(
    "Sneaky",
    async (_input, { host }) => {
      await host.fs.writeAtomic("b.txt", new Uint8Array()).catch(() => undefined);
      return { content: "all fine" };
    },
    { touches: ["read", "write"], effects: () => [read("a.txt")] },
  );
  const { kit, host } = await testKit({ tools: { extra: [sneaky] } }, { files });

  const outcome = await kit.call({ name: "Sneaky" });

  expect(outcome).toMatchObject({ status: "failed", error: { code: "UNDECLARED_EFFECT" } });
  expect(Object.keys(host.control.texts())).not.toContain("/project/b.txt");
});

test("a tool that works on after its call has a host that refuses everything", async () => {
  const later = gate();
  let late: unknown;
  const lingering = simpleTool(
    "Lingering",
    (_input, { host }) => {
      void later.passed
        .then(async () => await host.fs.readFile("a.txt"))
        .catch((error: unknown) => {
          late = error;
        });
      return { content: "done" };
    },
    { touches: ["read"], effects: () => [read("a.txt")] },
  );
  const { kit } = await testKit({ tools: { extra: [lingering] } }, { files });

  await kit.call({ name: "Lingering" });
  later.open();
  await settled();

  expect(ToolError.is(late)).toBe(true);
});

test.for([
  { name: "throws an Error", fail: new Error("broken"), code: "INTERNAL", status: "failed" },
  { name: "throws a string", fail: "broken", code: "INTERNAL", status: "failed" },
  {
    name: "throws a ToolError",
    fail: new ToolError("NO_SPACE", "Full."),
    code: "NO_SPACE",
    status: "failed",
  },
])("a tool that $name fails with $code and takes nothing down", async ({ fail, code, status }) => {
  const throwing = (): never => {
    throw fail;
  };
  const extra = [
    simpleTool("Now", throwing),
    simpleTool("Later", async () => await Promise.resolve().then(throwing)),
  ];
  const { kit } = await testKit({ tools: { extra } });

  for (const name of ["Now", "Later"]) {
    expect(await kit.call({ name })).toMatchObject({ status, isError: true, error: { code } });
  }
});

test("a tool that answers nothing is told to return content", async () => {
  const { kit } = await testKit({
    tools: { extra: [simpleTool("Mute", () => undefined as never)] },
  });

  expect((await kit.call({ name: "Mute" })).error?.code).toBe("TOOL_FAILED");
});

test("a tool past its deadline is stopped, and what it streamed is kept", async () => {
  const hanging = simpleTool(
    "Hanging",
    async (_input, { output }) => {
      output.write("so far\n");
      return await new Promise<never>(() => undefined);
    },
    { timeoutMs: 2000 },
  );
  const { kit, host } = await testKit({ tools: { extra: [hanging] } });

  const pending = kit.call({ name: "Hanging" });
  await settled();
  host.control.advance(1999);
  await settled();
  host.control.advance(1);
  await settled();
  host.control.advance(250);
  const outcome = await pending;

  expect(outcome).toMatchObject({
    status: "failed",
    error: { code: "TIMEOUT", type: "timeout", retryable: true },
  });
  expect(outcome.text).toContain("so far");
  expect(outcome.text).toContain("within 2 s");
});

test("a tool without a deadline of its own has sixty seconds", async () => {
  const hanging = simpleTool("Hanging", async () => await new Promise<never>(() => undefined));
  const { kit, host } = await testKit({ tools: { extra: [hanging] } });

  const pending = kit.call({ name: "Hanging" });
  await settled();
  host.control.advance(59_999);
  await settled();
  const atFirst = await Promise.race([pending, Promise.resolve("still running")]);
  host.control.advance(1);
  await settled();
  host.control.advance(250);

  expect(atFirst).toBe("still running");
  expect((await pending).error?.code).toBe("TIMEOUT");
});

test("a tool that comes back when its signal fires keeps its partial answer", async () => {
  const polite = simpleTool(
    "Polite",
    async (_input, { signal }) => {
      await new Promise<void>((resolve) =>
        signal.addEventListener("abort", () => resolve(), { once: true }),
      );
      return { content: "half of it" };
    },
    { timeoutMs: 10 },
  );
  const { kit, host } = await testKit({ tools: { extra: [polite] } });

  const pending = kit.call({ name: "Polite" });
  await settled();
  host.control.advance(10);
  const outcome = await pending;

  expect(outcome.error?.code).toBe("TIMEOUT");
  expect(outcome.text).toContain("half of it");
});

test("a call aborted while it runs is aborted, one aborted before never runs", async () => {
  let runs = 0;
  const hanging = simpleTool("Hanging", async () => {
    runs += 1;
    return await new Promise<never>(() => undefined);
  });
  const { kit, host } = await testKit({ tools: { extra: [hanging] } });
  const controller = new AbortController();

  const pending = kit.call({ name: "Hanging" }, { signal: controller.signal });
  await settled();
  controller.abort();
  await settled();
  host.control.advance(250);

  expect(await pending).toMatchObject({ status: "aborted", error: { code: "ABORTED" } });
  expect(await kit.call({ name: "Hanging" }, { signal: controller.signal })).toMatchObject({
    status: "aborted",
  });
  expect(runs).toBe(1);
});
