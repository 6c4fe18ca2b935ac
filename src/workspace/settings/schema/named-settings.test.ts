import { describe, expect, test } from "vitest";
import { defaultLimits } from "../../../core/index.ts";
import type { SandboxSettings } from "../settings.ts";
import { limitSettings, modelSettings, sandboxSettings } from "./named-settings.ts";
import { readSetting } from "./setting.ts";

describe("limits", () => {
  test("the defaults are limits", () => {
    expect(readSetting(limitSettings, defaultLimits).problems).toEqual([]);
  });

  test.each([
    { given: 7, message: "`limits` must be an object of groups.", hint: "It is ignored." },
    {
      given: { bash: 7 },
      message: "`limits.bash` must be an object of numbers.",
      hint: "It is ignored.",
    },
    {
      given: { bahs: {} },
      message: "There is no setting `limits.bahs`.",
      hint: 'It is ignored. Did you mean "bash"?',
    },
    {
      given: { bash: { timeoutMS: 1 } },
      message: "There is no setting `limits.bash.timeoutMS`.",
      hint: 'It is ignored. Did you mean "timeoutMs"?',
    },
    ...[0, -1, 1.5, "10", Number.NaN, Number.POSITIVE_INFINITY, null].map((value) => ({
      given: { read: { lines: value } },
      message: "`limits.read.lines` must be a whole number above 0.",
      hint: "It is ignored.",
    })),
    {
      given: { shownChars: { Bash: 0 } },
      message: "`limits.shownChars.Bash` must be a whole number above 0.",
      hint: "It is ignored.",
    },
  ])("$given is reported: $message", ({ given, message, hint }) => {
    const { value, problems } = readSetting(limitSettings, given, ["limits"]);

    expect(problems.map((problem) => [problem.message, problem.hint])).toEqual([[message, hint]]);
    expect(Object.values(value ?? {}).flatMap((names) => Object.keys(names))).toEqual([]);
  });

  test("valid settings next to invalid ones count", () => {
    const { value } = readSetting(limitSettings, {
      read: { lines: 10, nothing: 1 },
      shownChars: { MyTool: 5 },
    });

    expect(value).toEqual({ read: { lines: 10 }, shownChars: { MyTool: 5 } });
  });
});

describe("the sandbox", () => {
  test("a misspelled setting is answered with the nearest one", () => {
    expect(
      readSetting(sandboxSettings, { networks: "none" }, ["sandbox"]).problems[0]?.hint,
    ).toContain('Did you mean "network"?');
  });

  test("the name of an earlier version is answered with the new one", () => {
    const { problems } = readSetting(sandboxSettings, { through: ["target"] }, ["sandbox"]);

    expect(problems.map(({ hint }) => hint)).toEqual([
      'It is ignored. Did you mean "passthrough"?',
    ]);
  });

  test("what is right is taken as it stands", () => {
    const given = {
      require: "enforced",
      driver: "bwrap",
      network: { hosts: ["*.example.org"] },
      overlay: "preview",
      passthrough: ["node_modules"],
      secrets: { add: ["~/.ours"], open: ["/etc/x"] },
    };

    expect(readSetting(sandboxSettings, given)).toEqual({ value: given, problems: [] });
  });

  test.each<[unknown, SandboxSettings, string]>([
    [7, { require: "enforced" }, "`sandbox` must be an object."],
    [[], { require: "enforced" }, "`sandbox` must be an object."],
    [{ require: "enforce" }, { require: "enforced" }, "`sandbox.require` must be"],
    [{ require: false }, { require: "enforced" }, "`sandbox.require` must be"],
    [{ overlay: "on" }, { overlay: "preview" }, "`sandbox.overlay` must be"],
    [{ network: "closed" }, { network: "none" }, "`sandbox.network` must be"],
    [{ network: { hosts: "a" } }, { network: "none" }, "`sandbox.network` must be"],
    [{ network: { hosts: ["a"], ports: [1] } }, { network: "none" }, "`sandbox.network` must be"],
    [{ driver: 1 }, {}, "`sandbox.driver` must be a string."],
    [{ passthrough: "a" }, {}, "`sandbox.passthrough` must be a list of strings."],
    [{ passthrough: [1] }, {}, "`sandbox.passthrough` must be a list of strings."],
    [{ secrets: "~/.x" }, { secrets: {} }, "`sandbox.secrets` must be"],
    [
      { secrets: { add: ["x", "~/y"] } },
      { secrets: { add: ["~/y"] } },
      "`sandbox.secrets.add` must be",
    ],
    [
      { secrets: { opens: ["~/y"] } },
      { secrets: {} },
      "There is no setting `sandbox.secrets.opens`",
    ],
    [{ requires: "off" }, {}, "There is no setting `sandbox.requires`."],
    [{ through: ["a"] }, {}, "There is no setting `sandbox.through`."],
  ])("%j is said, and taken as the strictest it could mean", (given, values, message) => {
    const read = readSetting(sandboxSettings, given, ["sandbox"]);

    expect(read.value).toEqual(values);
    expect(read.problems).toHaveLength(1);
    expect(read.problems[0]?.message).toContain(message);
    expect(read.problems[0]?.hint).not.toBe("");
  });
});

const info = { contextTokens: 200_000, maxOutputTokens: 64_000 };
const usdPerMTok = { input: 1, output: 5, cacheRead: 0.1 };

test("models are read as they are", () => {
  const given = {
    default: "fast",
    background: "a:small",
    aliases: { fast: "a:m" },
    catalog: { "a:m": { ...info, usdPerMTok } },
  };

  expect(readSetting(modelSettings, given)).toEqual({ value: given, problems: [] });
});

test.each([
  { given: [], path: [], says: "`models` must be an object." },
  { given: { defaults: "a:m" }, path: ["defaults"], says: 'Did you mean "default"?' },
  { given: { default: 1 }, path: ["default"], says: "`models.default` must be a model" },
  { given: { background: "" }, path: ["background"], says: "`models.background` must be a model" },
  { given: { aliases: ["a:m"] }, path: ["aliases"], says: "`models.aliases` must be an object" },
  { given: { aliases: { fast: 1 } }, path: ["aliases", "fast"], says: "must be a model" },
  { given: { catalog: "a:m" }, path: ["catalog"], says: "`models.catalog` must be an object" },
  { given: { catalog: { "a:m": 1 } }, path: ["catalog", "a:m"], says: "must be an object" },
  {
    given: { catalog: { "a:m": { contextTokens: 0.5 } } },
    path: ["catalog", "a:m", "contextTokens"],
    says: "must be a whole number above 0",
  },
  {
    given: { catalog: { "a:m": { price: 1 } } },
    path: ["catalog", "a:m", "price"],
    says: "There are contextTokens, maxOutputTokens, usdPerMTok",
  },
  {
    given: { catalog: { "a:m": { usdPerMTok: { input: 1 } } } },
    path: ["catalog", "a:m", "usdPerMTok"],
    says: "needs `input` and `output`",
  },
  {
    given: { catalog: { "a:m": { usdPerMTok: { input: 1, output: -5 } } } },
    path: ["catalog", "a:m", "usdPerMTok", "output"],
    says: "must be a number of at least 0",
  },
])("$given is reported at $path", ({ given, path, says }) => {
  const { problems } = readSetting(modelSettings, given, ["models"]);

  expect(
    problems.map(({ path: at, message, hint }) => ({ at, text: `${message} ${hint}` })),
  ).toEqual([{ at: ["models", ...path], text: expect.stringContaining(says) }]);
});

test("a price list with one wrong price is left out, so that no tokens count as free", () => {
  const wrong = { ...usdPerMTok, cacheRead: "cheap" };

  const { value } = readSetting(modelSettings, {
    catalog: { "a:m": { ...info, usdPerMTok: wrong } },
  });

  expect(value).toEqual({ catalog: { "a:m": info } });
});

test("a name such as __proto__ is an entry like any other", () => {
  const given: unknown = JSON.parse('{"aliases":{"__proto__":"a:m"}}');

  expect(Object.keys(readSetting(modelSettings, given).value?.aliases ?? {})).toEqual([
    "__proto__",
  ]);
});
