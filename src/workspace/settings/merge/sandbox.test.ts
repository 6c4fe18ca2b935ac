import { describe, expect, test } from "vitest";
import { mergeSandbox } from "./sandbox.ts";
import type { SandboxSettings } from "../settings.ts";

const merge = (...layers: readonly (readonly [SandboxSettings, boolean])[]) =>
  mergeSandbox(layers.map(([values, mayWiden]) => ({ values, mayWiden })));

describe("of several places", () => {
  test("the last one that may decides, setting by setting", () => {
    const merged = merge(
      [{ require: "off", overlay: "preview", passthrough: ["a"] }, true],
      [{ require: "best-effort", driver: "bwrap" }, true],
    );

    expect(merged).toEqual({
      values: { require: "best-effort", overlay: "preview", passthrough: ["a"], driver: "bwrap" },
      withheld: [],
    });
  });

  test.each<[SandboxSettings, SandboxSettings, SandboxSettings]>([
    [{}, { require: "enforced" }, { require: "enforced" }],
    [{}, { require: "off" }, {}],
    [{ require: "off" }, { require: "best-effort" }, { require: "best-effort" }],
    [{ require: "enforced" }, { require: "best-effort" }, { require: "enforced" }],
    [{}, { overlay: "preview" }, { overlay: "preview" }],
    [{}, { overlay: "off" }, {}],
    [{ overlay: "off" }, { overlay: "undo" }, { overlay: "undo" }],
    [{}, { network: "none" }, { network: "none" }],
    [{}, { network: { hosts: ["a"] } }, { network: { hosts: ["a"] } }],
    [{ network: { hosts: ["a"] } }, { network: { hosts: ["b"] } }, { network: { hosts: ["a"] } }],
    [{ network: "none" }, { network: "open" }, { network: "none" }],
    [{ network: { hosts: ["a"] } }, { network: "none" }, { network: "none" }],
    [{}, { driver: "none" }, {}],
    [{}, { passthrough: ["src"] }, {}],
  ])("over %j, %j of a place that may not widen comes to %j", (below, above, values) => {
    const merged = merge([below, true], [above, false]);

    expect(merged.values).toEqual(values);
    expect(merged.withheld.length).toBe(
      JSON.stringify(values) === JSON.stringify({ ...below, ...above }) ? 0 : 1,
    );
  });
});

test("an untrusted place adds secrets and opens none", () => {
  const merged = merge(
    [{ secrets: { add: ["~/.a"], open: ["~/.b"] } }, true],
    [{ secrets: { add: ["~/.c"], open: ["~/.d"] } }, false],
  );

  expect(merged.values).toEqual({ secrets: { add: ["~/.a", "~/.c"], open: ["~/.b"] } });
  expect(merged.withheld.map(({ what }) => what)).toEqual(['sandbox.secrets.open ["~/.d"]']);
});
