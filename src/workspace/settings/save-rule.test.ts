import { describe, expect, test } from "vitest";
import { memoryHost, type MemoryHost } from "../../host/index.ts";
import { loadSettings } from "./load-settings.ts";
import { ruleFile } from "./rule-file.ts";
import { removeRule, saveRule } from "./save-rule.ts";
import { setSetting } from "./show/set-setting.ts";
import type { TrustOptions } from "../trust/record.ts";
import { isTrusted } from "../trust/trust.ts";
import { acceptChange, recordTrust, reviewTrust } from "../trust/change-trust.ts";

async function trustNow(options: TrustOptions): Promise<void> {
  await recordTrust(options, (await reviewTrust(options)).files);
}

const workspace = "/project";
const home = "/home/user";
const local = "/project/.haft/settings.local.json";

function world(files: Readonly<Record<string, string>> = {}): MemoryHost {
  return memoryHost({ root: workspace, home, files });
}

describe("saving a rule", () => {
  test("makes the file and its folder, and says where the rule stands", async () => {
    const host = world();

    const saved = await saveRule({ host, workspace, home, scope: "local", rule: "Bash(npm test)" });

    expect(saved).toEqual([
      {
        rule: "Bash(npm test)",
        list: "allow",
        scope: "local",
        file: local,
        line: 4,
        wasThere: false,
      },
    ]);
    expect(host.control.texts()[local]).toBe(
      '{\n  "permissions": {\n    "allow": [\n      "Bash(npm test)"\n    ]\n  }\n}\n',
    );
  });

  test("keeps comments, order and indentation", async () => {
    const before =
      '{\n\t// why\n\t"permissions": {\n\t\t"deny": ["Read(/k)"], // secret\n\t\t"allow": [\n\t\t\t"Edit(/a)"\n\t\t]\n\t}\n}\n';
    const host = world({ ".haft/settings.json": before });

    await saveRule({ host, workspace, home, scope: "project", rule: "Edit(/b)" });

    expect(host.control.texts()["/project/.haft/settings.json"]).toBe(
      before.replace('"Edit(/a)"\n', '"Edit(/a)",\n\t\t\t"Edit(/b)"\n'),
    );
  });

  test("several rules of one approval are saved one by one, those there already left", async () => {
    const host = world({ ".haft/settings.local.json": '{"permissions":{"allow":["Bash(a)"]}}' });

    const saved = await saveRule({
      host,
      workspace,
      home,
      scope: "local",
      rule: "Bash(a)\nBash(b)",
    });

    expect(saved.map(({ rule, wasThere }) => `${rule} ${wasThere}`)).toEqual([
      "Bash(a) true",
      "Bash(b) false",
    ]);
    expect(JSON.parse(host.control.texts()[local] ?? "")).toEqual({
      permissions: { allow: ["Bash(a)", "Bash(b)"] },
    });
  });

  test("what is there already is not written again", async () => {
    const host = world({
      ".haft/settings.local.json": '{"permissions":{"allow":[{"rule":"Bash(a)"}]}}',
    });
    const before = await host.fs.stat(local);

    const [saved] = await saveRule({ host, workspace, home, scope: "local", rule: "Bash(a)" });

    expect(saved?.wasThere).toBe(true);
    expect((await host.fs.stat(local)).version).toBe(before.version);
  });

  test("goes into other lists too", async () => {
    const host = world();

    await saveRule({ host, workspace, home, scope: "project", list: "deny", rule: "Read(.env)" });

    expect(host.control.texts()["/project/.haft/settings.json"]).toContain('"deny": [');
  });

  test("in a person's own file the path is spelled in full, and works", async () => {
    const host = world();

    const [saved] = await saveRule({
      host,
      workspace,
      home,
      scope: "user",
      rule: "Edit(/src/a.ts)",
    });
    const { compiled } = await loadSettings({ host, workspace, home, trusted: false });

    expect(saved).toMatchObject({
      rule: "Edit(//project/src/a.ts)",
      file: "/home/user/.haft/settings.json",
    });
    expect(compiled.rules.rules.map(({ ref }) => ref.rule)).toEqual(["Edit(//project/src/a.ts)"]);
  });

  test.each([
    ["Edit(", '"Edit(" is not a rule. The parenthesis is not closed.'],
    [
      "*",
      '"*" is not a rule. An allow rule may use `*` in a tool name only after a server: `mcp__server__*`.',
    ],
    ["Bash(a)\nRead(", '"Read(" is not a rule. The parenthesis is not closed.'],
  ])("%j is refused", async (rule, message) => {
    const host = world();

    await expect(saveRule({ host, workspace, home, scope: "local", rule })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message,
    });
    expect(host.control.texts()).toEqual({});
  });

  test.each([
    ["{ nonsense", "is not a JSON object, so nothing was saved."],
    ["[]", "is not a JSON object, so nothing was saved."],
    ['{"permissions":[]}', "does not hold rules where they belong."],
    ['{"permissions":{"allow":"x"}}', "does not hold rules where they belong."],
  ])("into %s is refused and the file left alone", async (text, message) => {
    const host = world({ ".haft/settings.local.json": text });

    await expect(
      saveRule({ host, workspace, home, scope: "local", rule: "Bash(a)" }),
    ).rejects.toMatchObject({ code: "INVALID_INPUT", message: `${local} ${message}` });
    expect(host.control.texts()[local]).toBe(text);
  });

  test("a file with nothing but a comment keeps it", async () => {
    const host = world({ ".haft/settings.local.json": "// mine\n" });

    await saveRule({ host, workspace, home, scope: "local", rule: "Bash(a)" });

    expect(host.control.texts()[local]).toMatch(/^\/\/ mine\n\{/u);
    expect((await loadSettings({ host, workspace, home, trusted: true })).problems).toEqual([]);
  });

  test("rules that are saved at the same time are both in the file afterwards", async () => {
    const host = world();

    await Promise.all(
      ["Bash(a)", "Bash(b)", "Bash(c)"].map((rule) =>
        saveRule({ host, workspace, home, scope: "local", rule }),
      ),
    );

    const { compiled } = await loadSettings({ host, workspace, home, trusted: true });
    expect(compiled.rules.rules.map(({ ref }) => ref.rule).toSorted()).toEqual([
      "Bash(a)",
      "Bash(b)",
      "Bash(c)",
    ]);
  });

  test.each([
    ["readFile", "EACCES", "ACCESS_DENIED"],
    ["writeAtomic", "ENOSPC", "NO_SPACE"],
  ] as const)("fails aloud when %s does, and at once", async (operation, fails, code) => {
    const host = world({ ".haft/settings.local.json": "{}" });
    host.control.fail({ operation, fails, times: 1, path: ".haft/settings.local.json" });

    await expect(
      saveRule({ host, workspace, home, scope: "local", rule: "Bash(a)" }),
    ).rejects.toMatchObject({ code });
    expect(host.control.texts()[local]).toBe("{}");
  });

  test("another program's file is never the one", () => {
    expect(ruleFile({ workspace, home, scope: "local" })).toBe(local);
    expect(ruleFile({ workspace, home, scope: "project" })).toBe("/project/.haft/settings.json");
    expect(ruleFile({ workspace, home, scope: "user" })).toBe("/home/user/.haft/settings.json");
  });

  test("a trusted workspace stays trusted, an untrusted one does not become so", async () => {
    const dataDirectory = "/home/user/data";
    const host = world({ ".haft/settings.json": "{}" });
    const trust = { host, workspace, dataDirectory };
    const save = { host, workspace, home, dataDirectory, scope: "local", rule: "Bash(a)" } as const;
    await trustNow(trust);

    await saveRule(save);

    expect((await isTrusted(trust)).trusted).toBe(true);
    await recordTrust(trust, undefined);
    await saveRule({ ...save, rule: "Bash(b)" });
    expect((await isTrusted(trust)).trusted).toBe(false);
  });
});

const server = (script: string) => ({ command: "node", args: [script] });
const rewrite = async (host: MemoryHost, name: string, text: string) =>
  await host.fs.writeAtomic(`${workspace}/${name}`, new TextEncoder().encode(text));

describe("a setting that is written to a trusted workspace", () => {
  const dataDirectory = "/home/user/data";
  const setServer = async (host: MemoryHost, name: string, script?: string) =>
    await setSetting({
      host,
      workspace,
      home,
      dataDirectory,
      scope: "local",
      path: ["mcpServers", name],
      value: script === undefined ? undefined : server(script),
    });

  test("is trusted together with the files that its program runs", async () => {
    const host = world({ ".haft/settings.json": "{}", "tools/s.mjs": "1", "tools/t.mjs": "1" });
    const trust = { host, workspace, dataDirectory };
    await trustNow(trust);

    await setServer(host, "s", "tools/s.mjs");

    expect(await isTrusted(trust)).toMatchObject({ trusted: true, changed: [] });
    await rewrite(host, "tools/s.mjs", "2");
    expect(await isTrusted(trust)).toMatchObject({ trusted: false, changed: ["tools/s.mjs"] });
    await setServer(host, "t", "tools/t.mjs");
    expect((await isTrusted(trust)).changed).toContain("tools/s.mjs");
  });

  test("releases the files of a program that it removes, if no other one runs them", async () => {
    const servers = {
      s: server("tools/s.mjs"),
      t: server("tools/t.mjs"),
      u: server("tools/t.mjs"),
    };
    const host = world({
      ".haft/settings.local.json": JSON.stringify({ mcpServers: servers }),
      "tools/s.mjs": "1",
      "tools/t.mjs": "1",
    });
    const trust = { host, workspace, dataDirectory };
    await trustNow(trust);

    await setServer(host, "s");
    await setServer(host, "t");

    expect(await isTrusted(trust)).toMatchObject({ trusted: true, changed: [] });
    await rewrite(host, "tools/s.mjs", "2");
    expect((await isTrusted(trust)).trusted).toBe(true);
    await rewrite(host, "tools/t.mjs", "2");
    expect((await isTrusted(trust)).changed).toEqual(["tools/t.mjs"]);
  });

  test("accepts no change of a file that was trusted before", async () => {
    const host = world({ ".haft/settings.json": "{}", "tools/s.mjs": "1" });
    const trust = { host, workspace, dataDirectory };
    await trustNow(trust);
    await setServer(host, "s", "tools/s.mjs");
    await rewrite(host, "tools/s.mjs", "2");

    await setServer(host, "again", "tools/s.mjs");
    // Also where the file changes after the workspace was compared.
    const { hash } = await host.fs.readFile(`${workspace}/tools/s.mjs`);
    const settings = await host.fs.readFile(local);
    const added = new Map([["tools/s.mjs", hash]]);
    await acceptChange(trust, { path: local, hash: settings.hash, added });

    expect((await isTrusted(trust)).changed).toEqual(["tools/s.mjs"]);
  });
});

describe("removing a rule", () => {
  test("takes out every one of that text and leaves the rest", async () => {
    const host = world({
      ".haft/settings.local.json":
        '{"permissions":{"allow":["Bash(a)","Bash(b)",{"rule":"Bash(a)","expires":"2027-01-01"}]}}',
    });
    const options = { host, workspace, home, scope: "local", rule: "Bash(a)" } as const;

    expect(await removeRule(options)).toBe(true);
    expect(await removeRule(options)).toBe(false);

    expect(JSON.parse(host.control.texts()[local] ?? "")).toEqual({
      permissions: { allow: ["Bash(b)"] },
    });
  });

  test("from a file that is not there makes none", async () => {
    const host = world();

    expect(await removeRule({ host, workspace, home, scope: "local", rule: "Bash(a)" })).toBe(
      false,
    );
    expect(host.control.texts()).toEqual({});
  });
});

describe("a settings file of the workspace that is a link", () => {
  const personal = "/home/user/.haft/settings.json";

  test.each(["local", "project"] as const)(
    "out of it takes no rule of the scope %s",
    async (scope) => {
      const host = world({ [personal]: "{}\n" });
      const file = ruleFile({ workspace, home, scope });
      host.control.plant(file, { kind: "symlink", target: personal });
      const options = { host, workspace, home, scope, rule: "Bash(npm test)" };

      await expect(saveRule(options)).rejects.toMatchObject({ code: "OUTSIDE_WORKSPACE" });
      await expect(removeRule(options)).rejects.toMatchObject({ code: "OUTSIDE_WORKSPACE" });
      expect(host.control.texts()[personal]).toBe("{}\n");
    },
  );

  test("within it takes one", async () => {
    const host = world({ "shared.json": "{}\n" });
    host.control.plant(local, { kind: "symlink", target: "/project/shared.json" });

    await saveRule({ host, workspace, home, scope: "local", rule: "Bash(npm test)" });

    expect(host.control.texts()["/project/shared.json"]).toContain("Bash(npm test)");
  });
});
