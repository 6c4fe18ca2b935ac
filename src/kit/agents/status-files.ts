import type { AgentInfo, HaftEvent, Host } from "../../core/index.ts";
import { isRunningProcess, ownProcess } from "../../host/index.ts";
import { isRecord, joinPath } from "../../text/index.ts";

/** States of agents in files, so that another process can show them while they run and after their end. */
export interface AgentStatusFiles {
  /** Agents of every process, the latest first; `lost` for one whose process is gone. */
  list(): Promise<readonly AgentInfo[]>;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

export interface StatusFilesOptions {
  readonly host: Host;
  /** Data directory of the kit. */
  readonly directory: string;
  readonly subscribe: (listener: (event: HaftEvent) => void) => () => void;
}

/** Maximum number of agents whose state is kept; the oldest are deleted. */
const maxFiles = 200;
const maxBytes = 100_000;
/** Characters of an answer that a file holds; the whole one is in the session. */
const maxChars = 2000;

export function agentStatusFiles({ host, directory, subscribe }: StatusFilesOptions) {
  const folder = joinPath(directory, "agents");
  const waiting = new Map<string, AgentInfo>();
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    await host.fs.mkdir(folder, { mode: 0o700 });
    for (const [id, agent] of waiting) {
      waiting.delete(id);
      const shown = { ...agent, text: agent.text.slice(0, maxChars) };
      const text = JSON.stringify({ format: 1, process: ownProcess(), agent: shown });
      await host.fs.writeAtomic(joinPath(folder, `${id}.json`), new TextEncoder().encode(text));
    }
  };
  const flush = (): void => {
    // Changes during a write are written by the next one. A state that cannot be written is only not shown.
    writing ??= write()
      .catch(() => undefined)
      .then(() => {
        writing = undefined;
        return waiting.size > 0 ? flush() : undefined;
      });
  };
  const written = async (): Promise<void> => {
    if (writing === undefined) return;
    await writing;
    await written();
  };
  const unsubscribe = subscribe((event) => {
    if (event.type !== "agent-start" && event.type !== "agent-event" && event.type !== "agent-end")
      return;
    waiting.set(event.agent.agentId, event.agent);
    flush();
  });
  const read = async (name: string): Promise<AgentInfo | undefined> => {
    try {
      const { bytes } = await host.fs.readFile(joinPath(folder, name), { maxBytes });
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      if (!isRecord(value) || !isAgent(value["agent"])) return undefined;
      const { agent, process } = { agent: value["agent"], process: value["process"] };
      const isGone = typeof process === "string" && isRunningProcess(process) === false;
      return agent.status === "running" && isGone ? { ...agent, status: "lost" } : agent;
    } catch {
      // Half a file, or one that was deleted meanwhile.
      return undefined;
    }
  };
  return {
    async list() {
      const found: AgentInfo[] = [];
      try {
        for await (const { name } of host.fs.list(folder)) {
          const agent = name.endsWith(".json") ? await read(name) : undefined;
          if (agent !== undefined) found.push(agent);
        }
      } catch {
        return [];
      }
      return found.toSorted((one, other) => other.startedAt - one.startedAt);
    },
    async close() {
      unsubscribe();
      await written();
      const old = (await this.list()).slice(maxFiles);
      for (const { agentId } of old) {
        await host.fs.remove(joinPath(folder, `${agentId}.json`)).catch(() => undefined);
      }
    },
  } satisfies AgentStatusFiles;
}

/** Whether a value has what the list of agents shows. */
function isAgent(value: unknown): value is AgentInfo {
  return (
    isRecord(value) &&
    ["agentId", "runId", "sessionId", "agent", "description", "status", "text", "activity"].every(
      (key) => typeof value[key] === "string",
    ) &&
    ["depth", "turns", "calls", "startedAt", "lastActivityAt"].every(
      (key) => typeof value[key] === "number",
    ) &&
    isRecord(value["usage"])
  );
}
