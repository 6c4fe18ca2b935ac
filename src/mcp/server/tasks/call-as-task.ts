import { isRecord } from "../../../text/index.ts";
import { canRunTasks } from "../protocol/client-capabilities.ts";
import { RpcError } from "../protocol/json-rpc.ts";
import type { Result, Running } from "../protocol/server-context.ts";
import { callTool, type TaskOfCall } from "../tools/call-tool.ts";
import type { LiveTask } from "./live-task.ts";
import { createdTask, legacyTask, missingTasks, taskRunner } from "./task-methods.ts";
import type { McpTaskRecord } from "./task-store.ts";

/** Time, in milliseconds, in which a call that may become a task is answered like any other. */
const shortcutMs = 300;

/**
 * Handles `tools/call` of a tool whose calls may be tasks. With `initialize` the client decides; without, a call becomes
 * a task when it takes longer, or leaves work in the background.
 */
export async function callAsTask(
  running: Running,
  support: "optional" | "required",
): Promise<Result> {
  const { request, era, server } = running;
  const wanted = request.params["task"];
  if (era.kind === "legacy") {
    if (wanted === undefined && support === "required") {
      throw new RpcError("methodNotFound", "Calls of this tool must be tasks: send task.");
    }
    if (wanted === undefined) return await callTool(request.params, running);
    if (!isRecord(wanted)) throw new RpcError("invalidParams", "task must be an object.");
  } else if (!canRunTasks(running)) {
    if (support === "required") throw missingTasks();
    return await callTool(request.params, running);
  }
  const runner = await taskRunner(server);
  runner.checkRoom();
  const controller = new AbortController();
  const onAbort = (): void => controller.abort();
  if (running.signal.aborted) onAbort();
  running.signal.addEventListener("abort", onAbort, { once: true });

  const callId = server.toolkit.newId("mcp");
  const started = Promise.withResolvers<LiveTask>();
  let isTask = era.kind === "legacy";
  let hasAsked = false;
  const task: TaskOfCall = {
    callId,
    ask(question) {
      if (isTask) return started.promise.then(async (live) => await live.ask(question));
      hasAsked = true;
      return undefined;
    },
  };
  const session = server.session ?? server.channel;
  const calling = callTool(request.params, {
    ...running,
    signal: controller.signal,
    // Messages about the call are sent after its response too.
    ...(isTask ? { server: { ...server, channel: session } } : {}),
    task,
  });
  const onChange = (record: McpTaskRecord): void => {
    if (era.kind === "modern") return;
    const method = "notifications/tasks/status";
    session.send({ jsonrpc: "2.0", method, params: legacyTask(record) });
  };
  const begin = async (): Promise<Result> => {
    isTask = true;
    running.signal.removeEventListener("abort", onAbort);
    const tool = String(request.params["name"]);
    const ttlMs = isRecord(wanted) ? wanted["ttl"] : undefined;
    try {
      const live = await runner.start({ tool, callId, era, ttlMs, controller, onChange }, calling);
      started.resolve(live);
      return createdTask(live.record, era);
    } catch (error) {
      controller.abort();
      started.reject(error);
      started.promise.catch(() => undefined);
      await calling.catch(() => undefined);
      throw error;
    }
  };
  if (isTask) return await begin();
  const isSlow = await slower(calling);
  if (isSlow && !hasAsked && !running.signal.aborted) return await begin();
  const result = await calling;
  const { store } = runner;
  const leavesWork = result["isError"] !== true && (await store.work(callId))?.isRunning === true;
  return leavesWork ? await begin() : result;
}

/** Whether a call takes longer than the shortcut. */
async function slower(calling: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), shortcutMs);
  const onEnd = (): void => resolve(false);
  calling.then(onEnd, onEnd);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
