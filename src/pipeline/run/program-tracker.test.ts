import { describe, expect, test } from "vitest";
import type { Confinement, EndedProgram, Grant } from "../../core/index.ts";
import { simpleTool } from "../../../test/support/kit.ts";
import { CallState } from "../call-state.ts";
import type { Resolved } from "../step.ts";
import { confinedPrograms } from "./program-tracker.ts";
import type { ConfineRequest } from "../environment/confinement.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { TurnState } from "./turn-state.ts";

const grant: Grant = { effects: [], exclusions: [], excludes: () => undefined };
const held: Confinement = {
  wrap: (argv, { cwd, env }) => ({ argv: ["held", ...argv], cwd, env, descriptors: [] }),
};
const asked = {
  grant,
  approve: async () => ({ because: "it was only a test", code: "APPROVAL_REQUIRED" as const }),
};

function call(): Resolved {
  const state = new CallState({
    id: "call-1",
    key: "call-1",
    call: { name: "T" },
    options: { sessionId: "s", agentId: "a" },
    turn: new TurnState(),
    startedAt: 0,
  });
  state.tool = simpleTool("T", () => ({ content: "" }));
  return state as unknown as Resolved;
}

function confining(fails = false) {
  const requests: ConfineRequest[] = [];
  const closed: (readonly EndedProgram[])[] = [];
  const settled: string[] = [];
  const environment = {
    newId: (prefix: string) => `${prefix}-x`,
    checkpoints: {
      after: async (callId: string) => {
        settled.push(callId);
        if (fails) throw new TypeError("It cannot be noted.");
      },
    },
    confine: async (request: ConfineRequest) => {
      requests.push(request);
      if (fails) throw new TypeError("It cannot be had.");
      return {
        confinement: async () => held,
        close: async (ended: readonly EndedProgram[]) => {
          closed.push(ended);
          return { notes: [], metadata: {} };
        },
      };
    },
  } as unknown as PipelineEnvironment;
  return { environment, requests, closed, settled };
}

describe("programs of a preview or an undo", () => {
  test("start as those of the call would, asked for once and under an id of their own", async () => {
    const { environment, requests, closed, settled } = confining();
    const { narrowing, close } = confinedPrograms(call(), environment, asked);

    expect(await narrowing.confine?.({})).toBe(held);
    expect(await narrowing.confine?.({})).toBe(held);
    const ended = { argv: ["ls"] } as unknown as EndedProgram;
    narrowing.onProgramEnd?.(ended);
    await close();
    await close();

    expect(requests).toEqual([
      { callId: "call-1-x", tool: "T", sessionId: "s", agentId: "a", ...asked },
    ]);
    expect(closed).toEqual([[ended]]);
    // The record of their changes is closed along with them: no process is writing it any more.
    expect(settled).toEqual(["call-1-x"]);
  });

  test("are not started where they could not be confined", async () => {
    const { environment } = confining(true);
    const { narrowing, close } = confinedPrograms(call(), environment, asked);

    await expect(narrowing.confine?.({})).rejects.toThrow("It cannot be had.");
    expect(await close()).toBeUndefined();
  });

  test("cost nothing where none is started", async () => {
    const { environment, requests, closed, settled } = confining();

    expect(await confinedPrograms(call(), environment, asked).close()).toBeUndefined();
    expect([requests, closed, settled]).toEqual([[], [], []]);
  });
});
