import {
  contentText,
  ToolError,
  type Call,
  type CallOptions,
  type Host,
  type Outcome,
} from "../../core/index.ts";
import { nearestName } from "../../core/index.ts";
import type { CommandFile, SlashCommand } from "../../workspace/index.ts";
import type { Place } from "../workspace-context.ts";

/** A slash command, and whether it can be run here. */
export interface ListedCommand extends SlashCommand {
  /** Whether its workspace must be trusted before it runs. */
  readonly needsTrust: boolean;
}

/** Commands that were found, and their files. */
export interface CommandList {
  /** Sorted by name. */
  readonly commands: readonly ListedCommand[];
  /** Files with their problems, those without any included. */
  readonly files: readonly CommandFile[];
}

/** A command as a task for a run. */
export interface ExpandedCommand {
  /** Text with its arguments and insertions. */
  readonly prompt: string;
  /** Ceiling of the run; undefined: none. */
  readonly allowedTools?: readonly string[];
  /** Model that the command names, as it is written. */
  readonly model?: string;
}

/** Arguments of a command, and who runs it. */
export interface ExpandCommandOptions extends Pick<
  CallOptions,
  "signal" | "sessionId" | "agentId"
> {
  /** Text after the name of the command. Default: none. */
  readonly arguments?: string;
}

/** Slash commands of the project and the user: `.haft/commands`, `.claude/commands`, and TOML files. */
export interface KitCommands {
  /** Lists the commands, those that need trust included. */
  list(): Promise<CommandList>;
  /**
   * Returns the prompt of a command. Files and programs that it inserts are calls like any other: rules decide about
   * them. Throws NOT_FOUND for an unknown command, PERMISSION_DENIED for one that needs trust, and what a refused or
   * failed insertion throws.
   */
  expand(name: string, options?: ExpandCommandOptions): Promise<ExpandedCommand>;
}

type CallRunner = (call: Call, options?: CallOptions) => Promise<Outcome>;

/** Creates the commands of a kit; they are read on every use, so that a new file counts at once. */
export function kitCommands(
  place: Pick<Place, "workspace" | "dataDirectory" | "anchors" | "trusted" | "store" | "plugins">,
  host: Host,
  call: CallRunner,
): KitCommands {
  const load = async () => {
    const { loadCommands } = await commandReader();
    const { workspace, dataDirectory, anchors, trusted, plugins } = place;
    // Like settings and agents, commands come from files only where files are read.
    if (place.store === undefined) return { commands: new Map(), needTrust: new Map(), files: [] };
    return await loadCommands({
      host,
      workspace,
      dataDirectory,
      trusted,
      plugins,
      home: anchors.home,
    });
  };
  return {
    async list() {
      const { commands, needTrust, files } = await load();
      const all: ListedCommand[] = [
        ...Array.from(commands.values(), (each) => ({ ...each, needsTrust: false })),
        ...Array.from(needTrust.values(), (each) => ({ ...each, needsTrust: true })),
      ];
      return { commands: all.toSorted((one, other) => (one.name < other.name ? -1 : 1)), files };
    },
    async expand(name, { arguments: text = "", ...options } = {}) {
      const { commands, needTrust } = await load();
      const command = commands.get(name);
      if (command === undefined) throw unknown(name, [...commands.keys()], needTrust.has(name));
      await command.verify?.();
      const { expandCommand } = await commandReader();
      const insert = async (inserted: Call): Promise<string> => {
        const outcome = await call(inserted, options);
        if (!outcome.isError) return contentText(outcome.content);
        const { code = "TOOL_FAILED", message = outcome.text, hint } = outcome.error ?? {};
        throw new ToolError(code, `/${name} inserts something that was not run: ${message}`, {
          hint: hint ?? "Allow it with a rule, or run the command without it.",
        });
      };
      const prompt = await expandCommand(command, text, {
        shell: async (program) => await insert({ name: "Bash", input: { command: program } }),
        file: async (path) => await insert({ name: "Read", input: { file_path: path } }),
      });
      const { allowedTools, model } = command;
      return {
        prompt,
        ...(allowedTools === undefined ? {} : { allowedTools }),
        ...(model === undefined ? {} : { model }),
      };
    },
  };
}

function unknown(name: string, names: readonly string[], needsTrust: boolean): ToolError {
  if (needsTrust) {
    return new ToolError(
      "PERMISSION_DENIED",
      `/${name} needs trust: this workspace is not trusted.`,
      {
        hint: "Read its file, then trust the workspace with haft trust add.",
      },
    );
  }
  const nearest = nearestName(name.slice(0, 64), names);
  return new ToolError("NOT_FOUND", `There is no command /${name.slice(0, 64)}.`, {
    hint: nearest === undefined ? "/help lists the commands." : `Did you mean /${nearest}?`,
  });
}

const commandReader = async () => await (await import("../../workspace/index.ts")).commandReader();
