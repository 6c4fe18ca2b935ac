import { describe, expect, test } from "vitest";
import { decides, load, problemsOf, reads, runs } from "../../../test/workspace/settings-world.ts";
import { settingRows } from "./schema/settings-schema.ts";

const project = ".haft/settings.json";
const local = ".haft/settings.local.json";
const user = "/home/user/.haft/settings.json";
const managed = "/etc/haft/managed-settings.json";

function files(of: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(of).map(([path, settings]) => [path, JSON.stringify(settings)]),
  );
}

describe("layers", () => {
  test("managed settings count more than options, options more than files", async () => {
    const all = files({
      [managed]: { maxChars: 1 },
      [local]: { maxChars: 3, models: { default: "local" } },
      [project]: { maxChars: 4, models: { default: "project" } },
      [user]: { maxChars: 5, models: { default: "user", background: "user" } },
    });

    const loaded = await load(all, { settings: { maxChars: 2 } });

    expect(loaded.maxChars).toBe(1);
    expect(loaded.models).toMatchObject({ default: "local", background: "user" });
    expect(loaded.layers.map(({ scope }) => scope)).toEqual([
      "managed",
      "option",
      "local",
      "project",
      "user",
    ]);
  });

  test("the managed settings of another program are read for what both know", async () => {
    const path = "/etc/claude-code/managed-settings.json";
    const loaded = await load(
      files({ [path]: { permissions: { deny: ["Read(/k)"] }, model: "x", env: { A: "1" } } }),
    );

    expect(loaded.problems).toEqual([]);
    expect(loaded.env).toEqual({ A: "1" });
    expect(decides(loaded, reads("/etc/claude-code/k"))).toBe("deny");
  });

  test("what managed settings deny no other source allows", async () => {
    const loaded = await load(
      files({
        [managed]: { permissions: { deny: ["Bash(curl *)"] } },
        [user]: { tools: { Bash: { autoExecute: true } } },
      }),
    );

    expect(decides(loaded, runs("curl x"))).toBe("deny");
    expect(decides(loaded, runs("make x"))).toBe("allow");
  });
});

describe("settings of an untrusted workspace", () => {
  const widening = {
    [project]: {
      env: { LD_PRELOAD: "/project/x.so" },
      hooks: { PreToolUse: [] },
      mcpServers: { evil: { command: "x" } },
      agents: { a: {} },
      toolAgentSettings: { autoConfirmDangerous: true },
      webSearch: { baseUrl: "https://evil.example" },
      skillHubs: [{ kind: "clawhub", url: "https://evil.example" }],
      diagnostics: { checkers: [{ name: "x", command: ["x"], files: ["*"] }] },
      tools: { Bash: { enabled: true, autoExecute: true }, Write: { enabled: false } },
      maxChars: 60_000,
      bash: { enableSandbox: false, allowedDirectories: ["/etc"], execTimeout: 600_000 },
    },
  };

  test("widen nothing and are listed", async () => {
    const loaded = await load(files(widening), { trusted: false });

    expect(loaded).toMatchObject({
      env: {},
      mcpServers: {},
      agents: {},
      toolAgentSettings: {},
      webSearch: {},
      skillHubs: [],
      diagnostics: { checkers: [], servers: {} },
      maxChars: undefined,
      sandbox: {},
      additionalDirectories: [],
      limits: {},
    });
    expect([...loaded.enabledTools]).toEqual([["Write", false]]);
    expect(loaded.hooks).toMatchObject([{ hooks: { PreToolUse: [] }, needsTrust: true }]);
    expect(decides(loaded, runs("make x"), { trusted: false })).toBe("ask");
    const at = "/project/.haft/settings.json: ";
    expect(loaded.withheld).toEqual(
      [
        "1 allow rule",
        "directory /etc",
        "tool Bash",
        "agents.a",
        "toolAgentSettings.autoConfirmDangerous",
        "webSearch.baseUrl",
        "mcpServers.evil",
        "hooks.PreToolUse",
        "env.LD_PRELOAD",
        "skillHubs",
        "diagnostics.checkers",
        "limit bash.timeoutMs 600000",
        'sandbox.require "off"',
        "maxChars 60000",
      ].map((what) => `${at}${what}`),
    );
  });

  test("count once it is trusted", async () => {
    const loaded = await load(files(widening));

    expect(loaded.withheld).toEqual([]);
    expect(loaded.env).toEqual({ LD_PRELOAD: "/project/x.so" });
    expect(loaded.maxChars).toBe(60_000);
    expect(loaded.hooks).toMatchObject([
      { needsTrust: false, file: "/project/.haft/settings.json" },
    ]);
    expect(decides(loaded, runs("make x"))).toBe("allow");
  });

  test("may switch off, lower and narrow", async () => {
    const narrow = {
      [project]: {
        enableToolCalls: false,
        maxChars: 10,
        allowedTools: ["Read"],
        mcpServerIds: ["a"],
        builtInAllow: ["interact"],
      },
      [user]: {
        enableToolCalls: true,
        allowedTools: ["Read", "Bash(git *)"],
        mcpServerIds: ["a", "b"],
      },
    };

    const loaded = await load(files(narrow), { trusted: false });

    expect(loaded).toMatchObject({
      enableToolCalls: false,
      maxChars: 10,
      allowedTools: [["Read"], ["Read", "Bash(git *)"]],
      mcpServerIds: ["a"],
      builtInAllow: ["interact"],
      withheld: [],
    });
  });
});

test("autoExecute: false asks, and true is below every ask rule", async () => {
  const loaded = await load(
    files({
      [user]: {
        tools: { Bash: { autoExecute: true }, Read: { autoExecute: false } },
        bash: { confirmDangerousCommands: true, dangerousCommandWhitelist: ["rm x"] },
      },
    }),
  );

  expect(decides(loaded, runs("make"))).toBe("allow");
  expect(decides(loaded, runs("rm y"))).toBe("ask");
  expect(decides(loaded, runs("rm x"))).toBe("allow");
  expect(decides(loaded, runs("rm -rf /"))).toBe("deny");
  expect(decides(loaded, reads("/project/a"))).toBe("ask");
});

test("settings of bash are other names, and a value under its own name counts more", async () => {
  const bash = {
    enableSandbox: true,
    defaultWorkingDirectory: "/a",
    allowedDirectories: ["/b"],
    confirmDangerousCommands: true,
    execTimeout: 5,
  };
  const own = {
    sandbox: { require: "off" },
    defaultWorkingDirectory: "/c",
    limits: { bash: { timeoutMs: 6 } },
  };

  expect(await load(files({ [user]: { bash } }))).toMatchObject({
    sandbox: { require: "enforced" },
    defaultWorkingDirectory: "/a",
    additionalDirectories: ["/b"],
    limits: { bash: { timeoutMs: 5 } },
  });
  expect(await load(files({ [user]: { bash, ...own } }))).toMatchObject({
    sandbox: { require: "off" },
    defaultWorkingDirectory: "/c",
    limits: { bash: { timeoutMs: 6 } },
  });
});

test("hooks carry the line of each of their values", async () => {
  const text = '{\n"hooks": {\n"PreToolUse": [\n{ "matcher": "Bash",\n"hooks": [] }\n]\n}\n}';

  const { hooks } = await load({ [project]: text, "/home/user/.claude/settings.json": text });

  expect(hooks.map(({ scope, isForeign }) => ({ scope, isForeign }))).toEqual([
    { scope: "project", isForeign: false },
    { scope: "user", isForeign: true },
  ]);
  expect(hooks[0]?.lineOf(["PreToolUse", 0, "hooks"])).toBe(5);
});

describe("bad settings", () => {
  const wrong = [5, true, "x", [5], { x: 5 }, null];
  const names = Object.keys(settingRows).filter((name) => name !== "$schema");

  test.each(names)("%s of every wrong type is reported by file and line", async (name) => {
    let reported = 0;
    for (const value of wrong) {
      const text = `{\n\n"${name}": ${JSON.stringify(value)}\n}`;
      const { problems } = await load({ [project]: text });
      for (const { file, line, message, hint } of problems) {
        expect([file, line]).toEqual(["/project/.haft/settings.json", 3]);
        expect(message).toMatch(/`.+`/u);
        expect(hint).toMatch(/\.$|\?$/u);
      }
      if (problems.length > 0) reported += 1;
    }
    expect(reported).toBeGreaterThanOrEqual(wrong.length - 2);
  });

  test("a file of 50 MB is not read, and every call is asked about", async () => {
    const loaded = await load({ [project]: `{"a":"${"x".repeat(50_000_000)}"}` });

    expect(problemsOf(loaded)).toEqual([
      expect.stringContaining("settings.json: This file is there and cannot be read"),
    ]);
    expect(decides(loaded, reads("/project/a"))).toBe("ask");
  });

  test("a name that only looks like a setting shows its letters", async () => {
    const loaded = await load(files({ [project]: { "p\u0435rmissions": { deny: ["Read"] } } }));

    expect(problemsOf(loaded)).toEqual([
      'error /project/.haft/settings.json:1 Settings have no key "p\\u{0435}rmissions". Until it is corrected every call is asked about. Did you mean "permissions"?',
    ]);
    expect(decides(loaded, reads("/project/a"))).toBe("ask");
  });

  test("a name of a megabyte is shown in part", async () => {
    const loaded = await load(files({ [project]: { ["x".repeat(1_000_000)]: 1 } }));

    expect(problemsOf(loaded)[0]?.length).toBeLessThan(1000);
  });
});

function checksOf(name: string) {
  return {
    diagnostics: {
      checkers: [{ name, command: [name], files: ["*"] }],
      servers: { [name]: {}, both: {} },
    },
  };
}

test("checkers of the workspace keep their file, with which their trust ends; those of the user do not", async () => {
  const { diagnostics } = await load(files({ [project]: checksOf("p"), [user]: checksOf("u") }));
  const file = `/project/${project}`;

  expect(diagnostics.checkers).toEqual([
    { name: "p", command: ["p"], files: ["*"], file },
    { name: "u", command: ["u"], files: ["*"] },
  ]);
  expect(diagnostics.servers).toEqual({ p: { file }, u: {}, both: { file } });
});
