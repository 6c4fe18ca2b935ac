import { modes, nearestName, oneOf, type AgentDefinition } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
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
  "mcpServers",
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
]);

/**
 * Reads the definition of an agent. A key or value that is not understood makes it unusable: it may have been meant to
 * limit the agent.
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
    else fault(key, unknownKey(key));
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
  const name = take("name", agentName, "a name of letters, digits, - and _") ?? given;
  const description = take("description", aText, "a string") ?? firstLine(body);
  const tools = take("tools", aList, "a list of tools");
  const disallowedTools = take("disallowedTools", aList, "a list of tools");
  for (const entry of disallowedTools ?? []) {
    if (!entry.includes("(")) continue;
    fault("disallowedTools", `disallowedTools names whole tools, not ${entry}.`);
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
  };
  return { kind: "agent", agent, notes };
}

function unknownKey(key: string): string {
  const near = nearestName(key.slice(0, 64), new Set([...known, ...withoutEffect]));
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

function agentName(value: unknown): string | undefined {
  return typeof value === "string" && /^[\p{L}\p{N}_:.-]{1,64}$/u.test(value) ? value : undefined;
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

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/u, "");
}

function firstLine(body: string): string {
  return body.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
}
