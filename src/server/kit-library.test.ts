import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { HaftEvent } from "../core/index.ts";
import { localHost } from "../host/index.ts";
import { createProtocol, type Outgoing } from "../mcp/index.ts";
import type { SessionInfo } from "../session/index.ts";
import { testKit } from "../../test/support/kit.ts";
import { kitLibrary, type LibraryKit } from "./kit-library.ts";

const host = await localHost();
const secret = `ghp_${"a1B2".repeat(9)}`;
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const session = (sessionId: string, workspace: string): SessionInfo => ({
  sessionId,
  title: `Use ${secret}`,
  runs: 1,
  status: "completed",
  workspace,
  messages: 1,
  turns: 1,
  calls: 1,
  usage,
  createdAt: 1,
  updatedAt: 2,
});
const sessions = [session("here", "/work"), session("second", "/work"), session("other", "/else")];

const textFile = (text: string) => ({ text, bytes: new TextEncoder().encode(text) });

async function world(given: { readonly denied?: string } = {}) {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "haft-library-"));
  onTestFinished(async () => await rm(dataDirectory, { recursive: true, force: true }));
  const directory = path.join(dataDirectory, "artifacts");
  await mkdir(directory);
  await writeFile(path.join(directory, "call-1.txt"), `the output ${secret}`);
  await writeFile(path.join(directory, "long.txt"), "x".repeat(1_000_001));
  await writeFile(path.join(dataDirectory, "outside.txt"), "not an artifact");
  await symlink(path.join(dataDirectory, "outside.txt"), path.join(directory, "link.txt"));
  const listeners = new Set<(event: HaftEvent) => void>();
  const skill = { description: "A skill.", isModelInvocable: true, needsTrust: false, faults: [] };
  const kit: LibraryKit = {
    workspace: { path: "/work" },
    storage: { artifactDirectory: directory, fs: host.fs },
    async explain({ input }) {
      const isDenied = JSON.stringify(input).includes(given.denied ?? "\0");
      const rule = { rule: "Read", list: "deny", scope: "user" } as const;
      const grant = { effects: [], exclusions: [], excludes: () => undefined };
      return {
        repairs: [],
        effects: [],
        decision: isDenied
          ? { kind: "deny", rule, reason: "A rule.", trail: [] }
          : { kind: "allow", rule: { ...rule, list: "allow" }, grant, trail: [] },
      };
    },
    events: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    sessions: {
      list: async () => sessions,
      get: async (id) => sessions.find(({ sessionId }) => sessionId === id),
      export: async (id) => JSON.stringify({ id, text: secret }),
    },
    skills: {
      list: async () => [
        { ...skill, name: "docs", file: "/skills/docs/SKILL.md" },
        { ...skill, name: "strange", file: "/skills/strange/SKILL.md", needsTrust: true },
        { ...skill, name: "manual", file: "/skills/manual/SKILL.md", isModelInvocable: false },
        { ...skill, name: "broken", file: "/skills/broken/SKILL.md", faults: ["no name"] },
      ],
      export: async (file) => ({
        fields: { name: "docs", description: "A skill." },
        files: [
          { path: "SKILL.md", ...textFile(`# ${file}`) },
          { path: "references/deep/steps.txt", ...textFile("steps") },
          { path: "logo.png", bytes: Uint8Array.of(0, 255) },
        ],
      }),
    },
    commands: {
      list: async () => ({
        commands: [
          { name: "git:sync", description: "Sync.", argumentHint: "BRANCH", needsTrust: false },
          { name: "strange", description: "No.", needsTrust: true },
        ],
      }),
      expand: async (name, options) => ({ prompt: `${name} ${options.arguments ?? ""}` }),
    },
  };
  return {
    kit,
    library: kitLibrary(kit),
    emit: (event: HaftEvent) => listeners.forEach((each) => each(event)),
  };
}

test("files of a skill that rules do not let a model read are neither listed nor read", async () => {
  const { library } = await world({ denied: "steps.txt" });
  const whole = (await world({ denied: "SKILL.md" })).library;

  const [skill] = (await library.skills?.()) ?? [];

  expect(skill?.resources.map(({ uri }) => uri)).toEqual([
    "skill://docs/SKILL.md",
    "skill://docs/logo.png",
  ]);
  expect(await library.read("skill://docs/references/deep/steps.txt")).toBeUndefined();
  expect(await library.read("skill://docs/SKILL.md")).toHaveLength(1);
  expect(await whole.skills?.()).toEqual([]);
});

test("resources are what a model of this workspace may see", async () => {
  const { library } = await world();

  const uris = (await library.resources()).map(({ uri }) => uri);

  expect(uris.toSorted()).toEqual([
    "haft://artifacts/call-1.txt",
    "haft://artifacts/long.txt",
    "haft://sessions/here",
    "haft://sessions/second",
    "skill://docs/SKILL.md",
  ]);
  expect(JSON.stringify(await library.resources())).not.toContain(secret);
});

test.each([
  "haft://artifacts/link.txt",
  "haft://artifacts/..%2Foutside.txt",
  "haft://artifacts/../outside.txt",
  "haft://artifacts/missing.txt",
  "haft://artifacts/",
  "haft://artifacts/%",
  "haft://sessions/other",
  "haft://sessions/none",
  "skill://strange/SKILL.md",
  "skill://manual/SKILL.md",
  "skill://broken/SKILL.md",
  "file:///etc/passwd",
])("%s cannot be read", async (uri) => {
  const { library } = await world();

  expect(await library.read(uri)).toBeUndefined();
});

test.each([
  ["haft://artifacts/call-1.txt", "the output"],
  ["haft://sessions/here", '"id":"here"'],
  ["skill://docs/SKILL.md", "# /skills/docs/SKILL.md"],
])("%s is read without secrets", async (uri, text) => {
  const { library } = await world();

  const [content] = (await library.read(uri)) ?? [];

  expect(content).toMatchObject({ uri, text: expect.stringContaining(text) });
  expect(content?.text).not.toContain(secret);
});

test("a long artifact is shortened and says so", async () => {
  const { library } = await world();

  const [content] = (await library.read("haft://artifacts/long.txt")) ?? [];

  expect(content?.text?.length).toBeLessThan(1_000_100);
  expect(content?.text).toContain("[shortened: 1000001 bytes in all");
});

test("an artifact that a rule denies is not read", async () => {
  const { library } = await world({ denied: "call-1" });

  expect(await library.read("haft://artifacts/call-1.txt")).toBeUndefined();
});

test("a program with one session sees no other", async () => {
  const { kit } = await world();
  const library = kitLibrary(kit, "second");

  const uris = (await library.resources()).map(({ uri }) => uri);

  expect(uris).toContain("haft://sessions/second");
  expect(uris).not.toContain("haft://sessions/here");
  expect(await library.read("haft://sessions/here")).toBeUndefined();
});

test("a program with one session is offered no artifacts, which may be of others", async () => {
  const { kit } = await world();
  const library = kitLibrary(kit, "second");
  const template = "haft://artifacts/{name}";

  const resources = await library.resources();

  expect(resources.map(({ uri }) => uri)).toEqual([
    "skill://docs/SKILL.md",
    "haft://sessions/second",
  ]);
  expect(library.templates.map(({ uriTemplate }) => uriTemplate)).not.toContain(template);
  expect(await library.read("haft://artifacts/call-1.txt")).toBeUndefined();
  expect(await library.complete({ template }, "name", "")).toEqual([]);
});

test("names are completed", async () => {
  const { library } = await world();

  const values = await Promise.all(
    library.templates.map(({ uriTemplate }) =>
      library.complete({ template: uriTemplate }, "name", ""),
    ),
  );

  expect(values.map((each) => each.toSorted())).toEqual([
    ["call-1.txt", "long.txt"],
    ["here", "second"],
    ["docs"],
  ]);
});

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

const digestOf = (bytes: string | Uint8Array): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const skillEntry = {
  uri: "skill://docs/SKILL.md",
  frontmatter: { name: "docs", description: "A skill." },
  resources: [
    { uri: "skill://docs/SKILL.md", digest: digestOf("# /skills/docs/SKILL.md"), size: 23 },
    { uri: "skill://docs/references/deep/steps.txt", digest: digestOf("steps"), size: 5 },
    { uri: "skill://docs/logo.png", digest: digestOf(Uint8Array.of(0, 255)), size: 2 },
  ],
};

async function asked(method: string, params: object): Promise<unknown> {
  const { kit: library } = await world();
  const { kit } = await testKit({ tools: { include: [] } });
  const sent: Outgoing[] = [];
  const connection = createProtocol(kit, {
    name: "test",
    version: "1.0.0",
    library: async (sessionId) => kitLibrary(library, sessionId),
  }).connect({ send: (message) => sent.push(message) });
  await connection.handle({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } });
  await connection.close();
  await kit.dispose();
  return sent[0];
}

test.each([
  ["prompts/list", {}, { result: { prompts: [{ name: "git:sync", description: "Sync." }] } }],
  [
    "prompts/get",
    { name: "git:sync", arguments: { arguments: "main" } },
    { result: { messages: [{ role: "user", content: { text: "git:sync main" } }] } },
  ],
  ["prompts/get", { name: "strange" }, { error: { code: -32_602 } }],
  ["prompts/get", { name: "git:sync", arguments: { arguments: 1 } }, { error: { code: -32_602 } }],
  ["resources/read", { uri: "file:///etc/passwd" }, { error: { code: -32_602 } }],
  ["resources/read", {}, { error: { code: -32_602 } }],
  ["resources/list", { cursor: "x" }, { error: { code: -32_602 } }],
  [
    "completion/complete",
    {
      ref: { type: "ref/resource", uri: "haft://sessions/{id}" },
      argument: { name: "id", value: "h" },
    },
    { result: { completion: { values: ["here"], total: 1, hasMore: false } } },
  ],
  [
    "server/discover",
    {},
    {
      result: {
        capabilities: {
          resources: {},
          prompts: {},
          completions: {},
          extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
        },
      },
    },
  ],
  ["skills/list", {}, { result: { skills: [skillEntry], ttlMs: 60_000, cacheScope: "private" } }],
  ["skills/get", { uri: skillEntry.uri }, { result: { skill: skillEntry } }],
  ["skills/get", { uri: "skill://strange/SKILL.md" }, { error: { code: -32_602 } }],
  [
    "resources/directory/read",
    { uri: "skill://docs/" },
    {
      result: {
        resources: [
          { uri: "skill://docs/SKILL.md", size: 23 },
          { uri: "skill://docs/references", mimeType: "inode/directory" },
          { uri: "skill://docs/logo.png", size: 2 },
        ],
      },
    },
  ],
  ["resources/directory/read", { uri: skillEntry.uri }, { error: { code: -32_602 } }],
  ["resources/directory/read", { uri: "skill://strange" }, { error: { code: -32_602 } }],
  ["resources/directory/read", { uri: "haft://artifacts/" }, { error: { code: -32_602 } }],
  [
    "resources/read",
    { uri: "skill://docs/references/deep/steps.txt" },
    { result: { contents: [{ text: "steps", mimeType: "text/plain" }] } },
  ],
  [
    "resources/read",
    { uri: "skill://docs/logo.png" },
    { result: { contents: [{ blob: "AP8=" }] } },
  ],
  ["resources/read", { uri: "skill://docs/../strange/SKILL.md" }, { error: { code: -32_602 } }],
])("%s with %j is answered", async (method, params, answer) => {
  expect(await asked(method, params)).toMatchObject(answer);
});

const turnEnd = (sessionId: string): Parameters<Awaited<ReturnType<typeof world>>["emit"]>[0] => ({
  type: "turn-end",
  runId: "r",
  turn: 1,
  finish: "stop",
  usage,
  seq: 1,
  at: 1,
  sessionId,
});

test("a program that has one session watches no other", async () => {
  const { kit, emit } = await world();
  const heard: string[] = [];
  for (const own of ["here", "second"]) {
    kitLibrary(kit, own).watch?.("haft://sessions/here", () => heard.push(own));
  }

  emit(turnEnd("here"));

  expect(heard).toEqual(["here"]);
});

test("a client that watches a session hears about its calls, and about no others", async () => {
  const { kit: library, emit } = await world();
  const { kit } = await testKit({ tools: { include: [] } });
  const sent: Outgoing[] = [];
  const connection = createProtocol(kit, {
    name: "test",
    version: "1.0.0",
    library: async () => kitLibrary(library),
  }).connect({ send: (message) => sent.push(message) });
  const ask = async (id: number, method: string, params: object): Promise<void> =>
    await connection.handle({ jsonrpc: "2.0", id, method, params });
  await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  await ask(2, "resources/subscribe", { uri: "haft://sessions/here" });

  emit(turnEnd("second"));
  emit(turnEnd("here"));
  await ask(3, "resources/unsubscribe", { uri: "haft://sessions/here" });
  emit(turnEnd("here"));

  const updates = sent.filter((message) => "method" in message);
  expect(updates).toEqual([
    expect.objectContaining({
      method: "notifications/resources/updated",
      params: { uri: "haft://sessions/here" },
    }),
  ]);
  await connection.close();
  await kit.dispose();
});
