// A server over standard streams that behaves as its argument says: `node scripted-server.ts '{"tools": [...]}'`.
// It is written without a library, so that it can do everything that a server must not do.
import { createInterface } from "node:readline";
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** Behavior of the server. */
export interface Script {
  readonly tools?: readonly unknown[];
  /** File whose content, a list of tools, replaces `tools` where it exists. */
  readonly toolsFile?: string;
  /** Answer to each call, by the name of the tool. */
  readonly results?: Readonly<Record<string, unknown>>;
  /** Behavior on a call, by the name of the tool. */
  readonly acts?: Readonly<Record<string, string>>;
  /** Behavior when it starts. */
  readonly onStart?: string;
  /** File to which each start, and each call, adds a line. */
  readonly record?: string;
  readonly resources?: readonly unknown[];
  /** Content of each resource, by address. */
  readonly contents?: Readonly<Record<string, unknown>>;
  readonly prompts?: readonly unknown[];
  /** Messages of each prompt, by name. */
  readonly messages?: Readonly<Record<string, unknown>>;
  /** Form that the act `form` shows. */
  readonly form?: unknown;
  readonly capabilities?: unknown;
  /** Question for the model that the act `samples` asks. */
  readonly question?: unknown;
  /** States of the task that a call becomes, one for each `tasks/get`; the last one stays. */
  readonly taskStates?: readonly Readonly<Record<string, unknown>>[];
  /** Entries of `skills/list`. */
  readonly skills?: readonly unknown[];
  /** Whether it speaks the revision without `initialize`. */
  readonly isModern?: boolean;
  readonly protocolVersion?: string;
}

const script: Script = JSON.parse(process.argv[2] ?? "{}");
note(`start ${process.pid}`);

function note(line: string): void {
  if (script.record !== undefined) appendFileSync(script.record, `${line}\n`);
}

function send(message: unknown): void {
  process.stdout.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
}

function answer(id: unknown, result: unknown): void {
  send({ jsonrpc: "2.0", id, result });
}

/** Times that the state of the task was asked for. */
let looks = 0;

/** Answers in the form of either revision. */
function complete(id: unknown, result: Readonly<Record<string, unknown>>): void {
  answer(id, script.isModern === true ? { resultType: "complete", ...result } : result);
}

function tools(): readonly unknown[] {
  const { toolsFile } = script;
  if (toolsFile !== undefined && existsSync(toolsFile)) {
    return JSON.parse(readFileSync(toolsFile, "utf8"));
  }
  return script.tools ?? [];
}

interface Request {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: unknown;
    readonly cursor?: string;
    readonly task?: unknown;
    readonly inputResponses?: unknown;
    readonly uri?: string;
    readonly _meta?: { readonly progressToken?: unknown };
  };
}

const starts: Record<string, () => void> = {
  exit: () => process.exit(3),
  silent: () => undefined,
  garbage: () => send("this is not JSON\n{broken\n[1,2]\n\u0000"),
  crashOnDiscover: () => undefined,
  stderr: () => process.stderr.write("cannot find the database\n"),
  stderrFlood: () => process.stderr.write("x".repeat(5_000_000)),
  child: () => {
    const child = spawn("sleep", ["1000"], { stdio: "ignore", detached: true });
    note(`child ${child.pid}`);
  },
  ignoresEnd: () => {
    process.on("SIGTERM", () => undefined);
    setInterval(() => undefined, 1000);
  },
};
if (script.onStart !== undefined) starts[script.onStart]?.();

/** Calls that the act `reversed` has not answered. */
const unanswered: Request[] = [];

/** Calls that wait for an answer of the client, by the id of the question. */
const asked = new Map<unknown, unknown>();

const acts: Record<string, (request: Request) => void> = {
  exit: () => process.exit(7),
  kill: () => process.kill(process.pid, "SIGKILL"),
  never: () => undefined,
  twice: ({ id }) => {
    answer(id, text("first"));
    answer(id, text("second"));
  },
  reversed: (request) => {
    unanswered.push(request);
    if (unanswered.length < 2) return;
    for (const { id, params } of unanswered.splice(0).toReversed()) {
      answer(id, text(JSON.stringify(params?.arguments)));
    }
  },
  wrongId: ({ id }) => {
    answer(99_999, text("not yours"));
    answer("text", text("not yours"));
    answer(null, text("not yours"));
    answer(id, text("yours"));
  },
  error: ({ id }) => send({ jsonrpc: "2.0", id, error: { code: -32_603, message: "it broke" } }),
  badError: ({ id }) => send({ jsonrpc: "2.0", id, error: "no object" }),
  textResult: ({ id }) => answer(id, "x"),
  noResult: ({ id }) => send({ jsonrpc: "2.0", id }),
  huge: ({ id }) => {
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[{"type":"text","text":"`,
    );
    const part = "x".repeat(1_000_000);
    for (let index = 0; index < 100; index += 1) process.stdout.write(part);
    process.stdout.write('"}]}}\n');
  },
  endless: () => {
    const part = "y".repeat(1_000_000);
    const more = (): void => void process.stdout.write(part, more);
    more();
  },
  deep: ({ id }) => {
    const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    send(`{"jsonrpc":"2.0","id":${String(id)},"result":{"content":${nested}}}`);
  },
  notUtf8: ({ id }) => {
    const start = Buffer.from(
      `{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[{"type":"text","text":"a`,
    );
    process.stdout.write(
      Buffer.concat([start, Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from('b"}]}}\n')]),
    );
  },
  flood: () => {
    const line = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x".repeat(200) } })}\n`;
    const more = (): void => void process.stdout.write(line.repeat(500), more);
    more();
  },
  progress: ({ params }) => {
    const token = tokenOf(params);
    let progress = 0;
    setInterval(() => {
      progress += 1;
      send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: token, progress },
      });
    }, 5);
  },
  slowWithProgress: ({ id, params }) => {
    const token = tokenOf(params);
    let progress = 0;
    const timer = setInterval(() => {
      progress += 1;
      send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: token, progress, total: 8, message: `step ${progress}` },
      });
      if (progress < 8) return;
      clearInterval(timer);
      answer(id, text("done"));
    }, 100);
  },
  listChanged: ({ id }) => {
    send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    answer(id, text("changed"));
  },
  listChangedStorm: ({ id }) => {
    for (let index = 0; index < 5000; index += 1) {
      send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    }
    answer(id, text("changed"));
  },
  asks: ({ id }) => {
    send({
      jsonrpc: "2.0",
      id: 500,
      method: "sampling/createMessage",
      params: { messages: [], maxTokens: 1 },
    });
    send({ jsonrpc: "2.0", id: 501, method: "roots/list" });
    send({ jsonrpc: "2.0", id: 502, method: "made/up" });
    answer(id, text("asked"));
  },
  split: ({ id }) => {
    const line = `${JSON.stringify({ jsonrpc: "2.0", id, result: text("ä€😀") })}\n`;
    for (const byte of Buffer.from(line)) process.stdout.write(Buffer.from([byte]));
  },
  noise: ({ id }) => {
    send("loading model…");
    answer(id, text("after noise"));
  },
  form: ({ id }) => {
    asked.set(600, id);
    send({ jsonrpc: "2.0", id: 600, method: "elicitation/create", params: script.form });
  },
  samples: ({ id }) => {
    asked.set(602, id);
    send({ jsonrpc: "2.0", id: 602, method: "sampling/createMessage", params: script.question });
  },
  task: ({ id, params }) => {
    note(`task ${JSON.stringify(params?.task)}`);
    const state = { taskId: "task-1", status: "working", createdAt: "", lastUpdatedAt: "" };
    if (script.isModern === true) {
      answer(id, { resultType: "task", ...state, ttlMs: null, pollIntervalMs: 1 });
    } else answer(id, { task: { ...state, ttl: null, pollInterval: 1 } });
  },
  roots: ({ id }) => {
    asked.set(601, id);
    send({ jsonrpc: "2.0", id: 601, method: "roots/list" });
  },
  echo: ({ id, params }) => answer(id, text(JSON.stringify(params?.arguments))),
  // oxlint-disable-next-line no-underscore-dangle -- the name of the protocol
  meta: ({ id, params }) => answer(id, text(JSON.stringify(params?._meta))),
  environment: ({ id }) => answer(id, text(JSON.stringify(process.env))),
  write: ({ id, params }) => {
    appendFileSync(String((params?.arguments as { path?: string } | undefined)?.path), "x");
    answer(id, text("written"));
  },
};

function tokenOf(params: Request["params"]): unknown {
  // oxlint-disable-next-line no-underscore-dangle -- the name of the protocol
  return params?._meta?.progressToken;
}

function text(value: string): unknown {
  return { content: [{ type: "text", text: value }] };
}

const requests: Record<string, (request: Request) => void> = {
  "server/discover": ({ id }) => {
    if (script.onStart === "crashOnDiscover") process.exit(1);
    if (script.onStart === "silentOnDiscover") return;
    if (script.isModern === true) {
      answer(id, {
        supportedVersions: ["2026-07-28"],
        capabilities: script.capabilities ?? {
          tools: {},
          extensions: { "io.modelcontextprotocol/tasks": {} },
        },
        ttlMs: 0,
        cacheScope: "private",
        resultType: "complete",
      });
      return;
    }
    send({ jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } });
  },
  initialize: ({ id }) =>
    answer(id, {
      protocolVersion: script.protocolVersion ?? "2025-11-25",
      capabilities: script.capabilities ?? {
        tools: { listChanged: true },
        ...(script.resources === undefined ? {} : { resources: {} }),
        ...(script.prompts === undefined ? {} : { prompts: {} }),
      },
      serverInfo: { name: "scripted", version: "1.0.0" },
    }),
  "tools/list": ({ id, params }) => {
    const { onStart } = script;
    if (onStart === "noList") return;
    const nextCursor =
      onStart === "endlessPages"
        ? `${params?.cursor ?? ""}x`
        : onStart === "repeatedPage"
          ? "again"
          : undefined;
    const cached = script.isModern === true ? { ttlMs: 0, cacheScope: "private" } : {};
    complete(id, { tools: tools(), nextCursor, ...cached });
  },
  "tasks/get": ({ id }) => {
    const states = script.taskStates ?? [];
    const state = states[Math.min(looks, states.length - 1)] ?? {};
    looks += 1;
    const base = { taskId: "task-1", createdAt: "", lastUpdatedAt: "", ttl: null, ttlMs: null };
    complete(id, { ...base, pollIntervalMs: 1, pollInterval: 1, ...state });
  },
  "tasks/result": ({ id }) => answer(id, text("the result")),
  "tasks/update": ({ id, params }) => {
    note(`update ${JSON.stringify(params?.inputResponses)}`);
    complete(id, {});
  },
  "tasks/cancel": ({ id }) => {
    note("task cancelled");
    complete(id, {});
  },
  "skills/list": ({ id }) => answer(id, { skills: script.skills ?? [] }),
  "skills/get": ({ id, params }) => {
    const skill = (script.skills ?? []).find(
      (each) => (each as { uri?: string }).uri === params?.uri,
    );
    if (skill !== undefined) answer(id, { skill });
    else send({ jsonrpc: "2.0", id, error: { code: -32_602, message: "No such skill" } });
  },
  "resources/list": ({ id }) => answer(id, { resources: script.resources ?? [] }),
  "resources/templates/list": ({ id }) =>
    send({ jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } }),
  "resources/read": ({ id, params }) => {
    const content = script.contents?.[params?.uri ?? ""];
    if (content !== undefined) answer(id, { contents: content });
    else send({ jsonrpc: "2.0", id, error: { code: -32_002, message: "No such resource" } });
  },
  "prompts/list": ({ id }) => {
    if (script.onStart === "noPrompts") {
      send({ jsonrpc: "2.0", id, error: { code: -32_603, message: "it broke" } });
    } else answer(id, { prompts: script.prompts ?? [] });
  },
  "prompts/get": ({ id, params }) => {
    note(`prompt ${params?.name} ${JSON.stringify(params?.arguments)}`);
    answer(id, { messages: script.messages?.[params?.name ?? ""] ?? [] });
  },
  "tools/call": (request) => {
    const name = request.params?.name ?? "";
    note(`call ${name}`);
    const act = acts[script.acts?.[name] ?? ""];
    if (act !== undefined) act(request);
    else answer(request.id, script.results?.[name] ?? text(`${name} ran`));
  },
  "notifications/cancelled": () => note("cancelled"),
};

if (script.onStart !== "silent") {
  createInterface({ input: process.stdin })
    .on("line", (line) => {
      const request: Request = JSON.parse(line);
      if (asked.has(request.id)) {
        answer(asked.get(request.id), text(JSON.stringify(request.result ?? request.error)));
        asked.delete(request.id);
      } else requests[request.method]?.(request);
    })
    .on("close", () => {
      if (script.onStart !== "ignoresEnd") process.exit(0);
    });
} else setInterval(() => undefined, 1000);
