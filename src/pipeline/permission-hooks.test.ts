import { expect, test } from "vitest";
import type { Answer } from "../core/index.ts";
import { settled, simpleTool, testKit } from "../../test/support/kit.ts";

const write = { name: "Write", input: { file_path: "new.txt", content: "x" } };

test.for<[string, Answer | undefined, string, string]>([
  ["says yes", { kind: "once" }, "ok", "hook"],
  ["says no", { kind: "deny", reason: "not on Fridays" }, "denied", "hook"],
  ["says nothing", undefined, "ok", "user"],
])("where a permission hook %s, that holds", async ([, said, status, by]) => {
  let asked = 0;
  let later = 0;
  const { kit } = await testKit({
    hooks: {
      permission: [
        () => said,
        () => {
          later += 1;
          return undefined;
        },
      ],
    },
    onAsk: async () => {
      asked += 1;
      return { kind: "once" };
    },
  });

  const outcome = await kit.call(write);

  expect(outcome.status).toBe(status);
  expect(outcome.decision).toMatchObject({ kind: "ask", answeredBy: by });
  expect([later, asked]).toEqual(by === "user" ? [1, 1] : [0, 0]);
});

test("a permission hook that fails is not a yes, and no user is asked instead", async () => {
  let asked = 0;
  const { kit, host } = await testKit({
    hooks: {
      permission: [
        () => {
          throw new Error("no");
        },
      ],
    },
    onAsk: async () => {
      asked += 1;
      return { kind: "once" };
    },
  });

  const outcome = await kit.call(write);

  expect(outcome.error?.code).toBe("BLOCKED_BY_HOOK");
  expect(asked).toBe(0);
  expect(host.control.texts()).not.toHaveProperty("/project/new.txt");
});

test("a hook alone may answer where there is no person", async () => {
  const yes = await testKit({ hooks: { permission: [() => ({ kind: "once" })] } });
  const silent = await testKit({ hooks: { permission: [() => undefined] } });

  expect((await yes.kit.call(write)).status).toBe("ok");
  expect((await silent.kit.call(write)).error?.code).toBe("APPROVAL_REQUIRED");
});

test("a tool that never says what it touches is asked about after ten seconds, with the reason", async () => {
  const reasons: string[] = [];
  const { kit, host } = await testKit({
    tools: {
      extra: [
        simpleTool("Thinking", () => ({ content: "ran" }), {
          touches: ["read"],
          effects: async () => await new Promise<never>(() => undefined),
        }),
      ],
    },
    onAsk: async ({ effects }) => {
      reasons.push(...effects.map((effect) => (effect.kind === "unknown" ? effect.because : "")));
      return { kind: "deny" };
    },
  });
  const call = kit.call({ name: "Thinking" });
  await settled();

  host.control.advance(9_999);
  await settled();
  expect(reasons).toEqual([]);
  host.control.advance(1);
  await call;

  expect(reasons).toEqual([
    "Thinking could not tell what this call touches: it took longer than 10 s.",
  ]);
});
