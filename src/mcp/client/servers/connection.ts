import type { CallToolRequest, Client, Transport } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/index.ts";
import { isRecord, messageOf, visibleText } from "../../../text/index.ts";
import type { FormAnswer } from "../tools/answer-form.ts";
import type { SamplingAnswer } from "./answer-sampling.ts";
import { resultOfCall, withTaskAsResult } from "./await-task.ts";
import {
  followed,
  type FollowRequest,
  type RequestCaller,
  type RequestLimits,
  type SendRequest,
} from "./follow-request.ts";
import { priorOf, type RememberedEra } from "./remembered-era.ts";
import type { OpenTransport } from "../transports/open-transport.ts";

/** A file of a skill of a server. */
export interface SkillAddress {
  /** Address of the skill's SKILL.md. */
  readonly uri: string;
  /** Path below its directory; undefined for SKILL.md. */
  readonly file: string | undefined;
}

/** A server that answers. */
export interface Connection {
  readonly era: RememberedEra;
  /** Name and version that the server gives itself; undefined if it gives none. */
  readonly server: string | undefined;
  readonly protocol: string | undefined;
  /** Lists the tools, as they are on the wire. */
  listTools(): Promise<readonly unknown[]>;
  /** Collects a list of several pages, as it is on the wire. */
  list(method: string, key: string, caller?: RequestCaller): Promise<readonly unknown[]>;
  /** Sends one request and returns its result as it is on the wire. */
  readonly request: SendRequest;
  /** Sends a call; one that the server makes a task is followed to its end. */
  call(
    params: Readonly<Record<string, unknown>>,
    limits: RequestLimits,
    mustBeTask: boolean,
  ): Promise<unknown>;
  /** Reads a file of a skill, checked against the hash that the server published. */
  readSkill(skill: SkillAddress, limits: RequestLimits): Promise<string>;
  /** Whether the server offers skills. */
  readonly hasSkills: boolean;
  /** Whether the server declares this part of the protocol. */
  has(capability: "tools" | "resources" | "prompts"): boolean;
  /** Whether the server has ended or broken the protocol, maybe before its transport is closed: it takes no requests. */
  isEnding(): boolean;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Name of the server in messages. */
  readonly name: string;
  readonly openTransport: () => Promise<OpenTransport>;
  /** Milliseconds for the server to start and to agree on a protocol, and for each of its lists. */
  readonly startTimeoutMs: number;
  /** Ends the attempt: a server may take all its time to answer. */
  readonly signal: AbortSignal;
  readonly remembered: RememberedEra | undefined;
  /** Called when the connection has ended, with the reason in words. */
  readonly onClosed: (why: string) => void;
  /** Called when the server says that its tools or prompts have changed. */
  readonly onListChanged: () => void;
  readonly onLog: (text: string) => void;
  /** Answers a form of the server. */
  readonly onForm: (params: unknown) => Promise<FormAnswer>;
  /** Answers a question of the server for the model. */
  readonly onSampling: (params: unknown) => Promise<SamplingAnswer>;
  /** Whether the server learns that it may ask the model. */
  readonly offersSampling: boolean;
  /** Whether the user was being asked within these milliseconds, so that a call is not late. */
  readonly wasAsking: (withinMs: number) => boolean;
  /** Directories that the server may work on, as addresses. */
  readonly roots: readonly string[];
  readonly follow: FollowRequest;
}

/** Milliseconds for an answer to the question of the newer protocol. */
const probeMs = 3000;
/** Limits of a list of tools. */
const maxPages = 50;
const maxListed = 2000;

/** Connects to a server: with the era it used before, otherwise with the newest that it understands. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { remembered } = options;
  try {
    return await connectOnce(options, remembered);
  } catch (error) {
    // A server may end on a question it does not know, or may have changed its protocol since.
    const other: RememberedEra | undefined =
      remembered === undefined ? { kind: "legacy" } : undefined;
    if (!(error instanceof EraMismatch)) throw error;
    return await connectOnce(options, other);
  }
}

/** A connection failed in a way that another protocol may not. */
class EraMismatch extends ToolError {}

async function connectOnce(
  options: ConnectOptions,
  prior: RememberedEra | undefined,
): Promise<Connection> {
  const { name, openTransport, startTimeoutMs, onClosed, onListChanged, onLog, onForm, roots } =
    options;
  const { onSampling, offersSampling } = options;
  const {
    Client: SdkClient,
    ProtocolError,
    ProtocolErrorCode,
  } = await import("@modelcontextprotocol/client");
  const opened = await openTransport();
  const transport = tasksAsResults(opened.transport);
  const client = new SdkClient(
    { name: "haft", version: "0.1.0" },
    {
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } },
      capabilities: {
        elicitation: { form: {} },
        roots: {},
        ...(offersSampling ? { sampling: {} } : {}),
        extensions: { [modernTasks]: {} },
      },
      listMaxPages: maxPages,
    },
  );
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- not an event target
  client.onerror = (error) => onLog(`${messageOf(error).slice(0, maxFaultChars)}\n`);
  client.setNotificationHandler("notifications/tools/list_changed", () => onListChanged());
  client.setNotificationHandler("notifications/prompts/list_changed", () => onListChanged());
  client.setRequestHandler("elicitation/create", async ({ params }) => await onForm(params));
  client.setRequestHandler("roots/list", () => ({ roots: roots.map((uri) => ({ uri })) }));
  if (offersSampling) {
    client.setRequestHandler("sampling/createMessage", async ({ params }) => ({
      ...(await onSampling(params)),
    }));
  } else {
    // A server that asks anyway learns why it gets no answer.
    client.fallbackRequestHandler = async ({ method, params }) => {
      if (method === "sampling/createMessage") return { ...(await onSampling(params)) };
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
    };
  }
  client.setNotificationHandler("notifications/message", ({ params: { level, data } }) => {
    const said = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
    onLog(`${level}: ${said.slice(0, maxFaultChars)}\n`);
  });
  const timeout = AbortSignal.timeout(startTimeoutMs);
  const ended = AbortSignal.any([timeout, options.signal]);
  try {
    await withDeadline(
      client.connect(transport, {
        timeout: startTimeoutMs,
        ...(prior === undefined ? {} : { prior: priorOf(prior) }),
      }),
      ended,
    );
  } catch (cause) {
    await client.close().catch(() => undefined);
    await opened.transport.close().catch(() => undefined);
    const required = opened.required();
    if (required !== undefined) throw required;
    options.signal.throwIfAborted();
    const why = opened.ending() ?? (timeout.aborted ? undefined : messageOf(cause));
    const said = why ?? `did not answer within ${startTimeoutMs / 1000} s (setting startTimeout)`;
    const Kind = timeout.aborted ? ToolError : EraMismatch;
    throw new Kind("UNAVAILABLE", `The MCP server ${name} ${asPredicate(said)}.`, {
      hint: `haft mcp doctor ${name} shows what it printed.`,
      cause,
    });
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- not an event target
  client.onclose = () => onClosed(opened.ending() ?? "closed the connection");
  const { tools, prompts } = client.getServerCapabilities() ?? {};
  const changes = {
    ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
    ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
  };
  if (client.getProtocolEra() === "modern" && Object.keys(changes).length > 0) {
    // Not awaited: a server that does not confirm it works without notices.
    client
      .listen(changes, { timeout: startTimeoutMs })
      .catch((error: unknown) => onLog(`${messageOf(error).slice(0, maxFaultChars)}\n`));
  }
  return connectionOf(client, opened, options);
}

async function withDeadline(work: Promise<void>, deadline: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(new Error("did not answer in time"));
  deadline.addEventListener("abort", onAbort, { once: true });
  if (deadline.aborted) onAbort();
  try {
    await Promise.race([work, promise]);
  } finally {
    deadline.removeEventListener("abort", onAbort);
    work.catch(() => undefined);
  }
}

/** A reason after the name of the server: "ended with code 1", or "could not be reached: …". */
function asPredicate(why: string): string {
  const isPredicate = /^(?:ended|was|did|sent|closed|cannot|does)\b/u.test(why);
  const text = visibleText(why).slice(0, maxFaultChars).replace(/\.$/u, "");
  return isPredicate ? text : `could not be reached: ${text}`;
}

const maxFaultChars = 300;

/** Milliseconds by which the client's own limit is later. */
const clientLateMs = 100;

function connectionOf(client: Client, opened: OpenTransport, options: ConnectOptions): Connection {
  const { wasAsking, follow, onForm, onSampling, roots, startTimeoutMs } = options;
  const version = client.getServerVersion();
  const discover = client.getDiscoverResult();
  const send: SendRequest = async ({ method, params }, limits) => {
    const { idleMs, totalMs = idleMs, signal, headers, onProgress } = limits;
    // One controller, not a combined signal: those are tracked by the garbage collector for each call.
    const ending = new AbortController();
    const onAbort = (): void => ending.abort(signal?.reason);
    const watch = (): NodeJS.Timeout =>
      setTimeout(() => {
        if (wasAsking(idleMs)) timer = watch();
        else ending.abort("no answer and no progress in time");
      }, idleMs);
    let timer: NodeJS.Timeout | undefined;
    if (signal?.aborted === true) onAbort();
    try {
      const answer = client.request({ method, params }, anyResult, {
        // Second to the watch, whose reason says what was missing.
        timeout: totalMs + clientLateMs,
        ...(headers === undefined ? {} : { headers: { ...headers } }),
        signal: ending.signal,
        // Without a listener the server is not asked for progress, and then nothing extends the time.
        onprogress: (progress) => {
          clearTimeout(timer);
          timer = watch();
          onProgress?.(progress);
        },
      });
      // After the request is sent, so that the server works meanwhile.
      timer = watch();
      signal?.addEventListener("abort", onAbort, { once: true });
      return await answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  };
  const request = followed(send, { follow, protocol: client.getNegotiatedProtocolVersion() });
  const isModern = client.getProtocolEra() === "modern";
  const extensions = client.getServerCapabilities()?.extensions ?? {};
  const answerInput = async (method: string, params: unknown): Promise<unknown> => {
    switch (method) {
      case "elicitation/create":
        return await onForm(params);
      case "roots/list":
        return { roots: roots.map((uri) => ({ uri })) };
      case "sampling/createMessage":
        return await onSampling(params);
      default:
        throw new ToolError("TOOL_FAILED", "The task asks for something that haft does not know.");
    }
  };
  return {
    async call(params, limits, mustBeTask) {
      const isTask = mustBeTask && !isModern;
      const sent = { method: "tools/call", params: isTask ? { ...params, task: {} } : params };
      return await resultOfCall(sent, limits, { send: request, answerInput, isModern });
    },
    hasSkills: Object.hasOwn(extensions, skillsExtension),
    readSkill: async (skill, limits) => await readSkill(client, skill, limits),
    era: discover === undefined ? { kind: "legacy" } : { kind: "modern", discover },
    server: version === undefined ? undefined : visibleText(`${version.name} ${version.version}`),
    protocol: client.getNegotiatedProtocolVersion(),
    request,
    has: (capability) => client.getServerCapabilities()?.[capability] !== undefined,
    list: async (method, key, caller) =>
      await allPages(request, { method, key, caller, timeoutMs: startTimeoutMs }),
    async listTools() {
      if (client.getServerCapabilities()?.tools === undefined) return [];
      const limits = { timeoutMs: startTimeoutMs };
      return await allPages(request, { method: "tools/list", key: "tools", ...limits });
    },
    isEnding: () => opened.ending() !== undefined,
    async close() {
      await client.close().catch(() => undefined);
      await opened.transport.close().catch(() => undefined);
    },
  };
}

/** Extensions of the protocol, by their names. */
const modernTasks = "io.modelcontextprotocol/tasks";
const skillsExtension = "io.modelcontextprotocol/skills";

/** A transport whose answers may be tasks, of which the client library does not know. */
function tasksAsResults(inner: Transport): Transport {
  let receive: Transport["onmessage"];
  Object.defineProperty(inner, "onmessage", {
    configurable: true,
    get: () => receive,
    // The library sets this more than once: for its question about the revision, then for everything else.
    set(next: Transport["onmessage"]) {
      receive = next && ((message, extra) => next(withTaskAsResult(message), extra));
    },
  });
  return inner;
}

/** Accepts any result: what a server sends is read part by part, so that one bad part does not lose the rest. */
const anyResult = {
  "~standard": {
    version: 1,
    vendor: "haft",
    validate: (value: unknown) => ({ value }),
  },
} as const;

const maxReasonChars = 500;

/** Reads a file of a skill. One that does not match the size and the hash that the server published is refused. */
async function readSkill(
  client: Client,
  { uri, file }: SkillAddress,
  { idleMs, signal }: RequestLimits,
): Promise<string> {
  const { SkillsClient } = await import("@modelcontextprotocol/client/ext/skills");
  const skills = new SkillsClient(client);
  const limits = { timeout: idleMs, ...(signal === undefined ? {} : { signal }) };
  try {
    const { skill } = await skills.get(uri, limits);
    const { text, bytes, verified } = await skills.read(skill, file, limits);
    const note = verified ? "" : "(The server publishes no hash of it.)\n";
    return `${note}${text ?? `(${bytes.length} bytes that are not text)`}`;
  } catch (error) {
    const shown = visibleText(uri.slice(0, maxReasonChars));
    const why = visibleText(messageOf(error).slice(0, maxReasonChars));
    throw new ToolError("TOOL_FAILED", `The skill ${shown} was not read: ${why}`, {
      hint: "ListMcpSkills shows the skills; a file that does not match its hash is not shown.",
      cause: error,
    });
  }
}

interface ListRequest {
  readonly method: string;
  readonly key: string;
  readonly caller?: RequestCaller | undefined;
  /** Milliseconds for each page. */
  readonly timeoutMs: number;
}

/** Collects a list of several pages. A list without end is cut, and a page that repeats ends it. */
async function allPages(
  request: SendRequest,
  { method, key, caller, timeoutMs }: ListRequest,
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const cursors = new Set<string>();
  let params: CallToolRequest["params"] | Readonly<Record<string, unknown>> = {};
  for (let page = 0; page < maxPages && found.length <= maxListed; page += 1) {
    const limits = { idleMs: timeoutMs, totalMs: timeoutMs, caller };
    const result = await request({ method, params }, limits);
    const items = isRecord(result) ? result[key] : undefined;
    if (Array.isArray(items)) found.push(...items.slice(0, maxListed + 1 - found.length));
    const cursor = isRecord(result) ? result["nextCursor"] : undefined;
    if (typeof cursor !== "string" || cursors.has(cursor)) break;
    cursors.add(cursor);
    params = { cursor };
  }
  return found;
}
