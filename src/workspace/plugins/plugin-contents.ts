import { isRecord } from "../../text/index.ts";
import { readAgent } from "../agents/read-agent.ts";
import { readMarkdownCommand } from "../commands/read-command.ts";
import { readHooks } from "../hooks/read-hooks.ts";
import { hookName } from "../hooks/hook.ts";
import type { Package } from "../packages/package.ts";
import { textIn } from "../packages/package.ts";
import { scriptsOf, type PackageProgram } from "../packages/review-package.ts";
import { readSettingsText } from "../settings/settings-text.ts";
import { readSkill } from "../skills/read-skill.ts";
import { filesBelow, pluginToolName, toolFiles, type PluginToolFiles } from "./plugin-tools.ts";
import type { PluginFiles, PluginManifest, PluginProblem } from "./read-manifest.ts";

/** A part of a plugin or skill, and the tools that it asks for. */
export interface PackagePart {
  /** Its kind. */
  readonly kind: "skill" | "command" | "agent" | "tool" | "hook" | "MCP server" | "language server";
  /** Its name, as it is used. */
  readonly name: string;
  /** Rules that limit it; for an agent, the tools it gets. Absent: no limit of its own. */
  readonly tools?: readonly string[];
  /** Effects that a tool declares, such as `read data/{name}.json`. */
  readonly effects?: readonly string[];
}

export interface PluginContents {
  readonly parts: readonly PackagePart[];
  readonly programs: readonly PackageProgram[];
  readonly problems: readonly PluginProblem[];
}

/** Everything that a plugin brings, read from its files. Runs nothing. */
export async function contentsOf(
  manifest: PluginManifest,
  found: Package,
): Promise<PluginContents> {
  const parts: PackagePart[] = [];
  const programs: PackageProgram[] = [...scriptsOf(found)];
  const problems: PluginProblem[] = [...manifest.problems];
  const { name: plugin } = manifest;
  const named = (paths: readonly string[], ending: RegExp) => filesBelow(found, { paths, ending });
  for (const { path, text } of named(manifest.skills, /(?:^|\/)SKILL\.md$/u)) {
    const directory = path.split("/").at(-2) ?? "";
    const { name, allowedTools: tools, faults, notes } = await readSkill(text, directory);
    parts.push({ kind: "skill", name: `${plugin}:${name}`, ...(tools && { tools }) });
    problems.push(
      ...faults.map((fault) => ({ file: path, severity: "error" as const, ...fault })),
      ...notes.map((note) => ({ file: path, severity: "warning" as const, ...note })),
    );
  }
  for (const { path, text, below } of named(manifest.commands, /\.md$/u)) {
    const name = `${plugin}:${below.replace(/\.md$/u, "").replaceAll("/", ":")}`;
    const read = await readMarkdownCommand({ name, file: path, text });
    const tools = read.command?.allowedTools;
    parts.push({ kind: "command", name: `/${name}`, ...(tools && { tools }) });
    problems.push(...read.problems.map((problem) => ({ file: path, ...problem })));
  }
  for (const { path, text } of named(manifest.agents, /\.md$/u)) {
    const read = await readAgent({ path, text });
    if (read.kind === "invalid") {
      const { problems: wrong } = read;
      problems.push(...wrong.map((each) => ({ file: path, severity: "error" as const, ...each })));
      continue;
    }
    const { name, tools } = read.agent;
    parts.push({ kind: "agent", name: `${plugin}:${name}`, ...(tools && { tools }) });
    const notes = read.notes.map((each) => ({ file: path, severity: "warning" as const, ...each }));
    problems.push(...notes);
  }
  parts.push(...toolFiles(manifest, found).map((each) => toolPart(each, plugin)));
  for (const { file, value, lineOf } of manifest.hooks) {
    const read = readHooks({ value, origin: { scope: "user", file }, lineOf });
    problems.push(...read.problems.map((problem) => ({ ...problem, file })));
    for (const hook of read.hooks) {
      const { handler } = hook;
      const name = hookName(hook, { separator: ": " });
      parts.push({ kind: "hook", name });
      if (handler.type !== "command") continue;
      programs.push({
        name,
        command: [handler.command, ...(handler.args ?? []).map(quoted)].join(" "),
      });
    }
  }
  for (const { kind, list } of [
    { kind: "MCP server", list: manifest.mcpServers },
    { kind: "language server", list: manifest.languageServers },
  ] as const) {
    for (const { value } of list) {
      for (const [name, server] of Object.entries(isRecord(value) ? value : {})) {
        parts.push({ kind, name: `${plugin}:${name}` });
        const { command, args } = isRecord(server) ? server : {};
        if (typeof command !== "string") continue;
        const words = Array.isArray(args) ? args.map((each) => quoted(String(each))) : [];
        programs.push({ name: `${kind} ${name}`, command: [command, ...words].join(" ") });
      }
    }
  }
  return { parts, programs, problems };
}

function toolPart({ name, files }: PluginToolFiles, plugin: string): PackagePart {
  const { value } = readSettingsText(files.get("tool.json") ?? "");
  const declared: unknown = isRecord(value) ? value["effects"] : undefined;
  const effects = (Array.isArray(declared) ? declared : []).map((each: unknown) => {
    const { kind, path, host, scope } = isRecord(each) ? each : {};
    return `${String(kind)} ${String(path ?? host)}${scope === "tree" ? " and everything below" : ""}`;
  });
  return { kind: "tool", name: pluginToolName(plugin, name), effects };
}

/** Files of a package that is not installed. */
export function filesIn(found: Package): PluginFiles {
  return {
    read: async (path) => textIn(found, path),
    kind: async (path) => {
      if (found.files.some((file) => file.path === path)) return "file";
      return found.files.some((file) => file.path.startsWith(`${path}/`)) ? "directory" : undefined;
    },
  };
}

function quoted(text: string): string {
  return /^[\w./:=@%+,${}-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
