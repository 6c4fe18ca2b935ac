import {
  modes,
  nearestName,
  oneOf,
  type AgentDefinition,
  type AgentMcpServer,
} from "../../core/index.ts";
import { isRecord, visibleText } from "../../text/index.ts";
import { entryProblem } from "../../policy/index.ts";
import { readDocument, type DocumentProblem } from "../documents/read-document.ts";

export interface AgentFile {
  /** Canonical path. */
  readonly path: string;
  readonly text: string;
}

export type ReadAgent =
  | {
      readonly kind: "agent";
      readonly agent: AgentDefinition;
      readonly notes: readonly DocumentProblem[];
    }
  | {
      readonly kind: "invalid";
      readonly name: string;
      readonly message: string;
      readonly problems: readonly DocumentProblem[];
    };

/** Keys of other programs that change nothing here. */
const withoutEffect: ReadonlySet<string> = new Set([
  "color",
  "effort",
  "initialPrompt",
  "memory",
  "skills",
]);

const names: Readonly<Record<string, string>> = {
  maxIterations: "maxTurns",
  max_iterations: "maxTurns",
  max_turns: "maxTurns",
  max_tokens: "maxTokens",
  permission_mode: "permissionMode",
  disallowed_tools: "disallowedTools",
  directMcpServers: "mcpServers",
};

const known: ReadonlySet<string> = new Set([
  "name",
  "description",
  "tools",
  "disallowedTools",
  "model",
  "permissionMode",
  "maxTurns",
  "maxTokens",
  "background",
  "isolation",
  "hooks",
  "mcpServers",
  "mcpServerIds",
]);

/**
 * Reads the definition of an agent. A value that is not understood makes it unusable, and so does an unknown key that may
 * have been meant to limit the agent. Other unknown keys, which programs add for themselves, are noted.
 */
export async function readAgent({ path, text }: AgentFile): Promise<ReadAgent> {
  const { fields, body, problems } = await readDocument(text);
  const given = typeof fields["name"] === "string" ? fields["name"] : baseName(path);
  const faults = [...problems];
  const at = (key: string, message: string): DocumentProblem => {
    const line = text.split(/\r\n?|\n/u).findIndex((each) => each.startsWith(`${key}:`)) + 1;
    return line === 0 ? { message } : { message, line };
  };
  const fault = (key: string, message: string): void => void faults.push(at(key, message));
  const notes: DocumentProblem[] = [];
  const values = new Map<string, unknown>();
  for (const [key, value] of Object.entries(fields)) {
    const name = names[key] ?? key;
    if (known.has(name)) values.set(name, value);
    else if (withoutEffect.has(key)) notes.push(at(key, `${key} has no effect here.`));
    else if (mayLimit(key)) fault(key, unknownLimit(key));
    else notes.push(at(key, `${unknownKey(key)} It has no effect.`));
  }
  const take = <T>(
    key: string,
    read: (value: unknown) => T | undefined,
    is: string,
  ): T | undefined => {
    const value = values.get(key);
    if (value === undefined || value === null) return undefined;
    const found = read(value);
    if (found === undefined) fault(key, `${key} must be ${is}.`);
    return found;
  };
  const aName = "a name of letters of one alphabet, digits, - and _";
  const name = take("name", agentName, aName) ?? given;
  if (!values.has("name") && agentName(given) === undefined) {
    fault("name", `The file is not named by ${aName}; give it one, or add the key name.`);
  }
  const description = take("description", aText, "a string") ?? firstLine(body);
  const tools = take("tools", aList, "a list of tools");
  const disallowedTools = take("disallowedTools", aList, "a list of tools");
  for (const entry of disallowedTools ?? []) {
    if (!entry.includes("(")) continue;
    fault("disallowedTools", `disallowedTools names whole tools, not ${entry}.`);
  }
  for (const entry of tools ?? []) {
    const problem = entryProblem(withoutSpawnList(entry));
    if (problem?.kind === "unreadable")
      fault("tools", `tools: ${visibleText(entry)} cannot be read: ${problem.message}`);
  }
  const model = take("model", aText, "the name of a model");
  const permissionMode = take(
    "permissionMode",
    (value) => modes.find((mode) => mode === value),
    oneOf(modes).is,
  );
  const maxTurns = take("maxTurns", aCount, "a whole number above 0");
  const maxTokens = take("maxTokens", aCount, "a whole number above 0");
  const background = take("background", aFlag, "true or false");
  const isolation = take(
    "isolation",
    (value) => (value === "worktree" ? value : undefined),
    '"worktree"',
  );
  const hooks = take(
    "hooks",
    (value) => (isRecord(value) ? value : undefined),
    "an object of events",
  );
  if (hooks !== undefined) {
    const { readHooks } = await import("../hooks/read-hooks.ts");
    for (const { severity, message } of readHooks({ value: hooks, origin: { scope: "agent" } })
      .problems) {
      if (severity === "error") fault("hooks", message);
      else notes.push(at("hooks", message));
    }
  }
  const mcpServers = take(
    "mcpServers",
    agentServers,
    'a list of names and definitions, as in [files, { db: { command: "db-server" } }]',
  );
  const mcpServerIds = take("mcpServerIds", aList, "a list of names of MCP servers");
  if (body.trim() === "") faults.push({ message: "It has no instructions below its fields." });
  if (faults.length > 0) {
    const sentences = faults.map(({ message, line }) =>
      line === undefined ? message : `Line ${line}: ${message}`,
    );
    return { kind: "invalid", name, message: sentences.join(" "), problems: faults };
  }
  const spawns = spawnList(tools);
  const agent: AgentDefinition = {
    name,
    description,
    prompt: body.trim(),
    file: path,
    ...(tools === undefined ? {} : { tools: tools.map(withoutSpawnList) }),
    ...(disallowedTools === undefined ? {} : { disallowedTools }),
    ...(spawns === undefined ? {} : { agents: spawns }),
    ...(model === undefined || model === "inherit" ? {} : { model }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(background === undefined ? {} : { background }),
    ...(isolation === undefined ? {} : { worktree: true }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(mcpServers === undefined ? {} : { mcpServers }),
    ...(mcpServerIds === undefined ? {} : { mcpServerIds }),
  };
  return { kind: "agent", agent, notes };
}

/** Words of keys that limit what an agent may do, in any spelling. */
const limiting =
  /tool|permi|mode|allow|den(?:y|ied)|forbid|block|restrict|limit|max|only|sandbox|hook|isolat|server|network|ceiling|secur|safe|guard|rule|polic|access|scope|path|budget|timeout/iu;

/** Whether a key resembles one that limits, or is misspelled. */
function mayLimit(key: string): boolean {
  return limiting.test(key) || nearestKey(key) !== undefined;
}

function nearestKey(key: string): string | undefined {
  return nearestName(key.slice(0, 64), new Set([...known, ...withoutEffect]));
}

function unknownLimit(key: string): string {
  const next = "It may be meant as a limit: remove it, or use tools or disallowedTools.";
  return nearestKey(key) === undefined ? `${unknownKey(key)} ${next}` : unknownKey(key);
}

function unknownKey(key: string): string {
  const near = nearestKey(key);
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  return `The key ${JSON.stringify(key)} is not known.${meant}`;
}

/** Agents named in `Agent(a, b)`; undefined if the list does not limit them. */
function spawnList(tools: readonly string[] | undefined): readonly string[] | undefined {
  const lists = (tools ?? []).flatMap((tool) => spawning.exec(tool)?.[1] ?? []);
  if (lists.length === 0) return undefined;
  return lists
    .flatMap((list) => list.split(",").map((each) => each.trim()))
    .filter((each) => each !== "");
}

const spawning = /^(?:Agent|Task)\((.*)\)$/u;

function withoutSpawnList(tool: string): string {
  return spawning.test(tool) ? "Agent" : tool;
}

/** A name, unless it could look like another one: in compatible characters, or in letters of several alphabets. */
function agentName(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^[\p{L}\p{N}_:.-]{1,64}$/u.test(value)) return undefined;
  const isMixed = /\p{Script=Latin}/u.test(value) && /(?!\p{Script=Latin})\p{L}/u.test(value);
  return isMixed || value.normalize("NFKC") !== value ? undefined : value;
}

function aText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function aCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function aFlag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** A list, or one text with commas between its items; commas in parentheses separate nothing. */
function aList(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) {
    const texts = value.flatMap((each: unknown) => aText(each) ?? []);
    return texts.length === value.length ? texts : undefined;
  }
  if (typeof value !== "string") return undefined;
  return (value.match(/(?:\([^)]*\)|[^,(])+/gu) ?? [])
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Names and definitions of servers; definitions alone may be one object. */
function agentServers(value: unknown): readonly AgentMcpServer[] | undefined {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const found = given.flatMap((each): AgentMcpServer[] => {
    const name = aText(each);
    if (name !== undefined) return [name];
    if (!isRecord(each)) return [];
    const definitions = Object.entries(each).flatMap(([key, entry]) =>
      isRecord(entry) ? [[key, entry] as const] : [],
    );
    return definitions.length === Object.keys(each).length ? [Object.fromEntries(definitions)] : [];
  });
  return found.length === given.length ? found : undefined;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/u, "");
}

function firstLine(body: string): string {
  return body.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
}
