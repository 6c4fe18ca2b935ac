import { describe, expect, test } from "vitest";
import { mergeSandbox, readSandbox } from "./read-sandbox.ts";
import type { SandboxSettings } from "./settings.ts";

test("a slip of the pen is told what was meant", () => {
  expect(readSandbox({ networks: "none" }).problems[0]?.hint).toContain('Did you mean "network"?');
});

test("what is right is taken as it stands", () => {
  const given = {
    require: "enforced",
    driver: "bwrap",
    network: { hosts: ["*.example.org"] },
    overlay: "preview",
    through: ["node_modules"],
    secrets: { add: ["~/.ours"], open: ["/etc/x"] },
  };

  expect(readSandbox(given)).toEqual({ values: given, problems: [] });
  expect(readSandbox(undefined)).toEqual({ values: {}, problems: [] });
});

test.each<[unknown, SandboxSettings, string]>([
  [7, { require: "enforced" }, "`sandbox` is an object."],
  [[], { require: "enforced" }, "`sandbox` is an object."],
  [{ require: "enforce" }, { require: "enforced" }, "`sandbox.require` is"],
  [{ require: false }, { require: "enforced" }, "`sandbox.require` is"],
  [{ overlay: "on" }, { overlay: "preview" }, "`sandbox.overlay` is"],
  [{ network: "closed" }, { network: "none" }, "`sandbox.network` is"],
  [{ network: { hosts: "a" } }, { network: "none" }, "`sandbox.network` is"],
  [{ network: { hosts: ["a"], ports: [1] } }, { network: "none" }, "`sandbox.network` is"],
  [{ driver: 1 }, {}, "`sandbox.driver` is a text."],
  [{ through: "a" }, {}, "`sandbox.through` is a list of texts."],
  [{ through: [1] }, {}, "`sandbox.through` is a list of texts."],
  [{ secrets: "~/.x" }, { secrets: {} }, "`sandbox.secrets` is"],
  [{ secrets: { add: ["x", "~/y"] } }, { secrets: { add: ["~/y"] } }, "`sandbox.secrets` is"],
  [{ secrets: { opens: ["~/y"] } }, { secrets: {} }, "`sandbox.secrets` is"],
  [{ requires: "off" }, {}, "There is no setting `sandbox.requires`."],
])("%j is said, and taken as the strictest it could mean", (given, values, message) => {
  const read = readSandbox(given);

  expect(read.values).toEqual(values);
  expect(read.problems).toHaveLength(1);
  expect(read.problems[0]?.message).toContain(message);
  expect(read.problems[0]?.hint).not.toBe("");
});

const merge = (...layers: readonly (readonly [SandboxSettings, boolean])[]) =>
  mergeSandbox(layers.map(([values, mayWiden]) => ({ values, mayWiden })));

describe("of several places", () => {
  test("the last one that may decides, setting by setting", () => {
    const merged = merge(
      [{ require: "off", overlay: "preview", through: ["a"] }, true],
      [{ require: "best-effort", driver: "bwrap" }, true],
    );

    expect(merged).toEqual({
      values: { require: "best-effort", overlay: "preview", through: ["a"], driver: "bwrap" },
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
    [{}, { through: ["src"] }, {}],
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
