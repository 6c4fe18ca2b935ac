import {
  ToolError,
  type AgentDefinition,
  type AgentDefinitions,
  type Host,
  type UnusedAgent,
} from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import type { LoadedPlugins } from "../plugins/plugin.ts";
import { listDocuments, listLinkedDocuments } from "../documents/list-documents.ts";
import { isTrustedContent, type OpenedTrust } from "../trust/trusted-files.ts";
import { agentDirectories } from "./agent-directories.ts";
import { readAgent } from "./read-agent.ts";
import { withPluginRoot } from "../plugins/plugin-root.ts";

/** Definitions of a workspace that is not trusted are listed for the user only. */
export interface LoadAgentsOptions extends OpenedTrust {
  readonly host: Pick<Host, "fs">;
  readonly workspace: string;
  readonly home: string;
  readonly plugins?: LoadedPlugins | undefined;
}

/** Maximum bytes of a definition. */
const maxBytes = 262_144;

/** Reads the definitions of agents of a workspace and of the user. Never rejects: what cannot be used is listed. */
export async function loadAgents(options: LoadAgentsOptions): Promise<AgentDefinitions> {
  const { workspace, home, trusted } = options;
  const agents = new Map<string, AgentDefinition>();
  /** Names in one letter case: two that differ only in it would be taken for each other. */
  const byFolded = new Map<string, AgentDefinition>();
  const unused: UnusedAgent[] = [];
  const places = [
    ...agentDirectories.map((directory) => ({
      directory: `${workspace}/${directory}`,
      isUsers: false,
    })),
    ...(home === workspace
      ? []
      : agentDirectories.map((directory) => ({
          directory: `${home}/${directory}`,
          isUsers: true,
        }))),
  ];
  for (const { directory, isUsers } of places) {
    const found = await listLinkedDocuments(directory, isDefinition, options.host);
    for (const { path, message } of found.problems) {
      unused.push({ name: nameOf(path), file: path, reason: "invalid", message });
    }
    for (const { path } of found.files) {
      const { hash, ...read } = await readFile(path, options.host);
      if (read.kind === "invalid") {
        const { name, message } = read;
        unused.push({ name, file: path, reason: "invalid", message });
      } else if (!trusted && !isUsers) {
        const message = "It needs trust: this workspace is not trusted.";
        unused.push({ name: read.agent.name, file: path, reason: "trust", message });
      } else if (!isUsers && !(await isTrustedContent(options, path, hash))) {
        const message = "It changed after the workspace was trusted.";
        unused.push({ name: read.agent.name, file: path, reason: "trust", message });
      } else {
        const { name } = read.agent;
        const earlier = byFolded.get(name.toLowerCase());
        if (earlier === undefined) {
          byFolded.set(name.toLowerCase(), read.agent);
          agents.set(name, read.agent);
        } else {
          const message = alreadyTaken(name, earlier);
          unused.push({ name, file: path, reason: "invalid", message });
        }
      }
    }
  }
  await addAgentsOfPlugins(options, { agents, unused });
  for (const cycle of cyclesOf(agents)) {
    const text = [...cycle, cycle[0]].join(", then ");
    for (const name of cycle) {
      const agent = agents.get(name);
      agents.delete(name);
      if (agent === undefined) continue;
      const message = `These agents start each other without end: ${text}.`;
      unused.push({ name, file: agent.file ?? "", reason: "invalid", message });
    }
  }
  return { agents: [...agents.values()], unused };
}

function isDefinition(name: string): boolean {
  return name.endsWith(".md");
}

function alreadyTaken(name: string, { name: earlier, file = "" }: AgentDefinition): string {
  const difference = name === earlier ? "" : `, as ${earlier}`;
  return `${file} has this name already${difference}; rename one of them.`;
}

/** Agents of plugins: the plugin's name is part of theirs, so that they take no other name. */
async function addAgentsOfPlugins(
  { plugins, host }: LoadAgentsOptions,
  { agents, unused }: { agents: Map<string, AgentDefinition>; unused: UnusedAgent[] },
): Promise<void> {
  for (const plugin of plugins?.all ?? []) {
    if (plugin.agents.length === 0) continue;
    const changed = await plugin.verify().then(() => undefined, messageOf);
    for (const directory of plugin.agents) {
      const listed = await listDocuments(directory, isDefinition, host);
      const isFile = directory.endsWith(".md");
      for (const path of isFile ? [directory] : listed.files.map((each) => each.path)) {
        const read = await readFile(path, host);
        const own = read.kind === "invalid" ? read.name : read.agent.name;
        const name = `${plugin.name}:${own}`;
        const trust = plugin.needsTrust
          ? "It needs trust: this workspace is not trusted."
          : changed;
        if (read.kind === "invalid") {
          unused.push({ name, file: path, reason: "invalid", message: read.message });
        } else if (read.agent.hooks !== undefined) {
          const message =
            "Hooks of an agent do not run in a plugin; its hooks/hooks.json is for them.";
          unused.push({ name, file: path, reason: "invalid", message });
        } else if (read.agent.mcpServers !== undefined) {
          const message =
            "MCP servers of an agent do not start in a plugin; its .mcp.json is for them.";
          unused.push({ name, file: path, reason: "invalid", message });
        } else if (trust !== undefined) {
          unused.push({ name, file: path, reason: "trust", message: trust });
        } else {
          const prompt = withPluginRoot(read.agent.prompt, plugin.root);
          agents.set(name, { ...read.agent, name, prompt });
        }
      }
    }
  }
}

async function readFile(path: string, host: Pick<Host, "fs">) {
  try {
    const { bytes, hash } = await host.fs.readFile(path, { maxBytes });
    return { hash, ...(await readAgent({ path, text: new TextDecoder().decode(bytes) })) };
  } catch (error) {
    const message = ToolError.is(error) ? error.message : messageOf(error);
    return { kind: "invalid", name: nameOf(path), message, hash: undefined } as const;
  }
}

/** Agents that name each other as those they may start; a cycle would end only at the limits. */
function cyclesOf(agents: ReadonlyMap<string, AgentDefinition>): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  const isDone = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    const at = path.indexOf(name);
    if (at !== -1) {
      cycles.push(path.slice(at));
      return;
    }
    if (isDone.has(name)) return;
    for (const next of agents.get(name)?.agents ?? []) visit(next, [...path, name]);
    isDone.add(name);
  };
  for (const name of agents.keys()) visit(name, []);
  return cycles;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/u, "");
}
