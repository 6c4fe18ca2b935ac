import { nearestName } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import type { Hook, HookHandler } from "./hook.ts";
import type { HookReading, ReportHook } from "./hook-source.ts";

type HandlerParts = Pick<
  Hook,
  "handler" | "timeoutMs" | "onFailure" | "once" | "condition" | "statusMessage"
>;

const common = ["type", "timeout", "statusMessage", "once", "if", "onFailure"] as const;

/** Keys of each kind of handler, and its default timeout in milliseconds. */
const kinds = {
  command: { keys: ["command", "args", "async", "asyncRewake", "shell"], timeoutMs: 600_000 },
  http: { keys: ["url", "headers", "allowedEnvVars"], timeoutMs: 600_000 },
  prompt: { keys: ["prompt", "model"], timeoutMs: 30_000 },
  agent: { keys: ["prompt", "model"], timeoutMs: 60_000 },
  mcp_tool: { keys: ["server", "tool", "input"], timeoutMs: 600_000 },
} as const;

type Kind = keyof typeof kinds;

/** Longest timeout, in milliseconds. */
const maxTimeoutMs = 3_600_000;

/** Reads one handler. One that cannot be understood becomes a broken one, which counts as failing. */
export function readHandler(
  value: unknown,
  path: readonly (string | number)[],
  { event, report }: HookReading,
): HandlerParts {
  const record = isRecord(value) ? value : {};
  const kind = Object.keys(kinds).find((each): each is Kind => each === record["type"]);
  const base = {
    timeoutMs: event.timeoutMs ?? (kind === undefined ? 1000 : kinds[kind].timeoutMs),
    onFailure: event.onFailure,
    once: record["once"] === true,
  };
  const broken = (why: string, hint: string): HandlerParts => {
    report(path, { message: `This hook cannot run: ${why}.`, hint });
    return { ...base, onFailure: event.onFailure, handler: { type: "broken", why } };
  };
  if (kind === undefined) {
    const names = Object.keys(kinds).join(", ");
    return broken(
      isRecord(value)
        ? `its type is ${JSON.stringify(record["type"]) ?? "missing"}`
        : "it is not an object",
      `A hook has a type: ${names}.`,
    );
  }
  const known = [...common, ...kinds[kind].keys];
  for (const key of Object.keys(record)) {
    if (known.some((each) => each === key)) continue;
    const near = nearestName(key.slice(0, 64), known);
    report([...path, key], {
      message: `A hook of type ${kind} has no key ${JSON.stringify(key)}.`,
      hint: `It is ignored. ${near === undefined ? `The keys are ${known.join(", ")}.` : `Did you mean ${JSON.stringify(near)}?`}`,
    });
  }
  const read = handlerOf(kind, record);
  if (typeof read === "string") return broken(read, "docs/hooks.md shows each kind of hook.");
  const { condition, message } = textsOf(record, path, report);
  return {
    ...base,
    handler: read,
    timeoutMs: timeoutOf(record["timeout"], base.timeoutMs, (what) =>
      report([...path, "timeout"], what),
    ),
    onFailure: onFailureOf(record["onFailure"], event, (what) =>
      report([...path, "onFailure"], what),
    ),
    ...(condition === undefined ? {} : { condition }),
    ...(message === undefined ? {} : { statusMessage: message }),
  };
}

/** The handler, or why it cannot run. */
function handlerOf(kind: Kind, record: Readonly<Record<string, unknown>>): HookHandler | string {
  switch (kind) {
    case "command": {
      const { command, args, shell } = record;
      if (typeof command !== "string" || command.trim() === "") return "`command` is not a text";
      if (command.includes("\0")) return "`command` has a NUL character";
      if (args !== undefined && !isTexts(args)) return "`args` is not a list of texts";
      if (shell !== undefined && shell !== "bash")
        return "`shell` is not bash, the only shell here";
      if (record["asyncRewake"] === true) return "`asyncRewake` does not exist here; use `async`";
      const isAsync = record["async"] === true;
      return { type: "command", command, ...(args === undefined ? {} : { args }), async: isAsync };
    }
    case "http": {
      const { url, headers = {}, allowedEnvVars = [] } = record;
      if (typeof url !== "string" || !/^https?:\/\//u.test(url))
        return "`url` is not an http address";
      if (!URL.canParse(url)) return "`url` is not an address";
      if (!isRecord(headers) || !isTexts(Object.values(headers)))
        return "`headers` is not an object of texts";
      if (!isTexts(allowedEnvVars)) return "`allowedEnvVars` is not a list of texts";
      const texts = Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name, String(text)]),
      );
      return { type: "http", url, headers: texts, allowedEnvVars };
    }
    case "prompt":
    case "agent": {
      const { prompt, model } = record;
      if (typeof prompt !== "string" || prompt.trim() === "") return "`prompt` is not a text";
      if (model !== undefined && (typeof model !== "string" || model.trim() === ""))
        return "`model` is not the name of a model";
      const isOwn = model === undefined || model === "inherit";
      return { type: kind, prompt, ...(isOwn ? {} : { model }) };
    }
    case "mcp_tool": {
      const { server, tool, input = {} } = record;
      if (typeof server !== "string" || server === "") return "`server` is not a text";
      if (typeof tool !== "string" || tool === "") return "`tool` is not a text";
      if (!isRecord(input)) return "`input` is not an object";
      return { type: "mcp_tool", server, tool, input };
    }
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function timeoutOf(
  value: unknown,
  defaultMs: number,
  report: (what: Parameters<ReportHook>[1]) => void,
): number {
  if (value === undefined) return defaultMs;
  if (typeof value === "number" && value > 0 && value * 1000 <= maxTimeoutMs) return value * 1000;
  report({
    message: `\`timeout\` is a number of seconds, from above 0 to ${maxTimeoutMs / 1000}.`,
    hint: `It is taken as ${defaultMs / 1000}.`,
  });
  return defaultMs;
}

function onFailureOf(
  value: unknown,
  event: HookReading["event"],
  report: (what: Parameters<ReportHook>[1]) => void,
): Hook["onFailure"] {
  if (value === undefined) return event.onFailure;
  if (value === "allow" || (value === "block" && event.blocks !== undefined)) return value;
  report({
    message:
      value === "block"
        ? `A hook for ${event.name} can block nothing.`
        : '`onFailure` is "block" or "allow".',
    hint: `It is taken as "${event.onFailure}".`,
  });
  return event.onFailure;
}

function textsOf(
  record: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[],
  report: ReportHook,
): { readonly condition?: string; readonly message?: string } {
  const { if: condition, statusMessage: message } = record;
  const isRule = typeof condition === "string" && condition.trim() !== "";
  if (condition !== undefined && !isRule) {
    report([...path, "if"], {
      message: "`if` is a permission rule such as Bash(git *).",
      hint: "It is ignored: the hook runs for every call that its matcher names.",
    });
  }
  return {
    ...(isRule ? { condition } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}
