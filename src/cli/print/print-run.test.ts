import { expect, test } from "vitest";
import type { HaftEvent, Outcome } from "../../index.ts";
import { runPrinter } from "./print-run.ts";
import { processTerminal, type Terminal } from "../terminal.ts";

const outcome: Outcome = {
  id: "1",
  tool: "ApplyPatch",
  status: "ok",
  isError: false,
  content: [],
  text: "Deleted large.",
  title: "ApplyPatch",
  summary: "deleted large",
  metadata: {},
  trust: "trusted",
  effects: [],
  repairs: [],
  durationMs: 1,
};

/** Returns what the user sees at the end of a call whose outcome has this metadata. */
function printedOf(metadata: Outcome["metadata"]): string {
  return printed({
    type: "call-end",
    callId: "1",
    outcome: { ...outcome, metadata },
    seq: 1,
    at: 0,
  });
}

function printed(event: HaftEvent): string {
  let text = "";
  const terminal: Terminal = {
    ...processTerminal(),
    err: (more) => void (text += more),
    style: (_, shown) => shown,
  };
  runPrinter(terminal).print(event);
  return text;
}

test.each([
  {
    metadata: { diff: "--- a\n+++ b\n@@ -1 +0,0 @@\n-x", unkept: "/w/large cannot be undone." },
    last: "    /w/large cannot be undone.",
    because: "the diff stands for the answer, which would have said it",
  },
  {
    metadata: { diff: "--- a\n+++ b\n@@ -1 +0,0 @@\n-x" },
    last: "  -x",
    because: "all of it can be undone",
  },
  {
    metadata: { diff: "--- a\n+++ b\n@@ -1 +0,0 @@\n-x", hookChanges: ["/w/a"] },
    last: "    It changed again while a hook ran.",
    because: "the diff is that of the call alone",
  },
])("$metadata ends with $last: $because", ({ metadata, last }) => {
  expect(printedOf(metadata).trimEnd().split("\n").at(-1)).toBe(last);
});

test("a rule that was not saved is reported before the answer", () => {
  const shown = printedOf({ unsaved: "The rule was not saved.\u202E" });

  expect(shown).toContain("  The rule was not saved.\\u{202e}\n  ");
});

test("a line says why a provider is asked again, whether or not the reason is a sentence", () => {
  const retry = {
    type: "model-retry",
    runId: "r",
    turn: 1,
    model: "openai:gpt",
    attempt: 2,
    waitMs: 1500,
    code: "MODEL_FAILED",
    reason: "overloaded",
    seq: 1,
    at: 0,
  } as const;

  expect(printed(retry)).toBe("Asking openai:gpt again in 1.5 s: overloaded\n");
  expect(printed({ ...retry, waitMs: 0 })).toBe("Asking openai:gpt again now: overloaded\n");
});
