import { describe, expect, test } from "vitest";
import { gate, settled, testKit } from "../../../test/support/kit.ts";
import type { Answer, Ask, Mode, OnAsk } from "../../core/index.ts";
import type { ToolkitOptions } from "../../kit/index.ts";

const call = { name: "ExitPlanMode", input: { plan: "1. Test\n2. Build" } };

async function planned(answer: Answer | OnAsk | undefined, options: ToolkitOptions = {}) {
  const asks: Ask[] = [];
  const onAsk: OnAsk | undefined =
    typeof answer === "object"
      ? async (ask) => {
          asks.push(ask);
          return await Promise.resolve(answer);
        }
      : answer;
  const { kit } = await testKit({
    ...(onAsk === undefined ? {} : { onAsk }),
    mode: "plan",
    ...options,
  });
  const outcome = await kit.call(call);
  const { mode } = kit;
  await kit.dispose();
  return { outcome, mode, asks };
}

test("an approved plan ends plan mode, and the answer says what holds now", async () => {
  const { outcome, mode, asks } = await planned({ kind: "once" });

  expect(asks).toMatchObject([
    { kind: "plan", question: "Carry out this plan?", input: call.input },
  ]);
  expect(mode).toBe("default");
  expect(outcome.text).toBe(
    "The user approved the plan. Carry it out. Plan mode is off. Changes are asked about one by one.",
  );
});

test("the mode before plan mode is on again", async () => {
  const { kit } = await testKit({ mode: "acceptEdits", onAsk: async () => ({ kind: "once" }) });
  kit.setMode("plan");
  kit.setMode("plan");

  const outcome = await kit.call(call);

  expect(kit.mode).toBe("acceptEdits");
  expect(outcome.text).toContain("Files of the workspace are changed without asking.");
  await kit.dispose();
});

test("a changed plan is the one that is approved", async () => {
  const { outcome, mode } = await planned({ kind: "edit", input: { plan: "1. Only test" } });

  expect(mode).toBe("default");
  expect(outcome.text).toMatch(/^The user approved the plan with changes\. /u);
  expect(outcome.text).toMatch(/The plan as the user changed it:\n1\. Only test$/u);
  expect(outcome.metadata).toMatchObject({ plan: "1. Only test", isChanged: true });
});

test("a refused plan leaves plan mode on, with the reason for the model", async () => {
  const { outcome, mode } = await planned({ kind: "deny", reason: "no tests" });

  expect(mode).toBe("plan");
  expect(outcome.error).toMatchObject({
    code: "DENIED_BY_USER",
    message: "The user refused the plan: no tests",
    hint: expect.stringContaining("Plan mode stays on"),
  });
});

describe("claude-code#81976: an interrupted plan question is not an approval", () => {
  test.each([
    ["the turn is ended", { kind: "abort" }, "ABORTED"],
    ["the client cancels", async () => Promise.reject(new Error("cancelled")), "APPROVAL_REQUIRED"],
    ["nobody is there", undefined, "APPROVAL_REQUIRED"],
    ["a rule is saved", { kind: "save", rule: "Edit", scope: "user" }, "APPROVAL_REQUIRED"],
    ["something else is answered", { kind: "answer", choices: ["yes"] }, "APPROVAL_REQUIRED"],
    ["the plan is emptied", { kind: "edit", input: { plan: " " } }, "APPROVAL_REQUIRED"],
    ["the input is not a plan", { kind: "edit", input: "go" }, "APPROVAL_REQUIRED"],
    ["the answer is not valid", {} as Answer, "APPROVAL_REQUIRED"],
    ["everything is refused", { kind: "deny-all" }, "DENIED_BY_USER"],
  ] as [string, Answer | OnAsk | undefined, string][])("%s", async (_when, answer, code) => {
    const { outcome, mode } = await planned(answer);

    expect(mode).toBe("plan");
    expect(outcome.isError).toBe(true);
    expect(outcome.error?.code).toBe(code);
  });

  test("the call is aborted while the question is open, and a late yes changes nothing", async () => {
    const late = gate();
    const { kit } = await testKit({
      mode: "plan",
      onAsk: async () => {
        await late.passed;
        return { kind: "once" };
      },
    });
    const controller = new AbortController();
    const calling = kit.call(call, { signal: controller.signal });
    await settled();
    controller.abort();

    const outcome = await calling;
    late.open();
    await settled();

    expect(outcome.error?.code).toBe("ABORTED");
    expect(kit.mode).toBe("plan");
    await kit.dispose();
  });
});

describe("a mode or an asker that approves automatically says so", () => {
  test("an asker without a person", async () => {
    const yes: OnAsk = Object.assign(async () => ({ kind: "once" as const }), {
      isAutomatic: true,
    });

    const { outcome, mode } = await planned(yes);

    expect(mode).toBe("default");
    expect(outcome.text).toContain("Approved automatically");
    expect(outcome.text).toContain("no user has read the plan");
  });

  test("a hook", async () => {
    const { outcome } = await planned(undefined, {
      hooks: { permission: [({ kind }) => (kind === "plan" ? { kind: "once" } : undefined)] },
    });

    expect(outcome.text).toContain("Approved by a hook");
  });

  test.each<[Mode, string]>([
    ["bypassPermissions", "approved automatically, without a look at it"],
    ["acceptEdits", "changed without asking"],
    ["default", "asked about one by one"],
    ["dontAsk", "refused without asking"],
  ])("%s mode, in which there is no plan to approve", async (mode, says) => {
    const { outcome, mode: after, asks } = await planned({ kind: "once" }, { mode });

    expect(outcome.error).toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("no plan is approved"),
    });
    expect(outcome.error?.message).toContain(says);
    expect(after).toBe(mode);
    expect(asks).toEqual([]);
  });
});

test("a derived kit leaves its own plan mode, and stays below its parent", async () => {
  const { kit } = await testKit({
    mode: "plan",
    onAsk: async () => ({ kind: "once" }),
  });
  const child = kit.derive({ mode: "plan" });

  await child.call(call);
  const write = await child.call({ name: "Write", input: { file_path: "a", content: "b" } });

  expect([kit.mode, child.mode]).toEqual(["plan", "default"]);
  expect(write.error?.code).toBe("PERMISSION_DENIED");
  await kit.dispose();
});
