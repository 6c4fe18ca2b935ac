import { inBatches, isRecord } from "../../../text/index.ts";
import { readDocument } from "../../documents/read-document.ts";
import type { HookHandler } from "../../hooks/hook.ts";
import { readHooks } from "../../hooks/read-hooks.ts";
import { readSettingsText } from "../../settings/settings-text.ts";
import { hashFiles, type FileHashes, type HashOptions } from "../hash-files.ts";
import type { StartedProgram } from "./command-words.ts";
import { filesOfProgram } from "./program-files.ts";

/** The commands that a file of configuration starts: settings, `.mcp.json`, a skill or an agent. */
export async function programsIn(name: string, text: string): Promise<readonly StartedProgram[]> {
  const fields = name.endsWith(".md")
    ? (await readDocument(text)).fields
    : readSettingsText(text).value;
  if (!isRecord(fields)) return [];
  const { diagnostics } = fields;
  return [
    ...hooksIn(fields["hooks"]),
    ...serversIn(fields["mcpServers"]),
    ...serversIn(fields["directMcpServers"]),
    ...(isRecord(diagnostics) ? checksIn(diagnostics) : []),
  ];
}

function hooksIn(value: unknown): readonly StartedProgram[] {
  const { hooks } = readHooks({ value, origin: { scope: "workspace" } });
  return hooks.flatMap(({ event, handler }) => {
    const program = programOfHook(handler);
    return program === undefined ? [] : [{ ...program, what: `hook ${event}` }];
  });
}

/** The command of a hook; undefined for one that runs none. */
export function programOfHook(handler: HookHandler): Omit<StartedProgram, "what"> | undefined {
  if (handler.type !== "command") return undefined;
  const { command, args } = handler;
  return { command: args === undefined ? command : [command, ...args] };
}

/** Servers by name, or a list of such objects, as agents have it. */
function serversIn(value: unknown): readonly StartedProgram[] {
  if (Array.isArray(value)) return value.flatMap(serversIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => {
    const program = isRecord(entry) ? programOfServer(entry) : undefined;
    return program === undefined ? [] : [{ ...program, what: `MCP server ${name}` }];
  });
}

/** The command of an MCP server as it is written; undefined for one that is reached by its address. */
export function programOfServer(
  entry: Readonly<Record<string, unknown>>,
): Omit<StartedProgram, "what"> | undefined {
  const { command, args, cwd, env } = entry;
  if (typeof command !== "string") return undefined;
  const variables = isRecord(env) ? Object.entries(env) : [];
  const environment = variables.flatMap(([name, value]) =>
    isText(value) ? [`${name}=${value}`] : [],
  );
  return {
    command: [command, ...textsIn(args)],
    environment,
    ...(typeof cwd === "string" ? { cwd } : {}),
  };
}

function checksIn({
  checkers,
  servers,
}: Readonly<Record<string, unknown>>): readonly StartedProgram[] {
  const list: readonly unknown[] = Array.isArray(checkers) ? checkers : [];
  const named = isRecord(servers) ? Object.entries(servers) : [];
  const programs = [
    ...list.map((each) => ({ what: "checker", each })),
    ...named.map(([name, each]) => ({ what: `language server ${name}`, each })),
  ];
  return programs.flatMap(({ what, each }) => {
    const command = isRecord(each) ? textsIn(each["command"]) : [];
    return command.length === 0 ? [] : [{ what, command }];
  });
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isText) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Files that trust covers with a change of a configuration file, and those that it releases. */
export interface CoverageChange {
  /** Files of the programs that it adds. */
  readonly added: FileHashes;
  /** Files of the programs that it removes. Other parts of the configuration may still name them. */
  readonly removed: ReadonlySet<string>;
}

/** A configuration file, named by its path below the workspace, before and after a change. */
export interface ChangedText {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

type CoverageOptions = Pick<HashOptions, "host" | "workspace">;

/** Compares the programs that a configuration file starts before and after a change. */
export async function changedCoverage(
  { name, before, after }: ChangedText,
  options: CoverageOptions,
): Promise<CoverageChange> {
  const [former, next] = await Promise.all([programsIn(name, before), programsIn(name, after)]);
  const [added, removed] = await Promise.all([
    filesOf(without(next, former), options),
    filesOf(without(former, next), options),
  ]);
  return { added, removed: new Set(removed.keys()) };
}

function without(
  programs: readonly StartedProgram[],
  others: readonly StartedProgram[],
): readonly StartedProgram[] {
  const known = new Set(others.map((each) => JSON.stringify(each)));
  return programs.filter((each) => !known.has(JSON.stringify(each)));
}

async function filesOf(
  programs: readonly StartedProgram[],
  options: CoverageOptions,
): Promise<FileHashes> {
  const where = { ...options, stats: new Map() };
  const files = await inBatches(programs, async (each) => await filesOfProgram(each, where));
  return await hashFiles(files.flat(), options);
}
