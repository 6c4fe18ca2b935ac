import { expect, test } from "vitest";
import {
  approvalWorld,
  deny,
  elicitation,
  once,
  write,
} from "../../../../test/mcp/approval-world.ts";
import { wireTo } from "../../../../test/mcp/wire.ts";
import { simpleTool } from "../../../../test/support/kit.ts";
import type { Effect } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import type { ToolkitOptions } from "../../../kit/index.ts";
import { metaKeys } from "../protocol/versions.ts";

async function modern(options: ToolkitOptions = {}) {
  const { kit, ...rest } = await approvalWorld(options);
  const wire = wireTo(kit, { approvals: "client" });
  const round = async (params: object): Promise<Readonly<Record<string, unknown>>> => {
    const meta = { [metaKeys.clientCapabilities]: elicitation };
    const answer = await wire.askModern("tools/call", { ...write, ...params, _meta: meta });
    const said = isRecord(answer) ? (answer["result"] ?? answer["error"]) : undefined;
    return isRecord(said) ? said : {};
  };
  return { kit, round, ...rest };
}

test("in the new era the question is the result, and the call made again with the answer runs", async () => {
  const { round, isWritten } = await modern();

  const asked = await round({});
  expect(asked).toMatchObject({
    resultType: "input_required",
    inputRequests: { approval: { method: "elicitation/create" } },
  });
  expect(await isWritten()).toBe(false);

  const { requestState } = asked;
  expect(await round({ requestState, inputResponses: { approval: once } })).toMatchObject({
    resultType: "complete",
    isError: false,
  });
  expect(await isWritten()).toBe(true);
});

const change = (file: string) => ({
  action: "accept",
  content: {
    decision: "Change the input",
    input_as_json: JSON.stringify({ ...write.arguments, file_path: file }),
  },
});

test("in the new era each change is a question of its own, and back and forth comes to an end", async () => {
  const { round, host, isWritten } = await modern();

  const first = await round({});
  const second = await round({
    requestState: first["requestState"],
    inputResponses: { approval: change("b.txt") },
  });
  expect(second).toMatchObject({ inputRequests: { "approval-2": {} } });
  const third = await round({
    requestState: second["requestState"],
    inputResponses: { "approval-2": change("a.txt") },
  });
  expect(third).toMatchObject({ inputRequests: { "approval-3": {} } });
  const done = await round({
    requestState: third["requestState"],
    inputResponses: { "approval-3": once },
  });

  expect(done).toMatchObject({ resultType: "complete", isError: false });
  expect(await isWritten()).toBe(true);
  await expect(host.fs.stat("/project/b.txt")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a yes without the state of the question does not count", async () => {
  const { round, isWritten } = await modern();

  for (const params of [
    { inputResponses: { approval: once } },
    { arguments: { ...write.arguments, inputResponses: { approval: once } } },
    { arguments: { ...write.arguments, approval: once } },
  ]) {
    expect(await round(params)).not.toMatchObject({ isError: false });
    expect(await isWritten()).toBe(false);
  }
});

test("a yes holds for one call, and for no other input", async () => {
  const { round, host } = await modern();
  const inputResponses = { approval: once };
  const { requestState } = await round({});
  const other = { file_path: "b.txt", content: "hi\n" };

  expect(await round({ arguments: other, requestState, inputResponses })).toMatchObject({
    code: -32_602,
  });
  expect(await round({ requestState, inputResponses })).toMatchObject({ code: -32_602 });
  await expect(host.fs.stat("/project/b.txt")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(host.fs.stat("/project/a.txt")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("effects that changed since the question are asked about again", async () => {
  const { kit, round } = await modern();
  let effect: Effect = { kind: "write", path: "/project/a", scope: "file", change: "create" };
  let ran = 0;
  kit.registry.register(
    simpleTool("Shift", () => ({ content: String((ran += 1)) }), {
      touches: ["write"],
      effects: () => [effect],
    }),
  );
  const shift = { name: "Shift", arguments: {} };
  const first = await round(shift);
  effect = { kind: "write", path: "/project/b", scope: "file", change: "create" };

  const inputResponses = { approval: once };
  const second = await round({ ...shift, inputResponses, requestState: first["requestState"] });
  expect(second).toMatchObject({
    inputRequests: { approval: { params: { message: expect.stringContaining("/project/b") } } },
  });
  expect(ran).toBe(0);

  await round({ ...shift, inputResponses, requestState: second["requestState"] });
  expect(ran).toBe(1);
});

test("the repeated call is judged again: a rule that denies it beats the yes", async () => {
  const { kit, round, isWritten } = await modern();
  const { requestState } = await round({});
  kit.setMode("plan");

  const result = await round({ requestState, inputResponses: { approval: once } });

  expect(result).toMatchObject({
    isError: true,
    _meta: { "haft/outcome": { error: { code: "PERMISSION_DENIED" } } },
  });
  expect(await isWritten()).toBe(false);
});

test.for([
  { response: deny, says: "The user said no: not there" },
  { response: { action: "decline" }, says: "The user said no." },
  { response: { action: "cancel" }, says: "The client cancelled the question." },
])("in the new era $response is not a yes", async ({ response, says }) => {
  const { round, isWritten } = await modern();
  const { requestState } = await round({});

  expect(await round({ requestState, inputResponses: { approval: response } })).toMatchObject({
    resultType: "complete",
    isError: true,
    content: expect.arrayContaining([
      expect.objectContaining({ text: expect.stringContaining(says) }),
    ]),
  });
  expect(await isWritten()).toBe(false);
});
