import { describe, expect, test } from "vitest";
import { decides, load, reads, runs, writes } from "../../../test/workspace/settings-world.ts";

describe("an untrusted workspace", () => {
  const files = {
    ".haft/settings.json": `{ "permissions": { "deny": ["Read(/k)"], "ask": ["Read(/q)"], "allow": ["Edit(/a)"],
      "defaultMode": "bypassPermissions", "additionalDirectories": ["/etc"] },
      "dangerousCommandWhitelist": ["rm x"], "defaultWorkingDirectory": "/etc" }`,
    ".haft/settings.local.json": '{ "permissions": { "allow": ["Edit(/b)"] } }',
    "/home/user/.haft/settings.json":
      '{ "permissions": { "allow": ["Edit(//project/c)"], "defaultMode": "plan" } }',
  };

  test("may deny and ask, and widens nothing", async () => {
    const loaded = await load(files, { trusted: false });
    const more = { trusted: false };

    expect(decides(loaded, reads("/project/k"), more)).toBe("deny");
    expect(decides(loaded, reads("/project/q"), more)).toBe("ask");
    expect(decides(loaded, writes("/project/a"), more)).toBe("ask");
    expect(decides(loaded, writes("/project/b"), more)).toBe("ask");
    expect(decides(loaded, writes("/project/c"), more)).toBe("allow");
    expect(decides(loaded, runs("rm x"), more)).toBe("ask");
    expect(loaded).toMatchObject({
      defaultMode: "plan",
      additionalDirectories: [],
      defaultWorkingDirectory: undefined,
      withheld: [
        "/project/.haft/settings.local.json: 1 allow rule",
        "/project/.haft/settings.json: 2 allow rules",
        "/project/.haft/settings.json: mode bypassPermissions",
        "/project/.haft/settings.json: directory /etc",
      ],
    });
  });

  test("does all of it once trusted", async () => {
    const loaded = await load(files);

    expect(decides(loaded, writes("/project/a"))).toBe("allow");
    expect(decides(loaded, runs("rm x"))).toBe("allow");
    expect(loaded).toMatchObject({
      defaultMode: "bypassPermissions",
      additionalDirectories: ["/etc"],
      defaultWorkingDirectory: "/etc",
      withheld: [],
    });
  });

  test("that asks for nothing has nothing withheld", async () => {
    const text = '{ "permissions": { "deny": ["Read(/k)"] } }';
    const loaded = await load({ ".haft/settings.json": text }, { trusted: false });

    expect(loaded.withheld).toEqual([]);
  });

  test("may restrict, and not lift a restriction", async () => {
    const lifts = { ".haft/settings.json": '{ "restrictToWorkspace": false }' };
    const mine = { "/home/user/.haft/settings.json": '{ "restrictToWorkspace": true }' };
    const sets = { ".haft/settings.json": '{ "restrictToWorkspace": true }' };

    expect((await load({ ...lifts, ...mine }, { trusted: false })).restrictToWorkspace).toBe(true);
    expect((await load({ ...lifts, ...mine })).restrictToWorkspace).toBe(false);
    expect((await load(sets, { trusted: false })).restrictToWorkspace).toBe(true);
  });
});
