import { canRunTasks, modernTasks } from "../protocol/client-capabilities.ts";
import { RpcError } from "../protocol/json-rpc.ts";
import type { ProtocolMemory, Result, Running, ServerSide } from "../protocol/server-context.ts";
import { metaKeys, type Era } from "../protocol/versions.ts";
import { isEnded } from "./live-task.ts";
import { TaskRunner } from "./task-runner.ts";
import type { McpTaskRecord } from "./task-store.ts";

/** Time after which a client may look again, in milliseconds. */
const pollMs = 500;
const defaultAskTimeoutMs = 10 * 60_000;

const runners = new WeakMap<ProtocolMemory, Promise<TaskRunner>>();

/** The tasks of a server; opens their store with the first. */
export async function taskRunner({ memory, options }: ServerSide): Promise<TaskRunner> {
  const { tasks, sessionId, askTimeoutMs = defaultAskTimeoutMs } = options;
  if (tasks === undefined) throw new RpcError("methodNotFound", "There are no tasks.");
  const open = async (): Promise<TaskRunner> =>
    new TaskRunner({ store: await tasks.store(), sessionId, askTimeoutMs });
  const opening = runners.get(memory) ?? open();
  runners.set(memory, opening);
  memory.closeTasks ??= async () => await (await opening.catch(() => undefined))?.close();
  try {
    return await opening;
  } catch (error) {
    // The next request tries again.
    runners.delete(memory);
    delete memory.closeTasks;
    throw error;
  }
}

/** Result of a method of tasks. */
export async function taskResult(running: Running): Promise<Result> {
  const { server, request, era } = running;
  if (!canRunTasks(running)) throw missingTasks();
  const runner = await taskRunner(server);
  const { taskId, inputResponses } = request.params;
  switch (request.method) {
    case "tasks/get": {
      const { record, asked } = await runner.get(taskId);
      if (era.kind === "legacy") return legacyTask(record);
      const requests = Object.keys(asked).length === 0 ? {} : { inputRequests: asked };
      const { result, error } = record;
      return {
        ...modernTask(record),
        ...requests,
        ...(result === undefined ? {} : { result }),
        ...(error === undefined ? {} : { error }),
      };
    }
    case "tasks/update":
      await runner.answer(taskId, inputResponses);
      return {};
    case "tasks/cancel":
      return await cancel(runner, taskId, era);
    case "tasks/list":
      if (request.params["cursor"] !== undefined) {
        throw new RpcError("invalidParams", "The list has one page; there is no cursor.");
      }
      return { tasks: (await runner.list()).map(legacyTask) };
    default:
      return await waitForResult(runner, running);
  }
}

/** Response to a call that became a task. */
export function createdTask(record: McpTaskRecord, era: Era): Result {
  return era.kind === "modern"
    ? { resultType: "task", ...modernTask(record) }
    : { task: legacyTask(record) };
}

/** Error for a client that did not declare tasks. */
export function missingTasks(): RpcError {
  return new RpcError(
    "missingClientCapability",
    "The request needs a client that declares tasks. Declare the extension, or call another tool.",
    { requiredCapabilities: { extensions: { [modernTasks]: {} } } },
  );
}

async function cancel(runner: TaskRunner, taskId: unknown, era: Era): Promise<Result> {
  const before = await runner.cancel(taskId);
  if (era.kind === "modern") return {};
  if (isEnded(before)) {
    throw new RpcError("invalidParams", `The task is ${before.status} already.`);
  }
  return legacyTask((await runner.get(taskId)).record);
}

async function waitForResult(runner: TaskRunner, running: Running): Promise<Result> {
  const { server, request, signal, direct } = running;
  const { state, channel } = server;
  const attached = { state, channel, direct, signal };
  const { id, status, result, error } = await runner.ended(request.params["taskId"], attached);
  if (error !== undefined) throw new RpcError(error.code, error.message, error.data);
  if (result === undefined) {
    throw new RpcError("invalidParams", `The task is ${status} and has no result.`);
  }
  const meta = result["_meta"];
  const own = typeof meta === "object" && meta !== null ? meta : {};
  return { ...result, _meta: { ...own, [metaKeys.relatedTask]: { taskId: id } } };
}

export function legacyTask(record: McpTaskRecord): Result {
  return { ...sharedFields(record), ttl: record.ttlMs, pollInterval: pollMs };
}

function modernTask(record: McpTaskRecord): Result {
  return { ...sharedFields(record), ttlMs: record.ttlMs, pollIntervalMs: pollMs };
}

function sharedFields({ id, status, message, createdAt, updatedAt }: McpTaskRecord): Result {
  return {
    taskId: id,
    status,
    ...(message === undefined ? {} : { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
  };
}
