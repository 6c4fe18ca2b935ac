import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { haft, settingsWorld } from "../../../../test/support/cli.ts";

const project = ".haft/settings.json";
const local = ".haft/settings.local.json";

test("show names every value that counts, and with --origin its file, line and state", async () => {
  await using world = await settingsWorld({
    [project]: `{
  // Long tests.
  "limits": { "bash": { "timeoutMs": 60000, "maxTimeoutMs": 900000 } },
  "permissions": { "deny": ["Read(/k)", "Read(/l)"], "allow": ["Edit"] },
  "maxChars": 900,
  "env": { "A": "1" },
  "search": { "defaultExcludes": "sometimes" }
}`,
    [local]: '{ "limits": { "bash": { "timeoutMs": 50000 } } }',
  });

  const shown = await haft(["config", "show"], { world });
  const all = await haft(["config", "show", "--origin"], { world });

  const files = (text: string) => text.replaceAll(`${world.workspace}/.haft/`, "");
  expect(shown.code).toBe(0);
  expect(shown.out).toMatchInlineSnapshot(`
    "permissions.deny[0]    "Read(/k)"
    permissions.deny[1]    "Read(/l)"
    maxChars               900
    limits.bash.timeoutMs  50000
    "
  `);
  expect(files(all.out)).toMatchInlineSnapshot(`
    "permissions.allow[0]      "Edit"  settings.json:4 (needs trust)
    permissions.deny[0]       "Read(/k)"  settings.json:4
    permissions.deny[1]       "Read(/l)"  settings.json:4
    maxChars                  900  settings.json:5
    limits.bash.maxTimeoutMs  900000  settings.json:3 (needs trust)
    limits.bash.timeoutMs     50000  settings.local.json:1
    limits.bash.timeoutMs     60000  settings.json:3 (overridden)
    search.defaultExcludes    "sometimes"  settings.json:7 (ignored)
    env.A                     "1"  settings.json:6 (needs trust)
    "
  `);
});

test("get prints one value as JSON, a default too", async () => {
  await using world = await settingsWorld({
    [project]: '{ "permissions": { "deny": ["Read(/k)"] }, "limits": { "read": { "lines": 5 } } }',
  });
  const got = async (key: string) => (await haft(["config", "get", key], { world })).out;

  expect(await got("limits.read.lines")).toBe("5\n");
  expect(await got("permissions.deny")).toBe('[\n  "Read(/k)"\n]\n');
  expect(await got("maxChars")).toBe("50000\n");
  expect(JSON.parse(await got("builtInAllow"))).toEqual([
    "interact",
    "device",
    "connect-public",
    "delegate",
  ]);
  expect(await haft(["config", "get", "models.default"], { world })).toMatchObject({
    code: 1,
    err: "haft: models.default is not set and has no default.\n",
  });
});

test("set keeps comments, says where, and unset removes", async () => {
  const text = '{\n  // Why.\n  "maxChars": 5000, // Here too.\n  "env": {}\n}\n';
  await using world = await settingsWorld({ [local]: text });
  const file = path.join(world.workspace, local);

  const set = await haft(["config", "set", "maxChars", "4000"], { world });
  const again = await haft(["config", "set", "maxChars", "4000"], { world });
  const env = await haft(["config", "set", 'env["a.b"]', "x"], { world });
  const unset = await haft(["config", "unset", "maxChars"], { world });

  expect(set).toMatchObject({ code: 0, out: `Saved: maxChars = 4000 (${file}:3)\n` });
  expect(again).toMatchObject({ code: 1, out: `Unchanged: maxChars = 4000 (${file}:3)\n` });
  expect(env.code).toBe(0);
  expect(unset).toMatchObject({ code: 0, out: `Removed: maxChars (${file})\n` });
  const left = await readFile(file, "utf8");
  expect(left).toContain("// Why.");
  expect(left).not.toContain("maxChars");
  expect(left).toContain('"a.b": "x"');
});

test("set says when the saved value does not count", async () => {
  await using world = await settingsWorld({ [local]: '{ "maxChars": 4000 }' });

  const untrusted = await haft(["config", "set", "env", '{ "A": "x" }'], { world });
  const overridden = await haft(["config", "set", "maxChars", "6000", "--scope", "project"], {
    world,
  });
  const effective = await haft(["config", "set", "maxChars", "3000"], { world });

  expect(untrusted).toMatchObject({
    code: 0,
    err: "It does not apply until you trust this workspace with haft trust add.\n",
  });
  expect(overridden.err).toBe(
    "Another file overrides it: haft config show --origin maxChars shows which.\n",
  );
  expect(effective.err).toBe("");
});

test.each([
  { words: ["maxChars", "many"], says: "`maxChars` must be a whole number above 0." },
  { words: ["limits.bash.timeoutMS", "5"], says: "There is no setting `limits.bash.timeoutMS`." },
  { words: ["maxchar", "5"], says: 'Did you mean "maxChars"?' },
  { words: ["sandbox.require", "sometimes"], says: "`sandbox.require` must be one of" },
  { words: ["env", "[1]"], says: "`env` must be an object." },
])("set $words is refused and writes nothing", async ({ words, says }) => {
  await using world = await settingsWorld({ [local]: "{}" });

  const { code, err } = await haft(["config", "set", ...words], { world });

  expect(code).toBe(1);
  expect(err).toContain(says);
  expect(await readFile(path.join(world.workspace, local), "utf8")).toBe("{}");
});

test("check names each problem of settings, servers, agents and skills by line", async () => {
  await using world = await settingsWorld({
    [project]: '{\n"maxChars": "many"\n}',
    ".claude/settings.json": '{ "permissions": { "allow": ["Bash(npm test)"] }, "model": "x" }',
    ".mcp.json":
      '{ "mcpServers": {\n"good": { "command": "x", "autoApprove": [] },\n"bad": { "command": 5 },\n"empty": {}\n} }',
    ".claude/agents/a.md": "---\nname: a\n---\nDo it.",
    ".haft/agents/b.md": "---\nname: b\ntols: Read\nmaxTurns: many\n---\nDo it.",
    ".claude/skills/s/SKILL.md": "---\nname: a\nname: b\n---\nDo it.",
  });

  const { code, out } = await haft(["config", "check"], { world });

  expect(code).toBe(1);
  expect(out.replaceAll(`${world.workspace}/`, "")).toMatchInlineSnapshot(`
    "! .haft/settings.json: settings
        error: line 2: \`maxChars\` must be a whole number above 0. It is ignored.
    ! .claude/settings.json: settings
        warning: line 1: haft does not use "model" of this file. Set models.default in .haft/settings.json.
    ! .mcp.json: MCP servers
        error: line 3: \`mcpServers.bad.command\` must be a string. It is ignored.
        error: line 4: The server "empty" has neither \`command\` nor \`url\`. It is not started.
    ! .haft/agents/b.md: agent
        error: line 3: The key "tols" is not known. Did you mean tools? Until it is corrected, the agent is not used.
        error: line 4: maxTurns must be a whole number above 0. Until it is corrected, the agent is not used.
    ✓ .claude/agents/a.md: agent
    ! .claude/skills/s/SKILL.md: skill
        error: line 3: The fields are not valid YAML: Map keys must be unique. Until it is corrected, the skill is not used.
    "
  `);
});

test("check reports one error for one value that is not in quotes, with its line", async () => {
  await using world = await settingsWorld({
    ".claude/agents/a.md":
      "---\nname: a\ndescription: Use this when: it: is needed. Examples: <one>: two\n---\nDo it.",
  });

  const { code, out } = await haft(["config", "check"], { world });

  expect(code).toBe(1);
  expect(out.split("\n").slice(1, -1)).toEqual([
    "    error: line 3: The fields are not valid YAML: a value that contains a colon and a blank must be in quotes. Until it is corrected, the agent is not used.",
  ]);
});

test("check names keys of another program that nothing reads, and what to use instead", async () => {
  await using world = await settingsWorld({
    ".claude/settings.json":
      '{\n"statusLine": { "type": "command", "command": "x" },\n"env": {},\n"maxChars": 5,\n"someKey": 1\n}',
  });

  const { out } = await haft(["config", "check"], { world });

  expect(out.split("\n").slice(1, -1)).toEqual([
    '    warning: line 2: haft does not use "statusLine" of this file. There is no status line here.',
    '    warning: line 4: haft does not use "maxChars" of this file. Set maxChars in .haft/settings.json.',
    '    warning: line 5: haft does not use "someKey" of this file.',
  ]);
});

test("check names directories of other programs that nothing reads, and what to do", async () => {
  await using world = await settingsWorld({
    ".claude/rules/style.md": "Short names.",
    ".claude/output-styles/terse.md": "Be terse.",
  });

  const { code, out } = await haft(["config", "check"], { world });

  expect(code).toBe(0);
  expect(out.replaceAll(`${world.workspace}/`, "")).toMatchInlineSnapshot(`
    "! .claude/rules: instructions
        warning: Rules are not read. Import those that are to apply into CLAUDE.md or AGENTS.md, as in @.claude/rules/NAME.md.
    ! .claude/output-styles: instructions
        warning: Output styles do not exist here. Write what is to apply into CLAUDE.md or AGENTS.md.
    "
  `);
});

test("check of a sound project exits with 0", async () => {
  await using world = await settingsWorld({ ".mcp.json": '{ "mcpServers": {} }' });

  const { code, out } = await haft(["config", "check", "--json"], { world });

  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject([{ kind: "MCP servers", problems: [] }]);
});

test("check names fields of skills and agents without effect by line, and those that are missing", async () => {
  await using world = await settingsWorld({
    ".claude/agents/a.md": "---\nname: a\ndescription: x\ncolor: red\n---\nWork.",
    ".claude/skills/one/SKILL.md":
      "---\ndescription: x\nversion: 1\nname: Other Name\ntags: [a]\n---\nname: not a field",
    ".claude/skills/two/SKILL.md": "# Two\n\nname: two",
  });

  const { out } = await haft(["config", "check"], { world });

  const problems = out.split("\n").filter((line) => line.startsWith("    "));
  expect(problems.filter((line) => !/ line \d+: /u.test(line))).toEqual([]);
  expect(out).toContain("line 4: color has no effect here.");
  expect(out).toContain("line 3: `version` is not part of the format");
  expect(out).toContain('line 4: The name "Other Name" is not');
  expect(out).toContain("line 1: `description` is missing.");
});

test("check shows a problem of many files once, and counts files without one", async () => {
  const files = Array.from({ length: 30 }, (_each, index) => [
    `.claude/skills/s${index}/SKILL.md`,
    `---\nname: s${index}\ndescription: x\n${index < 6 ? "tags: [a]\n" : ""}---\nWork.`,
  ]);
  await using world = await settingsWorld({
    ...Object.fromEntries(files),
    ".claude/agents/a.md": "---\nname: a\nmaxTurns: many\n---\nWork.",
  });

  const short = await haft(["config", "check"], { world });
  const whole = await haft(["config", "check", "--all"], { world });

  expect(short.out.replaceAll(`${world.workspace}/`, "")).toMatchInlineSnapshot(`
    "! .claude/agents/a.md: agent
        error: line 3: maxTurns must be a whole number above 0. Until it is corrected, the agent is not used.
    ✓ 24 files without a problem
    ! 6 files, such as .claude/skills/s0/SKILL.md:4
        warning: There is no key \`tags\`.
    31 files: 1 error, 6 warnings. With --all, each file is listed.
    "
  `);
  expect(whole.out.match(/There is no key `tags`/gu)).toHaveLength(6);
  expect(whole.out.match(/^✓/gmu)).toHaveLength(24);
});
