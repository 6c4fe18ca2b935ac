import { commandDirectories } from "./command-directories.ts";
import { listDocuments, listLinkedDocuments } from "../documents/list-documents.ts";
import { isTrustedContent, type OpenedTrust } from "../trust/trusted-files.ts";
import { readProjectFile } from "../check/checked-file.ts";
import { plainName } from "../settings/schema/setting.ts";
import type { Host } from "../../core/index.ts";
import type { LoadedPlugins, Plugin } from "../plugins/plugin.ts";
import { baseName } from "../../text/index.ts";
import {
  readMarkdownCommand,
  readTomlCommand,
  type CommandProblem,
  type ReadCommand,
  type SlashCommand,
} from "./read-command.ts";
import { withPluginRoot } from "../plugins/plugin-root.ts";

export interface LoadCommandsOptions extends OpenedTrust {
  readonly host: Pick<Host, "fs">;
  readonly workspace: string;
  readonly home: string;
  readonly plugins?: LoadedPlugins | undefined;
}

/** A command file with its problems. */
export interface CommandFile {
  /** Canonical path. */
  readonly file: string;
  /** Empty only if the whole file was understood. */
  readonly problems: readonly CommandProblem[];
}

export interface LoadedCommands {
  /** By name; those of an untrusted workspace are in `needTrust`. */
  readonly commands: ReadonlyMap<string, SlashCommand>;
  readonly needTrust: ReadonlyMap<string, SlashCommand>;
  /** Files that would be used if they could be read, by the name of their command, with the first reason. */
  readonly unusable: ReadonlyMap<string, { readonly file: string } & CommandProblem>;
  readonly files: readonly CommandFile[];
}

const namePattern = /^[A-Za-z0-9][\w.-]*(?::[A-Za-z0-9][\w.-]*)*$/u;

/** Finds and reads the commands of a project and a user. Never rejects: what cannot be used is named. */
export async function loadCommands(options: LoadCommandsOptions): Promise<LoadedCommands> {
  const { workspace, home, host } = options;
  const commands = new Map<string, SlashCommand>();
  const needTrust = new Map<string, SlashCommand>();
  const unusable = new Map<string, { file: string } & CommandProblem>();
  const files: CommandFile[] = [];
  const found: FoundCommand[] = [];
  const roots = home === workspace ? [workspace] : [workspace, home];
  for (const root of roots) {
    for (const directory of commandDirectories) {
      const listed = await listLinkedDocuments(`${root}/${directory}`, isCommand, host);
      for (const { path, message } of listed.problems) {
        files.push({ file: path, problems: [{ severity: "warning", message }] });
      }
      for (const { path, name: below } of listed.files) {
        const read = await readOne(path, below, host);
        const isUsed = root === home || (await isTrustedContent(options, path, read.hash));
        found.push({ ...read, name: nameOf(below), path, isUsed });
      }
    }
  }
  const owners = ownersOf(found);
  for (const { command, problems, name, path, isUsed } of found) {
    const owner = command && owners.get(command.name.toLowerCase());
    if (isUsed) noteUnusable({ command, problems, name, file: path }, unusable);
    const isShadowed = owner !== undefined && owner !== path;
    files.push({ file: path, problems: isShadowed ? [...problems, shadowed(owner)] : problems });
    if (command !== undefined && !isShadowed)
      (isUsed ? commands : needTrust).set(command.name, command);
  }
  for (const plugin of options.plugins?.all ?? []) {
    for (const { command, problems, name, file } of await commandsOf(plugin, host)) {
      files.push({ file, problems });
      if (!plugin.needsTrust) noteUnusable({ command, problems, name, file }, unusable);
      if (command !== undefined)
        (plugin.needsTrust ? needTrust : commands).set(command.name, command);
    }
  }
  return { commands, needTrust, unusable, files };
}

function noteUnusable(
  { command, problems, name, file }: ReadCommand & { readonly name: string; readonly file: string },
  unusable: Map<string, { readonly file: string } & CommandProblem>,
): void {
  const problem = problems.find(({ severity }) => severity === "error");
  if (command === undefined && problem !== undefined && !unusable.has(name))
    unusable.set(name, { file, ...problem });
}

interface FoundCommand extends ReadCommand {
  /** Of the command, whether it can be read or not. */
  readonly name: string;
  readonly path: string;
  /** Whether its file is the user's, or trusted as it is. */
  readonly isUsed: boolean;
}

/** The file that has each name, in lower case: the first one that is used, so that one that is not used hides none. */
function ownersOf(found: readonly FoundCommand[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { command, path } of found.toSorted((a, b) => Number(b.isUsed) - Number(a.isUsed))) {
    const name = command?.name.toLowerCase();
    if (name !== undefined && !owners.has(name)) owners.set(name, path);
  }
  return owners;
}

/** Commands of a plugin: the plugin's name is part of theirs, so that they take no other name. */
async function commandsOf({ name, root, commands, verify }: Plugin, host: Pick<Host, "fs">) {
  const found: (ReadCommand & { readonly name: string; readonly file: string })[] = [];
  for (const directory of commands) {
    const listed = await listDocuments(directory, isCommand, host);
    const single = { path: directory, name: baseName(directory) };
    for (const { path, name: below } of isCommand(directory) ? [single] : listed.files) {
      const { command, problems } = await readOne(path, `${name}/${below}`, host);
      found.push({
        name: nameOf(`${name}/${below}`),
        file: path,
        problems,
        command: command && placedIn(root, command, verify),
      });
    }
  }
  return found;
}

/** A command of a plugin, with the plugin's directory in its text and its limit. */
function placedIn(
  root: string,
  { allowedTools, ...command }: SlashCommand,
  verify: Plugin["verify"],
): SlashCommand {
  const placed = (text: string): string => withPluginRoot(text, root);
  return {
    ...command,
    ...(allowedTools === undefined ? {} : { allowedTools: allowedTools.map(placed) }),
    body: placed(command.body),
    verify,
  };
}

function isCommand(name: string): boolean {
  return /\.(?:md|toml)$/u.test(name);
}

function shadowed(by: string): CommandProblem {
  return {
    severity: "warning",
    message: `${by} has the same name, whatever the case, and is used.`,
    hint: "Rename one of them.",
  };
}

/** Name of the command in a file, by its path below the directory of commands. */
function nameOf(below: string): string {
  return below.replace(/\.(?:md|toml)$/u, "").replaceAll("/", ":");
}

async function readOne(path: string, below: string, host: Pick<Host, "fs">) {
  const name = nameOf(below);
  if (!namePattern.test(name)) {
    const problem: CommandProblem = {
      severity: "error",
      message: `"${plainName(name)}" is not a name for a command.`,
      hint: "Use letters without accents, digits, `-`, `_` and `.`.",
      line: 1,
    };
    return { command: undefined, problems: [problem], hash: undefined };
  }
  const read = await readProjectFile(path, host);
  if (read === undefined) return { command: undefined, problems: [], hash: undefined };
  const { hash } = read;
  if ("problem" in read) return { command: undefined, problems: [read.problem], hash };
  const source = { name, file: path, text: read.text };
  const isToml = path.endsWith(".toml");
  return { hash, ...(isToml ? await readTomlCommand(source) : await readMarkdownCommand(source)) };
}
