import { nearestName } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { checkPath } from "../packages/package.ts";
import { readSettingsText } from "../settings/settings-text.ts";
import type { FileProblem } from "../check/checked-file.ts";

/** Files of a plugin, installed or not. Paths are below its directory. */
export interface PluginFiles {
  read(path: string): Promise<string | undefined>;
  kind(path: string): Promise<"file" | "directory" | undefined>;
}

/** A problem of a plugin, with the file it is in. */
export interface PluginProblem extends FileProblem {
  /** Path below the plugin's directory. */
  readonly file: string;
}

/** JSON of a plugin: a part of its manifest, or a file that the manifest names. */
export interface PluginJson {
  /** Path below the plugin's directory. */
  readonly file: string;
  readonly value: unknown;
  readonly lineOf: (path: readonly (string | number)[]) => number | undefined;
}

/** Parts of a plugin, as its manifest and the usual directories name them. */
export interface PluginManifest {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  /** Files and directories below the plugin's directory. */
  readonly commands: readonly string[];
  readonly agents: readonly string[];
  readonly skills: readonly string[];
  /** Directories of tools: each of their directories has a `tool.json`. */
  readonly tools: readonly string[];
  /** Objects of hooks by event. */
  readonly hooks: readonly PluginJson[];
  /** Objects of servers by name. */
  readonly mcpServers: readonly PluginJson[];
  readonly languageServers: readonly PluginJson[];
  /** An error makes the plugin unusable: a guard or a limit could be lost. */
  readonly problems: readonly PluginProblem[];
}

/** Places of the manifest; the first one counts. */
export const manifestFiles = [
  ".claude-plugin/plugin.json",
  ".haft-plugin/plugin.json",
  "plugin.json",
];

const partKeys = [
  "commands",
  "agents",
  "skills",
  "tools",
  "hooks",
  "mcpServers",
  "lspServers",
] as const;
const textKeys = ["name", "version", "description"] as const;

/** Keys of the reference that change nothing here. */
const withoutEffect = [
  "$schema",
  "author",
  "category",
  "displayName",
  "homepage",
  "keywords",
  "license",
  "repository",
  "source",
  "strict",
  "tags",
] as const;

/** Parts of the reference that haft does not load. */
const notLoaded: Readonly<Record<string, string>> = {
  outputStyles: "output styles do not exist here",
  channels: "channels do not exist here",
  dependencies: "plugins that it depends on are not installed with it",
  monitors: "monitors do not exist here",
  themes: "themes do not exist here",
  userConfig: "values of `userConfig` are not asked for",
};

const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;

/** Reads the manifest of a plugin. Never rejects for what the files hold. */
export async function readManifest(files: PluginFiles): Promise<PluginManifest> {
  const problems: PluginProblem[] = [];
  const found = await manifestJson(files, problems);
  const file = found?.file ?? "plugin.json";
  const given = found?.value;
  const lineOf = found?.lineOf ?? (() => undefined);
  const report = (key: string, problem: Omit<FileProblem, "line">): void => {
    const line = lineOf([key]);
    problems.push({ file, ...problem, ...(line === undefined ? {} : { line }) });
  };
  const value = isRecord(given) ? given : {};
  if (given === undefined) {
    const message = "There is no plugin.json.";
    const hint = "A plugin has a file .claude-plugin/plugin.json with at least its name.";
    problems.push({ file: manifestFiles[0] ?? "", severity: "error", message, hint });
  } else if (!isRecord(given)) {
    report("", { severity: "error", message: "plugin.json is not an object." });
  }
  reportKeys(value, report);
  const reading = { files, value, report, problems, file, lineOf };
  return {
    ...textsOf(value, report),
    commands: await pathsOf("commands", reading),
    agents: await pathsOf("agents", reading),
    skills: await pathsOf("skills", reading),
    tools: await pathsOf("tools", reading),
    hooks: await jsonOf("hooks", "hooks/hooks.json", reading),
    mcpServers: await jsonOf("mcpServers", ".mcp.json", reading),
    languageServers: await jsonOf("lspServers", ".lsp.json", reading),
    problems,
  };
}

type Report = (key: string, problem: Omit<FileProblem, "line">) => void;

interface Reading extends PluginJson {
  readonly files: PluginFiles;
  readonly value: Readonly<Record<string, unknown>>;
  readonly report: Report;
  readonly problems: PluginProblem[];
}

async function manifestJson(
  files: PluginFiles,
  problems: PluginProblem[],
): Promise<PluginJson | undefined> {
  for (const file of manifestFiles) {
    const text = await files.read(file);
    if (text !== undefined) return jsonIn(file, text, problems);
  }
  return undefined;
}

function jsonIn(file: string, text: string, problems: PluginProblem[]): PluginJson {
  const read = readSettingsText(text);
  const { value, broken, repeated } = read;
  const lineOf: PluginJson["lineOf"] = (path) => read.lineOf(path);
  if (broken !== undefined) {
    const message = `This is not JSON (${broken.message}).`;
    problems.push({ file, severity: "error", message, line: broken.line });
    return { file, value: {}, lineOf };
  }
  for (const { key, line } of repeated) {
    const message = `The key ${JSON.stringify(key)} occurs more than once.`;
    problems.push({ file, severity: "error", message, line });
  }
  return { file, value, lineOf };
}

function reportKeys(value: Readonly<Record<string, unknown>>, report: Report): void {
  const known = [...partKeys, ...textKeys, ...withoutEffect, ...Object.keys(notLoaded)];
  for (const key of Object.keys(value)) {
    const lost = Object.hasOwn(notLoaded, key) ? notLoaded[key] : undefined;
    if (lost !== undefined) report(key, { severity: "warning", message: `\`${key}\`: ${lost}.` });
    if (known.includes(key)) continue;
    const near = nearestName(key.slice(0, 64), known);
    // A misspelled `hooks` may be a guard.
    const severity = near === "hooks" ? "error" : "warning";
    const hint = near === undefined ? "It is ignored." : `Did you mean \`${near}\`?`;
    report(key, { severity, message: `A plugin has no key ${JSON.stringify(key)}.`, hint });
  }
}

function textsOf(
  value: Readonly<Record<string, unknown>>,
  report: Report,
): Pick<PluginManifest, "name" | "version" | "description"> {
  const { name, version, description } = value;
  const isName = typeof name === "string" && name.length <= 64 && namePattern.test(name);
  if (!isName) {
    report("name", {
      severity: "error",
      message: `\`name\` is not 1 to 64 lowercase letters, digits and single hyphens.`,
    });
  }
  return {
    name: isName ? name : "",
    ...(typeof version === "string" ? { version } : {}),
    ...(typeof description === "string" ? { description: description.slice(0, 1024) } : {}),
  };
}

/** Files and directories of one kind: the usual directory, and those that the manifest adds. */
async function pathsOf(
  key: "commands" | "agents" | "skills" | "tools",
  { files, value, report }: Reading,
): Promise<readonly string[]> {
  const usual = (await files.kind(key)) === "directory" ? [key] : [];
  const given = value[key];
  const list: readonly unknown[] = Array.isArray(given)
    ? given
    : given === undefined
      ? []
      : [given];
  const paths = new Set<string>(usual);
  for (const each of list) {
    const path = typeof each === "string" ? pathOf(each) : undefined;
    if (path === undefined) {
      const message = `\`${key}\` names ${JSON.stringify(each)}, which is not a path below the plugin.`;
      report(key, { severity: "error", message, hint: 'Write "./" and a path.' });
    } else if ((await files.kind(path)) === undefined) {
      report(key, {
        severity: "warning",
        message: `\`${key}\` names ${path}, which does not exist.`,
      });
    } else paths.add(path);
  }
  // A directory in another one that is read anyway would be read twice.
  return [...paths].filter((path) => ![...paths].some((other) => path.startsWith(`${other}/`)));
}

/** JSON of one kind: the usual file, and what the manifest holds or names. */
async function jsonOf(
  key: "hooks" | "mcpServers" | "lspServers",
  usual: string,
  { files, value, report, problems, file, lineOf }: Reading,
): Promise<readonly PluginJson[]> {
  const given = value[key];
  const found: PluginJson[] = [];
  const paths = new Set<string>((await files.kind(usual)) === "file" ? [usual] : []);
  const list: readonly unknown[] = Array.isArray(given)
    ? given
    : given === undefined
      ? []
      : [given];
  for (const each of list) {
    const path = typeof each === "string" ? pathOf(each) : undefined;
    if (isRecord(each)) {
      found.push(unwrapped(key, { file, value: each, lineOf: (at) => lineOf([key, ...at]) }));
    } else if (path === undefined || (await files.kind(path)) !== "file") {
      const message = `\`${key}\` is ${JSON.stringify(each)}, not an object or a file of the plugin.`;
      report(key, { severity: "error", message });
    } else paths.add(path);
  }
  for (const path of paths) {
    const text = await files.read(path);
    if (text !== undefined) found.push(unwrapped(key, jsonIn(path, text, problems)));
  }
  return found;
}

/** The object below the key of the same name, as in hooks.json and .mcp.json; without one, the object itself. */
function unwrapped(key: string, json: PluginJson): PluginJson {
  const { value, lineOf } = json;
  if (!isRecord(value) || !(key in value)) return json;
  return { ...json, value: value[key], lineOf: (at) => lineOf([key, ...at]) };
}

/** A path below the plugin without `./` and a slash at the end; undefined if it leads elsewhere. */
function pathOf(text: string): string | undefined {
  const path = text.replace(/^\.\//u, "").replace(/\/+$/u, "");
  try {
    checkPath(path);
    return path;
  } catch {
    return undefined;
  }
}
