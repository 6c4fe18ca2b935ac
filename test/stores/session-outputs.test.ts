import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createToolkit, type ToolkitOptions } from "../../src/kit/index.ts";
import { kitLibrary, type HttpServer } from "../../src/server/index.ts";
import { fetched, type Received } from "../support/http.ts";
import { post, served } from "../support/serving.ts";
import { saying } from "../support/stored-kits.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = temporaryFolder("session-outputs");

/** A served workspace, with the token of a session for each name. */
async function serve(options: ToolkitOptions = {}) {
  const workspace = at(`work-${crypto.randomUUID().slice(0, 8)}`);
  mkdirSync(workspace, { recursive: true });
  const kit = await createToolkit({
    workspace,
    dataDirectory: `${workspace}-data`,
    sessions: "file",
    model: saying("done", "done").model,
    rules: { allow: ["Bash", "SessionsSend"] },
    ...options,
  });
  const server = await served(kit, { library: async (own) => kitLibrary(kit, own) });
  onTestFinished(async () => await kit.dispose());
  const tokenOf = async (sessionId: string): Promise<string> => {
    const { json } = await fetched(server, "/sessions", post({ sessionId }));
    return (json as { readonly token: string }).token;
  };
  return { kit, server, workspace, one: await tokenOf("one"), other: await tokenOf("other") };
}

interface Answer {
  readonly success: boolean;
  readonly result: { readonly text: string; readonly artifact?: { readonly path: string } };
  readonly error?: { readonly code: string };
}

async function call(
  server: HttpServer,
  token: string | undefined,
  [toolId, input, sessionId]: readonly [string, object, (string | undefined)?],
): Promise<Answer> {
  const body = { toolId, arguments: input, ...(sessionId === undefined ? {} : { sessionId }) };
  return (await fetched(server, "/call", post(body, token))).json as Answer;
}

/** Runs a command whose output is shortened; returns the file of the whole output. */
async function print(server: HttpServer, token?: string, sessionId?: string): Promise<string> {
  const command = { command: "seq 1 20000" };
  const { result } = await call(server, token, ["Bash", command, sessionId]);
  if (result.artifact === undefined) throw new Error("The output was not shortened.");
  return result.artifact.path;
}

/** Sends a request of the protocol. */
async function ask(
  server: HttpServer,
  token: string,
  [method, given = {}]: readonly [string, object?],
): Promise<Received["json"]> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { ...given, _meta: meta };
  const uri = "uri" in given ? { "mcp-name": String(given.uri) } : {};
  const { json } = await fetched(server, "/mcp", {
    ...post({ jsonrpc: "2.0", id: 1, method, params }, token),
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...uri },
  });
  return json;
}

const modes = ["default", "acceptEdits", "bypassPermissions"] as const;

test.for(modes)("in mode %s, the token of a session reads only the outputs of it", async (mode) => {
  const { server, workspace, one, other } = await serve({ mode });
  const file = await print(server, one);
  symlinkSync(file, path.join(workspace, "link.txt"));
  const calls = [
    ["Read", { file_path: file }],
    ["Read", { file_path: "link.txt" }],
    ["Grep", { pattern: "1999[9]", path: file, output_mode: "content" }],
    [
      "Grep",
      { pattern: "1999[9]", path: path.dirname(path.dirname(file)), output_mode: "content" },
    ],
    ["Grep", { pattern: "1999[9]", path: path.dirname(workspace), output_mode: "content" }],
    ["Glob", { pattern: "**/session-*/*.txt", path: path.dirname(workspace) }],
    ["Glob", { pattern: "**/*.txt", path: path.dirname(path.dirname(file)) }],
    ["ListDir", { path: path.dirname(file) }],
    ["Bash", { command: `tail -n 2 ${file}` }],
    ["Bash", { command: "sh -c 'tail -n 2 link.txt'" }],
    ["Bash", { command: `cd ${path.dirname(file)} && sh -c 'tail -n 2 *'` }],
  ] as const;

  const own = await call(server, one, calls[0]);
  const ofUser = await call(server, undefined, calls[0]);
  const foreign = await Promise.all(
    calls.map(async (each) => (await call(server, other, each)).result.text),
  );

  expect(own).toMatchObject({ success: true });
  expect(ofUser).toMatchObject({ success: true });
  for (const text of foreign) expect(text).not.toMatch(/\b19999\b/u);
});

test("the token of a session reads no data of another workspace, in any mode", async () => {
  vi.stubEnv("HOME", at("home"));
  const elsewhere = at("home/.local/share/haft/elsewhere-1/artifacts/1.txt");
  mkdirSync(path.dirname(elsewhere), { recursive: true });
  writeFileSync(elsewhere, "of another workspace\n");
  const { server, one } = await serve({ mode: "bypassPermissions" });

  const read = { file_path: elsewhere };
  const ofSession = await call(server, one, ["Read", read]);
  const ofUser = await call(server, undefined, ["Read", read]);
  const printed = await call(server, one, ["Bash", { command: `cat ${elsewhere}` }]);

  expect(ofSession.result.text).not.toContain("of another workspace");
  expect(printed.result.text).not.toContain("of another workspace");
  expect(ofUser.result.text).toContain("of another workspace");
});

test.for([
  ["copies", (from: string, to: string) => `cp -r ${from} ${to}`],
  ["moves", (from: string, to: string) => `mv ${from} ${to}`],
  ["links a file of", (from: string, to: string) => `ln -s ${from} ${to}`],
] as const)(
  "no command of a session token %s the data with the directory above",
  async ([, to]) => {
    const data = at(`above-${crypto.randomUUID().slice(0, 8)}`);
    const options = { mode: "bypassPermissions", dataDirectory: path.join(data, "data") } as const;
    const { server, one, other } = await serve(options);
    const file = await print(server, one);
    const copied = path.join(`${data}-copy`, path.relative(data, file));

    const command = `${to(data, `${data}-copy`)}; tail -n 2 ${copied}`;
    const { result } = await call(server, other, ["Bash", { command }]);

    expect(result.text).not.toMatch(/\b19999\b/u);
    expect((await call(server, other, ["Read", { file_path: copied }])).result.text).not.toMatch(
      /\b19999\b/u,
    );
    expect(existsSync(file)).toBe(true);
  },
);

test("a confined program of a session cannot open the outputs of another", async () => {
  const { server, workspace, one, other } = await serve({ sandbox: { require: "enforced" } });
  const file = await print(server, one);
  writeFileSync(
    path.join(workspace, "read.sh"),
    `tail -n 1 ${file}; ls -R ${path.dirname(path.dirname(file))}`,
  );
  const script = ["Bash", { command: "sh ./read.sh" }] as const;

  const own = await call(server, one, script);
  const foreign = await call(server, other, script);

  expect(own.result.text).toContain("20000");
  expect(foreign.result.text).not.toContain("20000");
  expect(foreign.result.text).toContain("Exit code");
});

test("what the user lets run in a session, the token of that session reads", async () => {
  const { server, one, other } = await serve();
  const ofSession = await print(server, undefined, "one");
  const ofNone = await print(server);
  const read = async (token: string, file: string) =>
    (await call(server, token, ["Read", { file_path: file }])).error?.code;

  expect(await read(one, ofSession)).toBeUndefined();
  expect(await read(other, ofSession)).toBe("PERMISSION_DENIED");
  expect(await read(one, ofNone)).toBe("PERMISSION_DENIED");
});

test("over MCP, the token of a session lists, reads and completes only the outputs of it", async () => {
  const { kit, server, one, other } = await serve();
  await print(server, one);
  const template = "haft://artifacts/{name}";
  const completing = {
    ref: { type: "ref/resource", uri: template },
    argument: { name: "name", value: "" },
  };
  const [ofUser] = (await kitLibrary(kit).resources()).filter(({ uri }) =>
    uri.startsWith("haft://artifacts/"),
  );

  const mine = JSON.stringify(await ask(server, one, ["resources/list"]));
  const [uri = ""] = /haft:\/\/artifacts\/[^"]+/u.exec(mine) ?? [];
  const uris = [uri, ofUser?.uri ?? ""];
  const read = await Promise.all(
    uris.map(async (each) => await ask(server, other, ["resources/read", { uri: each }])),
  );

  expect(await ask(server, one, ["resources/read", { uri }])).toMatchObject({
    result: { contents: [{ text: expect.stringContaining("19999") }] },
  });
  expect(await kitLibrary(kit).read(ofUser?.uri ?? "")).toMatchObject([
    { text: expect.stringContaining("19999") },
  ]);
  expect(JSON.stringify(await ask(server, other, ["resources/list"]))).not.toContain("artifacts");
  for (const each of read) expect(each).toMatchObject({ error: { code: -32_602 } });
  expect(await ask(server, one, ["completion/complete", completing])).toMatchObject({
    result: { completion: { total: 1 } },
  });
  expect(await ask(server, other, ["completion/complete", completing])).toMatchObject({
    result: { completion: { total: 0 } },
  });
});

test("the token of a session sees no other session, and the user sees all", async () => {
  const { kit, server, one, other } = await serve();
  await kit.run({ task: "Say the secret word.", sessionId: "one" }).result;
  await kit.run({ task: "Say nothing.", sessionId: "other" }).result;
  const history = ["SessionsHistory", { session_id: "one" }] as const;

  const own = await call(server, one, history);
  const ofUser = await call(server, undefined, history);
  const foreign = await call(server, other, history);
  const list = await call(server, other, ["SessionsList", {}]);
  const message = { session_id: "one", message: "Tell me the word." };
  const sent = await call(server, other, ["SessionsSend", message]);

  expect(own.result.text).toContain("secret word");
  expect(ofUser.result.text).toContain("secret word");
  expect(foreign).toMatchObject({ success: false, error: { code: "NOT_FOUND" } });
  expect(list.result.text).toContain("other");
  expect(list.result.text).not.toContain("secret");
  expect(sent.success).toBe(false);
});

test("a session reads the outputs of the sessions that its calls start", async () => {
  const { kit } = await serve();
  const one = kit.forSession("one");
  const started = one.derive();
  const command = { name: "Bash", input: { command: "seq 1 20000" } };

  const { artifact } = await started.call(command, { sessionId: "started" });
  const read = { name: "Read", input: { file_path: artifact?.path ?? "" } };

  expect((await one.call(read, { sessionId: "one" })).isError).toBe(false);
  expect((await started.call(read, { sessionId: "started" })).isError).toBe(false);
  expect((await kit.forSession("other").call(read, { sessionId: "other" })).isError).toBe(true);
});

test("a toolkit for a session is the same each time, and gives none for another", async () => {
  const { kit } = await serve();
  const one = kit.forSession("one");

  expect(kit.forSession("one")).toBe(one);
  expect(() => one.forSession("other")).toThrow(TypeError);
  expect(() => kit.forSession("")).toThrow(TypeError);
  await one.dispose();
  expect(kit.forSession("one")).not.toBe(one);
});

test("a void token's calls end, and its next token reads the outputs of the session", async () => {
  const { server, one } = await serve();
  const file = await print(server, one);

  await fetched(server, "/sessions?session=one", { method: "DELETE" });
  const { json } = await fetched(server, "/sessions", post({ sessionId: "one" }));
  const { token } = json as { readonly token: string };

  expect(await call(server, token, ["Read", { file_path: file }])).toMatchObject({ success: true });
});

test("an empty directory of a session is removed once no call can be about to write to it", async () => {
  const { kit, server, one } = await serve();
  const file = await print(server, one);
  const directory = path.dirname(file);
  const age = (): void => utimesSync(directory, new Date(0), new Date(0));

  age();
  await kit.storage.collect();
  const isKept = existsSync(file);
  rmSync(file);
  await kit.storage.collect();
  const isFresh = existsSync(directory);
  age();
  await kit.storage.collect({ dryRun: true });
  const isAfterDryRun = existsSync(directory);
  await kit.storage.collect();

  expect([isKept, isFresh, isAfterDryRun, existsSync(directory)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
