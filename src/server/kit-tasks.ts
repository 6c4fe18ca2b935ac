import { isProgramAlive, ownProgram, type Program } from "../background/index.ts";
import { ToolError, type StoreFs, type Task } from "../core/index.ts";
import {
  taskSupport,
  type McpTaskRecord,
  type McpTasks,
  type McpTaskStore,
  type McpTaskWork,
} from "../mcp/index.ts";
import { joinPath } from "../text/index.ts";

/** Part of a kit whose calls clients may run as tasks. */
export interface TaskKit {
  /** Directory in which its tools work. */
  readonly workspace: { readonly path: string };
  /** Directory of the stored tasks, and operations on its files. */
  readonly storage: { readonly directory: string; readonly fs: StoreFs };
  /** Commands and agents in the background. */
  readonly tasks: {
    /** Lists them. */
    list(): Promise<readonly Task[]>;
    /** Reads output from a byte on. */
    read(
      id: string,
      options?: { readonly from?: number; readonly maxBytes?: number },
    ): Promise<{ readonly text: string; readonly total: number }>;
    /** Ends one. */
    stop(id: string): Promise<unknown>;
  };
}

/** Options of `kitTasks`. */
export interface KitTasksOptions {
  /** Whether clients may or must run calls of further tools as tasks, by name. */
  readonly support?: Readonly<Record<string, "optional" | "required">>;
}

interface StoredRecord {
  readonly version: 1;
  readonly workspace: string;
  readonly owner: Program;
  readonly record: McpTaskRecord;
}

/** Maximum number of stored tasks of a workspace; the oldest are forgotten. */
const maxStored = 200;
/** Maximum bytes of output in a result; the whole output is in the file of the task. */
const maxTextBytes = 50_000;
const maxRecordBytes = 32 * 1024 * 1024;
const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/**
 * Calls of a kit as tasks of MCP clients: commands and agents, in the background or not. They are stored in the data
 * directory, so that a server started later knows them; work in the background that outlives a server that was killed is
 * followed by the next.
 */
export function kitTasks(
  openKit: () => Promise<TaskKit>,
  { support = {} }: KitTasksOptions = {},
): McpTasks {
  const others = new Map(Object.entries(support));
  return {
    support: ({ name }) => others.get(name) ?? taskSupport(name),
    store: async () => await openTaskStore(await openKit()),
  };
}

async function openTaskStore(kit: TaskKit): Promise<McpTaskStore> {
  const workspace = kit.workspace.path;
  const { fs } = kit.storage;
  const directory = joinPath(kit.storage.directory, "mcp-tasks");
  const owner = ownProgram();
  const fileOf = (id: string): string => joinPath(directory, `${id}.json`);
  const read = async (id: string): Promise<StoredRecord | undefined> => {
    const stored = isId.test(id) ? await readStored(fileOf(id), fs) : undefined;
    return stored?.workspace === workspace ? stored : undefined;
  };
  const all = async (): Promise<readonly StoredRecord[]> => {
    const found: StoredRecord[] = [];
    for (const name of await namesIn(directory, fs)) {
      const stored = await read(name.replace(/\.json$/u, ""));
      if (stored !== undefined) found.push(stored);
    }
    return found.toSorted((one, other) => other.record.createdAt - one.record.createdAt);
  };
  await fs.mkdir(directory, { mode: 0o700 });
  await prune(directory, fs);
  return {
    async save(record) {
      const stored: StoredRecord = { version: 1, workspace, owner, record };
      const bytes = new TextEncoder().encode(JSON.stringify(stored));
      await fs.writeAtomic(fileOf(record.id), bytes, { mode: 0o600 });
    },
    async get(id) {
      const stored = await read(id);
      if (stored === undefined) return undefined;
      return { record: stored.record, isOwned: isProgramAlive(stored.owner) };
    },
    async list() {
      return (await all())
        .filter((each) => each.owner.id === owner.id || !isProgramAlive(each.owner))
        .map(({ record }) => record)
        .filter(({ createdAt, ttlMs }) => createdAt + ttlMs >= Date.now());
    },
    work: async (callId) => await workOf(kit, callId),
  };
}

async function workOf(kit: TaskKit, callId: string): Promise<McpTaskWork | undefined> {
  const task = (await kit.tasks.list()).find(
    (each) => each.kind !== "todo" && each.callId === callId,
  );
  if (task === undefined || task.kind === "todo") return undefined;
  const { id, status } = task;
  const isCommand = task.kind === "command";
  return {
    isRunning: status === "running",
    isError: isCommand ? task.exitCode !== 0 : status !== "done",
    async text() {
      const { total } = await kit.tasks.read(id, { maxBytes: 1 });
      const from = Math.max(0, total - maxTextBytes);
      const { text } = await kit.tasks.read(id, { from, maxBytes: maxTextBytes });
      const before = from === 0 ? "" : `[the first ${from} of ${total} bytes are left out]\n`;
      const after = isCommand ? endOf(task) : status;
      return `${before}${text}${text === "" || text.endsWith("\n") ? "" : "\n"}[${id}: ${after}]`;
    },
    async stop() {
      try {
        await kit.tasks.stop(id);
      } catch (error) {
        // It has ended meanwhile, or belongs to another process.
        if (!ToolError.is(error)) throw error;
      }
    },
  };
}

function endOf({ exitCode, signal, status }: Task & { readonly kind: "command" }): string {
  if (typeof signal === "string") return `ended by ${signal}`;
  return exitCode === undefined || exitCode === null ? status : `exit code ${exitCode}`;
}

interface Listed {
  readonly file: string;
  readonly at: number;
  /** Undefined for a file that is not a stored task. */
  readonly workspace: string | undefined;
}

/** Removes what has expired, and the oldest beyond the limit. */
async function prune(directory: string, fs: StoreFs): Promise<void> {
  const found: (Listed & { readonly isOver: boolean })[] = [];
  for (const name of await namesIn(directory, fs)) {
    const file = joinPath(directory, name);
    const { mtimeMs: at } = await fs.stat(file).catch(() => ({ mtimeMs: 0 }));
    const isTask = isId.test(name.replace(/\.json$/u, ""));
    const stored = isTask ? await readStored(file, fs) : undefined;
    const record = stored?.record;
    // Another process may be writing a draft.
    const isDraft = !isTask && Date.now() - at < 60_000;
    const isOver = record === undefined ? !isDraft : record.createdAt + record.ttlMs < Date.now();
    found.push({ file, at, isOver, workspace: stored?.workspace });
  }
  // By workspace: a busy one must not take the tasks of another.
  const living = Map.groupBy(
    found.filter(({ isOver }) => !isOver),
    ({ workspace }) => workspace,
  );
  const surplus = [...living.values()].flatMap((each) =>
    each.toSorted((one, other) => other.at - one.at).slice(maxStored),
  );
  const removed = [...found.filter(({ isOver }) => isOver), ...surplus];
  await Promise.all(removed.map(async ({ file }) => await fs.remove(file).catch(ignoreAbsent)));
}

async function namesIn(directory: string, fs: StoreFs): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of fs.list(directory)) names.push(name);
  } catch (error) {
    // The directory may be removed while it is served.
    if (!ToolError.is(error) || error.code !== "NOT_FOUND") throw error;
  }
  return names;
}

/** Another process may have removed a file already. */
function ignoreAbsent(error: unknown): void {
  if (!ToolError.is(error) || error.code !== "NOT_FOUND") throw error;
}

async function readStored(file: string, fs: StoreFs): Promise<StoredRecord | undefined> {
  try {
    const { bytes } = await fs.readFile(file, { maxBytes: maxRecordBytes });
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isStored(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is a stored task. This version wrote it, so only what a damaged file would get wrong is checked. */
function isStored(value: unknown): value is StoredRecord {
  if (typeof value !== "object" || value === null) return false;
  const { version, owner, record }: Partial<Record<keyof StoredRecord, unknown>> = value;
  return (
    version === 1 &&
    typeof owner === "object" &&
    owner !== null &&
    "pid" in owner &&
    typeof owner.pid === "number" &&
    typeof record === "object" &&
    record !== null &&
    "id" in record &&
    typeof record.id === "string" &&
    "callId" in record &&
    typeof record.callId === "string" &&
    "createdAt" in record &&
    typeof record.createdAt === "number" &&
    "ttlMs" in record &&
    typeof record.ttlMs === "number"
  );
}
