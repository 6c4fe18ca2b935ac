import { listDocuments } from "../documents/list-documents.ts";
import { readProjectFile } from "../check/checked-file.ts";
import type { Host } from "../../core/index.ts";
import {
  readMarkdownCommand,
  readTomlCommand,
  type CommandProblem,
  type SlashCommand,
} from "./read-command.ts";

export interface LoadCommandsOptions {
  readonly host: Pick<Host, "fs">;
  readonly workspace: string;
  readonly home: string;
  readonly trusted: boolean;
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
  readonly files: readonly CommandFile[];
}

/** Directories of commands, below the workspace and the home directory; a name in an earlier one hides a later one. */
const directories = [".haft/commands", ".claude/commands", ".gemini/commands"];

const namePattern = /^[A-Za-z0-9][\w.-]*(?::[A-Za-z0-9][\w.-]*)*$/u;

/** Finds and reads the commands of a project and a user. Never rejects: what cannot be used is named. */
export async function loadCommands(options: LoadCommandsOptions): Promise<LoadedCommands> {
  const { workspace, home, trusted, host } = options;
  const commands = new Map<string, SlashCommand>();
  const needTrust = new Map<string, SlashCommand>();
  const files: CommandFile[] = [];
  const folded = new Map<string, string>();
  const roots = home === workspace ? [workspace] : [workspace, home];
  for (const root of roots) {
    for (const directory of directories) {
      const found = await listDocuments(`${root}/${directory}`, isCommand, host);
      for (const { path, message } of found.problems) {
        files.push({ file: path, problems: [{ severity: "warning", message }] });
      }
      for (const { path, name: below } of found.files) {
        const read = await readOne(path, below, host);
        const { command } = read;
        const same = command && folded.get(command.name.toLowerCase());
        const problems = [...read.problems, ...(same === undefined ? [] : [shadowed(same)])];
        files.push({ file: path, problems });
        if (command === undefined || same !== undefined) continue;
        folded.set(command.name.toLowerCase(), path);
        (trusted || root === home ? commands : needTrust).set(command.name, command);
      }
    }
  }
  return { commands, needTrust, files };
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

async function readOne(path: string, below: string, host: Pick<Host, "fs">) {
  const name = below.replace(/\.(?:md|toml)$/u, "").replaceAll("/", ":");
  if (!namePattern.test(name)) {
    const problem: CommandProblem = {
      severity: "error",
      message: `${JSON.stringify(name)} is not a name for a command.`,
      hint: "Use letters without accents, digits, `-`, `_` and `.`.",
    };
    return { command: undefined, problems: [problem] };
  }
  const read = await readProjectFile(path, host);
  if (read === undefined) return { command: undefined, problems: [] };
  if ("problem" in read) return { command: undefined, problems: [read.problem] };
  const source = { name, file: path, text: read.text };
  return path.endsWith(".toml") ? await readTomlCommand(source) : await readMarkdownCommand(source);
}
