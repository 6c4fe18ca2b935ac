import { describe, expect, test } from "vitest";
import {
  decides,
  home,
  load,
  problemsOf,
  reads,
  runs,
  workspace,
  world,
  writes,
} from "../../../test/workspace/settings-world.ts";
import { loadSettings } from "./load-settings.ts";

describe("settings files", () => {
  test("of every place add up, and each rule knows its file and line", async () => {
    const loaded = await load({
      ".haft/settings.local.json": '{ "permissions": { "allow": ["Edit(/a)"] } }',
      ".haft/settings.json":
        '{ "permissions": {\n  "deny": [\n    "Read(/k)",\n    "Read(/l)"\n  ] } }',
      "/home/user/.haft/settings.json": '{ "permissions": { "ask": ["Bash(git push *)"] } }',
      ".claude/settings.json": '{ "permissions": { "allow": ["Bash(npm test:*)"] } }',
      ".claude/settings.local.json": '{ "permissions": { "allow": ["Edit(/b)"] } }',
      "/home/user/.claude/settings.json": '{ "permissions": { "allow": ["Edit(/c)"] } }',
    });

    expect(loaded.problems).toEqual([]);
    expect(loaded.compiled.rules.rules.map(({ ref }) => ref)).toEqual([
      {
        rule: "Edit(/a)",
        list: "allow",
        scope: "local",
        file: "/project/.haft/settings.local.json",
        line: 1,
      },
      {
        rule: "Read(/k)",
        list: "deny",
        scope: "project",
        file: "/project/.haft/settings.json",
        line: 3,
      },
      {
        rule: "Read(/l)",
        list: "deny",
        scope: "project",
        file: "/project/.haft/settings.json",
        line: 4,
      },
      {
        rule: "Bash(git push *)",
        list: "ask",
        scope: "user",
        file: "/home/user/.haft/settings.json",
        line: 1,
      },
      {
        rule: "Edit(/b)",
        list: "allow",
        scope: "local",
        file: "/project/.claude/settings.local.json",
        line: 1,
      },
      {
        rule: "Bash(npm test:*)",
        list: "allow",
        scope: "project",
        file: "/project/.claude/settings.json",
        line: 1,
      },
      {
        rule: "Edit(/c)",
        list: "allow",
        scope: "user",
        file: "/home/user/.claude/settings.json",
        line: 1,
      },
    ]);
    expect(loaded.files.map(({ scope, isForeign }) => `${scope} ${isForeign}`)).toEqual([
      "local false",
      "project false",
      "user false",
      "local true",
      "project true",
      "user true",
    ]);
    expect(decides(loaded, writes("/project/a"))).toBe("allow");
    expect(decides(loaded, reads("/project/l"))).toBe("deny");
    // A leading slash in the user's own file means the directory of that file.
    expect(decides(loaded, writes("/project/c"))).toBe("ask");
  });

  test("may hold comments and trailing commas", async () => {
    const loaded = await load({
      ".haft/settings.json": '// mine\n{ "permissions": { /* no */ "deny": ["Read(/k)",], }, }',
    });

    expect(loaded.problems).toEqual([]);
    expect(decides(loaded, reads("/project/k"))).toBe("deny");
  });

  test("that are not there change nothing", async () => {
    const loaded = await load({});

    expect(loaded).toMatchObject({
      files: [],
      problems: [],
      sources: [],
      restrictToWorkspace: false,
    });
  });

  test("that are empty change nothing", async () => {
    const loaded = await load({
      ".haft/settings.json": "",
      ".haft/settings.local.json": "// later\n",
    });

    expect(loaded.problems).toEqual([]);
    expect(loaded.sources).toEqual([]);
  });

  test("can be left unread", async () => {
    const loaded = await load(
      { ".haft/settings.json": '{ "permissions": { "deny": ["Read"] } }' },
      { files: false, settings: { permissions: { deny: ["Edit"] } } },
    );

    expect(loaded.files).toEqual([]);
    expect(decides(loaded, reads("/project/a"))).toBe("allow");
    expect(decides(loaded, writes("/project/a"))).toBe("deny");
  });

  test("of a program are read like a file above all others", async () => {
    const loaded = await load(
      { ".haft/settings.json": '{ "permissions": { "defaultMode": "plan" } }' },
      { settings: { permissions: { defaultMode: "acceptEdits", allow: ["Edit(/a)"] } } },
    );

    expect(loaded.defaultMode).toBe("acceptEdits");
    expect(loaded.compiled.rules.rules[0]?.ref).toEqual({
      rule: "Edit(/a)",
      list: "allow",
      scope: "option",
    });
  });
});

describe("a broken settings file", () => {
  test("makes every call a question, keeps what it still denies and grants nothing", async () => {
    const loaded = await load({
      ".haft/settings.json":
        '{ "permissions": {\n "deny": ["Read(/k)"], "allow": ["Edit"], "defaultMode": "acceptEdits", "additionalDirectories": ["/x"]\n "ask": [] }',
    });

    expect(problemsOf(loaded)).toEqual([
      "error /project/.haft/settings.json:3 This is not JSON (comma expected), so what it denies may be lost. Correct it; until then every call is asked about and what it allows is ignored.",
    ]);
    expect(loaded.compiled.rules.rules.map(({ ref }) => ref.rule)).toEqual(["Read(/k)", "*"]);
    expect(decides(loaded, reads("/project/k"))).toBe("deny");
    expect(decides(loaded, reads("/project/a"))).toBe("ask");
    expect(decides(loaded, [], { mode: "bypassPermissions" })).toBe("ask");
    expect(loaded).toMatchObject({ defaultMode: undefined, additionalDirectories: [] });
  });

  test.each([
    ["[]", "Settings must be an object."],
    ['{ "permissions": [] }', "`permissions` must be an object."],
    ['{ "permissions": { "deny": "Read" } }', "`permissions.deny` must be a list of rules."],
    ['{ "permissions": { "ask": {} } }', "`permissions.ask` must be a list of rules."],
    ['{ "permissions": { "deney": ["Read"] } }', '`permissions` has no key "deney".'],
    ['{ "permissions": { "asks": ["Read"] } }', '`permissions` has no key "asks".'],
    ['{ "deny": ["Read"] }', 'Settings have no key "deny".'],
    ['{ "permisions": { "deny": ["Read"] } }', 'Settings have no key "permisions".'],
    [
      '{ "permissions": { "deny": ["Read"], "deny": [] } }',
      'The key "deny" occurs twice, so one of them is lost.',
    ],
    [
      '{ "permissions": { "deny": ["Read"] }, "permissions": {} }',
      'The key "permissions" occurs twice, so one of them is lost.',
    ],
  ])("%s could hide a rule, so every call is asked about", async (text, message) => {
    const loaded = await load({ ".haft/settings.json": text });

    expect(loaded.problems[0]).toMatchObject({ severity: "error", message, line: 1 });
    expect(decides(loaded, writes("/project/a"), { mode: "bypassPermissions" })).toBe("ask");
  });

  test.each([
    [
      '{ "permissions": { "allow": "Edit" } }',
      "`permissions.allow` must be a list of rules. It grants nothing.",
    ],
    [
      '{ "permissions": { "alow": ["Edit"] } }',
      '`permissions` has no key "alow". It is ignored. Did you mean "allow"?',
    ],
    [
      '{ "permisions": {} }',
      'Settings have no key "permisions". It is ignored. Did you mean "permissions"?',
    ],
    [
      '{ "permissions": { "defaultMode": "fast" } }',
      '`permissions.defaultMode` must be one of "default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "manual". It is ignored.',
    ],
    [
      '{ "permissions": { "defaultMode": 5 } }',
      '`permissions.defaultMode` must be one of "default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "manual". It is ignored.',
    ],
    [
      '{ "permissions": { "additionalDirectories": "x" } }',
      "`permissions.additionalDirectories` must be a list of strings. It is ignored.",
    ],
    [
      '{ "permissions": { "additionalDirectories": [5] } }',
      "`permissions.additionalDirectories` must be a list of strings. It is ignored.",
    ],
    [
      '{ "restrictToWorkspace": "yes" }',
      "`restrictToWorkspace` must be true or false. It is taken as true.",
    ],
    [
      '{ "dangerousCommandWhitelist": "x" }',
      "`dangerousCommandWhitelist` must be a list of strings. It is ignored.",
    ],
    [
      '{ "permissions": { "disableBypassPermissionsMode": true } }',
      '`permissions.disableBypassPermissionsMode` must be "disable" or left out. It is taken as disabled.',
    ],
  ])("%s is reported and hides nothing", async (text, problem) => {
    const loaded = await load({ ".haft/settings.json": text });

    expect(problemsOf(loaded)).toEqual([`error /project/.haft/settings.json:1 ${problem}`]);
    expect(decides(loaded, reads("/project/a"))).toBe("allow");
  });

  test("with one bad rule keeps the others", async () => {
    const loaded = await load({
      ".haft/settings.json": '{ "permissions": {\n "allow": [\n  "Edit(",\n  "Edit(/a)"\n] } }',
    });

    expect(problemsOf(loaded)).toEqual([
      "error /project/.haft/settings.json:3 The parenthesis is not closed. It grants nothing.",
    ]);
    expect(decides(loaded, writes("/project/a"))).toBe("allow");
  });

  test("that cannot be read makes every call a question", async () => {
    const host = world({ ".haft/settings.json": "{}" });
    host.control.fail({ path: ".haft/settings.json", operation: "readFile", fails: "EACCES" });

    const loaded = await loadSettings({ host, workspace, home, trusted: true });

    expect(problemsOf(loaded)).toEqual([
      "error /project/.haft/settings.json: This file is there and cannot be read, so what it denies is not known. The operating system does not permit this on /project/.haft/settings.json. Make it readable or remove it; until then every call is asked about.",
    ]);
    expect(decides(loaded, reads("/project/a"))).toBe("ask");
  });

  test("of another program is asked for its permissions only", async () => {
    const loaded = await load({
      ".claude/settings.json":
        '{ "model": "x", "restrictToWorkspace": true, "permissions": { "defaultMode": "manual", "disableAutoMode": "disable", "deny": ["Read(/k)"] } }',
    });

    expect(loaded.problems).toEqual([]);
    expect(loaded.restrictToWorkspace).toBe(false);
    expect(loaded.defaultMode).toBe("default");
    expect(decides(loaded, reads("/project/k"))).toBe("deny");
  });
});

describe("single settings", () => {
  test("a narrowing flag with an invalid value counts as set", async () => {
    const loaded = await load({ ".haft/settings.json": '{ "restrictToWorkspace": "no" }' });

    expect(loaded.restrictToWorkspace).toBe(true);
  });

  test("the most particular place decides", async () => {
    const loaded = await load({
      ".haft/settings.local.json": '{ "permissions": { "defaultMode": "plan" } }',
      ".haft/settings.json":
        '{ "permissions": { "defaultMode": "acceptEdits" }, "defaultWorkingDirectory": "a" }',
      "/home/user/.haft/settings.json": '{ "defaultWorkingDirectory": "b" }',
    });

    expect(loaded).toMatchObject({ defaultMode: "plan", defaultWorkingDirectory: "a" });
  });

  test("bypassPermissions can be switched off anywhere", async () => {
    const loaded = await load(
      {
        "/home/user/.haft/settings.json":
          '{ "permissions": { "defaultMode": "bypassPermissions" } }',
        ".haft/settings.json": '{ "permissions": { "disableBypassPermissionsMode": "disable" } }',
      },
      { trusted: false },
    );

    expect(loaded).toMatchObject({ isBypassDisabled: true, defaultMode: undefined });
  });

  test("additional folders start at the workspace or home and are canonical", async () => {
    const loaded = await load({
      "/project/x/a": "",
      "/srv/lib/a": "",
      ".haft/settings.json":
        '{ "permissions": { "additionalDirectories": ["../srv/lib", "~/notes", "/srv/lib/", "~"] } }',
    });

    expect(loaded.additionalDirectories).toEqual(["/srv/lib", "/home/user/notes", "/home/user"]);
  });

  test("deny patterns without an anchor hold in additional folders", async () => {
    const loaded = await load({
      ".haft/settings.json":
        '{ "permissions": { "deny": ["Read(.env)"], "additionalDirectories": ["/lib"] } }',
    });

    expect(decides(loaded, reads("/lib/a/.env"))).toBe("deny");
  });

  test("dangerous commands are asked about although allowed, except for those listed", async () => {
    const loaded = await load({
      ".haft/settings.json":
        '{ "confirmDangerousCommands": true, "dangerousCommandWhitelist": ["rm -r dist"], "permissions": { "allow": ["Bash(rm *)", "Bash(npm *)"] } }',
    });

    expect(decides(loaded, runs("rm -r src"))).toBe("ask");
    expect(decides(loaded, runs("rm -r dist"))).toBe("allow");
    expect(decides(loaded, runs("npm publish"))).toBe("ask");
    expect(decides(loaded, runs("npm test"))).toBe("allow");
    expect(loaded.compiled.problems).toEqual([]);
  });

  test("a listed command is still below deny rules and the floor", async () => {
    const loaded = await load({
      ".haft/settings.json":
        '{ "dangerousCommandWhitelist": ["rm -rf /", "git push"], "permissions": { "deny": ["Bash(git push *)"] } }',
    });

    expect(decides(loaded, runs("rm -rf /"))).toBe("deny");
    expect(decides(loaded, runs("git push"))).toBe("deny");
  });
});
