import { describe, expect, test } from "vitest";
import { capabilityFacts, capabilityLevel, type CapabilityFacts } from "./capability.ts";

const none = { hasPreview: false, hasUndo: false };

describe("capability level", () => {
  test.for<readonly [string, Partial<CapabilityFacts>, 0 | 1 | 2, 0 | 1 | 2]>([
    ["what touches nothing changes nothing", { touches: [] }, 2, 2],
    ["what only reads changes nothing", { touches: ["read", "interact"] }, 2, 2],
    ["a request is taken to change nothing", { touches: ["connect"] }, 2, 2],
    [
      "unless its tool says it is not read-only",
      { touches: ["connect"], flags: { readOnly: false } },
      0,
      0,
    ],
    ["what is written is journaled", { touches: ["read", "write"] }, 1, 1],
    ["and can be tried on isolated files", { touches: ["write"], staged: "files" }, 2, 2],
    ["or the tool can describe them", { touches: ["write"], hasPreview: true }, 2, 2],
    ["a preview takes nothing back", { touches: ["execute"], hasPreview: true }, 0, 0],
    ["nor of what is not known", { touches: ["unknown"] }, 0, 0],
    ["nor of another agent", { touches: ["delegate"] }, 0, 0],
    ["writing and connecting is not only writing", { touches: ["write", "connect"] }, 0, 0],
    ["its own undo reverts it", { touches: ["unknown"], hasUndo: true }, 1, 1],
    [
      "and with a preview it is both",
      { touches: ["unknown"], hasUndo: true, hasPreview: true },
      2,
      2,
    ],
    ["programs that only look", { touches: ["write", "execute"], staged: "files" }, 2, 2],
    [
      "staged files say nothing of what is unknown",
      { touches: ["unknown"], staged: "files" },
      0,
      0,
    ],
    [
      "files that are staged along with something else",
      { touches: ["connect", "write"], staged: "files", hasUndo: true },
      1,
      1,
    ],
    ["commands run on an overlay, or not", { touches: ["execute"], staged: "commands" }, 0, 2],
  ])("%s", ([, facts, plain, withOverlay]) => {
    const known = { touches: [], ...none, ...facts };

    expect(capabilityLevel(known)).toBe(plain);
    expect(capabilityLevel(known, { stagesCommands: true })).toBe(withOverlay);
  });
});

async function preview() {
  return await Promise.resolve({ summary: "", basis: "declared" } as const);
}

async function undo() {
  return await Promise.resolve({ content: "" });
}

test("the facts of a tool are what it touches and which parts it has", () => {
  const traits = { name: "Wait", touches: ["write"] } as const;
  const all = { ...traits, flags: { readOnly: false }, staged: "files" } as const;

  expect(capabilityFacts(traits)).toStrictEqual({ touches: ["write"], ...none });
  expect(capabilityFacts({ ...all, preview, undo })).toStrictEqual({
    touches: ["write"],
    flags: { readOnly: false },
    staged: "files",
    hasPreview: true,
    hasUndo: true,
  });
  expect(capabilityFacts({ ...traits, undo })).toMatchObject({ hasPreview: false, hasUndo: true });
});
