import { ToolError, type Host } from "../../../core/index.ts";
import { isRecord, joinPath } from "../../../text/index.ts";
import type { RememberedEra } from "../servers/remembered-era.ts";
import type { PromptDefinition } from "./prompt-definition.ts";
import type { ToolDefinition, ToolDefinitions } from "./tool-definition.ts";

/** Facts remembered about a server, so that its tools are offered before it runs. */
export interface StoredDefinitions extends ToolDefinitions {
  readonly era: RememberedEra | undefined;
  /** Whether the server has resources. */
  readonly hasResources: boolean;
  /** Whether the server has skills. */
  readonly hasSkills?: boolean;
  /** Prompts of the server; undefined if it was not asked for them. */
  readonly prompts?: readonly PromptDefinition[] | undefined;
  /** Definition of each tool that calls were approved for: the first one, then each that the user accepted. */
  readonly accepted: Readonly<Record<string, ToolDefinition>>;
  /** Milliseconds since the epoch at which the server listed its tools. */
  readonly at: number;
}

/** File of a server, by the hash of its configuration. */
export interface DefinitionStore {
  /** Undefined if there is none, or none that can be read. */
  read(hash: string): Promise<StoredDefinitions | undefined>;
  /**
   * Changes the stored definitions while no other process does, and resolves with the change. Never rejects: without a
   * store the server is asked again.
   */
  update(hash: string, change: DefinitionChange): Promise<StoredDefinitions>;
}

/** Makes new definitions of those that are stored, also by another process. */
export type DefinitionChange = (latest: StoredDefinitions | undefined) => StoredDefinitions;

const maxStoredBytes = 16_000_000;

/** Keeps definitions in files of a directory that only haft reads. */
export function definitionStore(
  host: Pick<Host, "fs">,
  directory: string,
  exclusively: <T>(key: string, work: () => Promise<T>) => Promise<T>,
): DefinitionStore {
  const fileOf = (hash: string): string => joinPath(directory, `${hash.slice(0, 32)}.json`);
  const read = async (hash: string): Promise<StoredDefinitions | undefined> => {
    try {
      const { bytes } = await host.fs.readFile(fileOf(hash), { maxBytes: maxStoredBytes });
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      return isStored(value) ? value : undefined;
    } catch {
      return undefined;
    }
  };
  const write = async (hash: string, stored: StoredDefinitions): Promise<void> => {
    const bytes = new TextEncoder().encode(JSON.stringify({ version: 1, ...stored }));
    try {
      await host.fs.mkdir(directory, { mode: 0o700 });
      await host.fs.writeAtomic(fileOf(hash), bytes, { mode: 0o600 });
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
  };
  return {
    read,
    async update(hash, change) {
      const work = async (): Promise<StoredDefinitions> => {
        const stored = change(await read(hash));
        await write(hash, stored);
        return stored;
      };
      return await exclusively(hash, work).catch(async (error: unknown) => {
        // Another process holds the file for too long.
        if (!ToolError.is(error)) throw error;
        return await work();
      });
    },
  };
}

/** Keeps definitions while the process runs, for a server that is part of the program. */
export function memoryStore(): DefinitionStore {
  const kept = new Map<string, StoredDefinitions>();
  return {
    read: async (hash) => kept.get(hash),
    async update(hash, change) {
      const stored = change(kept.get(hash));
      kept.set(hash, stored);
      return stored;
    },
  };
}

function isStored(value: unknown): value is StoredDefinitions {
  return (
    isRecord(value) &&
    value["version"] === 1 &&
    typeof value["at"] === "number" &&
    Array.isArray(value["tools"]) &&
    value["tools"].every(isDefinition) &&
    Array.isArray(value["problems"]) &&
    isRecord(value["accepted"]) &&
    Object.values(value["accepted"]).every(isDefinition) &&
    (value["prompts"] === undefined ||
      (Array.isArray(value["prompts"]) && value["prompts"].every(isPrompt)))
  );
}

function isDefinition(value: unknown): value is ToolDefinition {
  return (
    isRecord(value) &&
    ["name", "offeredAs", "description", "hash"].every((key) => typeof value[key] === "string") &&
    isRecord(value["inputSchema"])
  );
}

function isPrompt(value: unknown): value is PromptDefinition {
  return (
    isRecord(value) &&
    ["name", "offeredAs", "description"].every((key) => typeof value[key] === "string") &&
    Array.isArray(value["arguments"]) &&
    value["arguments"].every((each) => isRecord(each) && typeof each["name"] === "string")
  );
}
