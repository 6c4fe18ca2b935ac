import { expect, test } from "vitest";
import { simpleTool } from "../../../test/support/kit.ts";
import { commandPreview, ToolError, type Grant, type ToolContext } from "../../core/index.ts";
import { CallState } from "../call-state.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { commandTrial } from "./preview-command.ts";
import { TurnState } from "../run/turn-state.ts";

test("a command is tried for the agent that asks, as its own call would be judged", async () => {
  const grant: Grant = { effects: [], exclusions: [], excludes: () => undefined };
  const state = new CallState({
    id: "call-1",
    key: "call-1",
    call: { name: "T" },
    options: { agentId: "helper" },
    turn: new TurnState(),
    startedAt: 0,
  });
  state.tool = simpleTool("T", () => ({ content: "" }));
  state.grant = grant;
  const calls: unknown[] = [];
  const environment = {
    tryCommand: async (_: unknown, call: unknown) => {
      calls.push(call);
      return { staged: { changes: [], refused: [], through: [] }, drop: async () => undefined };
    },
  } as unknown as PipelineEnvironment;
  const context = {
    service: () => {
      throw new ToolError("UNAVAILABLE", "There is none.");
    },
  } as unknown as ToolContext;
  const trial = commandTrial(state, environment, { mayRun: true });

  const run = trial.offeredBy(context).service(commandPreview);
  const { signal } = new AbortController();
  await run({ argv: ["true"], cwd: "/", env: {}, timeoutMs: 1000, signal });

  expect(calls).toEqual([{ grant, agentId: "helper" }]);
});
