import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { loginServer } from "../../../../test/mcp/client/login-server.ts";
import { serverEntry } from "../../../../test/mcp/client/server-world.ts";
import { haft, settingsWorld } from "../../../../test/support/cli.ts";

const tool = {
  name: "add",
  description: "Add numbers.\nOf any size.",
  inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
};
const entry = serverEntry({ tools: [tool], acts: { add: "echo" } });
const commandLine = [entry.command, ...entry.args];

test("haft mcp add, list, tools, call and remove go through the life of a server", async () => {
  await using world = await settingsWorld();
  const run = async (...words: readonly string[]) => await haft(["mcp", ...words], { world });

  expect(await run("list")).toMatchObject({
    code: 0,
    err: "There are no MCP servers. haft mcp add adds one.\n",
  });
  const added = await run("add", "--trust", "calc", "--env", "A=b", "--", ...commandLine);
  expect(added.out).toBe(`Added calc to ${world.workspace}/.haft/settings.local.json.\n`);
  expect((await run("list", "--trust")).out).toMatch(/^calc {2}stopped .*scripted-server/u);
  expect((await run("tools", "calc", "--trust")).out).toBe("mcp__calc__add  Add numbers.\n");
  expect((await run("list", "--trust")).out).toMatch(/^calc {2}stopped 1 tool/u);
  expect(await run("call", "calc", "add", "a:=1", "--trust", "--allow", "mcp__calc")).toMatchObject(
    {
      code: 0,
      out: expect.stringContaining('{"a":1}'),
    },
  );
  expect(await run("call", "calc", "add", "a:=1", "--trust")).toMatchObject({ code: 4 });
  expect(await run("call", "calc", "ad", "--trust")).toMatchObject({
    code: 2,
    err: expect.stringContaining("Did you mean add?"),
  });
  expect((await run("remove", "calc", "--trust")).out).toContain("Removed calc from");
  expect(await run("remove", "calc", "--trust")).toMatchObject({ code: 1 });
});

test("haft call finds a tool of a server that has never run", async () => {
  await using world = await settingsWorld({
    ".mcp.json": JSON.stringify({ mcpServers: { calc: entry } }),
  });

  const called = await haft(["call", "mcp__calc__add", "a:=1", "--trust", "--allow", "mcp__calc"], {
    world,
  });

  expect(called).toMatchObject({ code: 0, out: expect.stringContaining('{"a":1}') });
});

test("haft mcp doctor starts the servers, and shows what a broken one printed", async () => {
  const broken = serverEntry({ onStart: "stderr", protocolVersion: "1999-01-01" });
  await using world = await settingsWorld({
    ".mcp.json": JSON.stringify({
      mcpServers: { calc: entry, broken, none: { command: "x", disabled: true } },
    }),
  });

  const { code, out } = await haft(["mcp", "doctor", "--trust"], { world });
  const untrusted = await haft(["mcp", "doctor"], { world });

  expect(code).toBe(1);
  expect(out).toMatch(/^✓ calc: scripted 1\.0\.0, 2025-11-25, 1 tool, \d+ ms$/mu);
  expect(out).not.toContain("haft mcp doctor");
  expect(out).toMatch(/^✗ broken: .*protocol version is not supported: 1999-01-01/mu);
  expect(out.split("    cannot find the database\n")).toHaveLength(2);
  expect(untrusted.out).toMatch(/^✗ calc: The workspace that defines it is not trusted\./mu);
});

test("haft mcp login and logout: the address is printed, and the status changes", async () => {
  await using server = await loginServer();
  await using world = await settingsWorld({
    ".mcp.json": JSON.stringify({ mcpServers: { closed: { url: server.url } } }),
  });
  vi.stubEnv("HOME", world.folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const run = async (...words: readonly string[]) =>
    await haft(["mcp", ...words, "--trust"], {
      world,
      onError(text) {
        const [address] = /http:\/\/\S+\/authorize\S+/u.exec(text) ?? [];
        if (address !== undefined) void server.browse(address);
      },
    });

  const doctor = await run("doctor");
  expect(doctor).toMatchObject({ code: 1 });
  expect(doctor.out).toContain("✗ closed: The MCP server closed needs a login");
  expect(doctor.out).toContain("Run haft mcp login closed.");
  expect((await run("list")).out).toContain("needs_auth");
  const login = await run("login", "closed", "--no-browser");
  expect(login.err).toContain("Log in here:\n  http://127.0.0.1:");
  expect(login).toMatchObject({
    code: 0,
    out: `Logged in to closed at ${server.origin} with the rights read.\n`,
  });
  expect(await run("doctor")).toMatchObject({ code: 0 });
  expect((await run("logout", "closed")).out).toBe("Logged out of closed.\n");
  expect((await run("logout", "closed")).err).toBe("There was no login to closed.\n");
  expect(await run("login")).toMatchObject({ code: 2 });
  expect(await run("login", "closed", "--issuer", "x")).toMatchObject({ code: 2 });
});

test("a name with a space cannot be added", async () => {
  await using world = await settingsWorld();

  expect(await haft(["mcp", "add", "ba d", "x"], { world })).toMatchObject({
    code: 2,
    err: expect.stringContaining('"ba d" cannot be the name of a server'),
  });
});

test("haft mcp import takes the servers of other programs", async () => {
  await using world = await settingsWorld({
    "cursor.json":
      '{ // comment\n"mcpServers": { "a": { "command": "x", "args": ["1"], "env": { "T": "${env:TOKEN}" }, "alwaysAllow": [] } } }',
    "opencode.json": JSON.stringify({
      mcp: { b: { type: "local", command: ["y", "2"], environment: { A: "1" }, enabled: false } },
    }),
    "codex.toml": '[mcp_servers.c]\nurl = "https://example.com/mcp"\nhttp_headers = { A = "b" }\n',
    "empty.json": "{}",
  });

  for (const file of ["cursor.json", "opencode.json", "codex.toml"]) {
    expect((await haft(["mcp", "import", file], { world })).code).toBe(0);
  }
  expect((await haft(["mcp", "import", "empty.json"], { world })).code).toBe(1);
  expect((await haft(["mcp", "import", "none.json"], { world })).code).toBe(2);

  const saved: unknown = JSON.parse(
    readFileSync(path.join(world.workspace, ".haft/settings.local.json"), "utf8"),
  );
  expect(saved).toEqual({
    mcpServers: {
      a: { command: "x", args: ["1"], env: { T: "${TOKEN}" } },
      b: { type: "stdio", command: "y", args: ["2"], env: { A: "1" }, disabled: true },
      c: { type: "http", url: "https://example.com/mcp", headers: { A: "b" } },
    },
  });
});

test("haft mcp add writes remote servers and refuses what does not fit", async () => {
  await using world = await settingsWorld();
  // The settings of the user are those of the home directory.
  vi.stubEnv("HOME", world.folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const run = async (...words: readonly string[]) => await haft(["mcp", ...words], { world });

  expect(await run("add", "web", "https://example.com/mcp", "--header", "A=b=c")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Added web to /u),
    err: expect.stringContaining("is not trusted, so no server of it starts"),
  });
  expect(await run("add", "web", "https://example.com/other")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Replaced web in /u),
  });
  expect(await run("add", "--scope", "user", "own", "https://example.com/mcp")).toMatchObject({
    code: 0,
    err: expect.stringContaining("haft mcp doctor tries it now"),
  });
  for (const words of [
    ["add"],
    ["add", "x"],
    ["add", "x", "ftp://example.com"],
    ["add", "x", "https://example.com", "more"],
    ["add", "--header", "A=b", "x", "y"],
    ["add", "--env", "novalue", "x", "y"],
    ["add", "--transport", "pigeon", "x", "y"],
    ["add", "--scope", "everywhere", "x", "y"],
    ["tools"],
    ["call", "x"],
    ["remove"],
  ]) {
    expect({ words, ...(await run(...words)) }).toMatchObject({ code: 2 });
  }
  expect(await run("tools", "webb")).toMatchObject({
    err: expect.stringContaining("Did you mean"),
  });
});

test("haft mcp --help lists the verbs, and a wrong one is refused", async () => {
  await using world = await settingsWorld();

  expect((await haft(["mcp", "--help"], { world })).out).toContain("haft mcp doctor");
  expect((await haft(["mcp", "add", "--help"], { world })).out).toContain("--header");
  expect(await haft(["mcp", "lsit"], { world })).toMatchObject({ code: 2 });
});
