import {
  contentText,
  nearestName,
  ToolError,
  type Call,
  type CallOptions,
  type Effect,
  type Toolkit,
} from "../../core/index.ts";
import {
  isTrustRevoked,
  notUsable,
  type CommandFile,
  type FoundSkill,
  type LoadedCommands,
  type SlashCommand,
} from "../../workspace/index.ts";
import type { KitParts } from "../kit-parts.ts";
import type { DeriveOptions } from "../options/options.ts";
import type { KitServers } from "../mcp/kit-servers.ts";
import type { ServerPrompt } from "../mcp/server-prompts.ts";
import type { Place } from "../workspace-context.ts";
import { permittedEntries, toolsIn } from "../rules/permitted-entries.ts";

/** A slash command, and whether it can be run here. */
export interface ListedCommand extends SlashCommand {
  /** Whether its workspace must be trusted before it runs. */
  readonly needsTrust: boolean;
  /**
   * Name of the MCP server whose prompt it is; absent for other commands. Its `file` is the one that defines the server,
   * and is empty if the program does.
   */
  readonly server?: string;
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
  /** Name of the command or skill. */
  readonly name: string;
  /** Text with its arguments and insertions. */
  readonly prompt: string;
  /** Ceiling of the run; undefined: none. */
  readonly allowedTools?: readonly string[];
  /** Model that the command or skill names, as it is written. */
  readonly model?: string;
}

/** Arguments of a command, and who runs it. */
export interface ExpandCommandOptions extends Pick<
  CallOptions,
  "signal" | "sessionId" | "agentId" | "onAsk"
> {
  /** Text after the name of the command. Default: none. */
  readonly arguments?: string;
  /**
   * Whether the `allowedTools` of the command limit every later call of the session, as they do when a model uses it.
   * Needed where the prompt is followed outside of a run of this kit.
   *
   * @default false
   */
  readonly limitsSession?: boolean;
  /**
   * Whether to run nothing: files and programs that the command inserts stay as they are written, and neither hooks nor
   * limits of a skill are activated.
   *
   * @default false
   */
  readonly isPreview?: boolean;
}

/**
 * Slash commands of the project and the user: `.haft/commands`, `.claude/commands`, TOML files, skills that a user may
 * use, and prompts of MCP servers as `mcp__server__prompt`. A skill comes before a command of its name, and both before a
 * prompt.
 */
export interface KitCommands {
  /** Lists the commands, those that need trust included, and the prompts that are remembered; starts no server. */
  list(): Promise<CommandList>;
  /**
   * Returns the prompt of a command. Files and programs that it inserts, and prompts of MCP servers, are calls like any
   * other: rules decide about them. The hooks of a skill run in the session until its next run has ended. Throws INVALID_INPUT for such a
   * skill without a session and for missing arguments of a server's prompt, NOT_FOUND for an unknown command, PERMISSION_DENIED for one that needs trust, and what a refused or
   * failed insertion throws.
   */
  expand(name: string, options?: ExpandCommandOptions): Promise<ExpandedCommand>;
}

/** Parts of a kit that its commands need. */
export type KitCommandsParts = Pick<
  KitParts,
  "place" | "hooks" | "host" | "registry" | "sessionCeilings"
> & {
  /** Undefined where there are no MCP servers. */
  readonly servers?: { readonly current: Pick<KitServers, "prompts"> | undefined } | undefined;
};

/** How a command calls tools. */
export interface CommandCalls {
  readonly call: Toolkit["call"];
  readonly explain: Toolkit["explain"];
  /** Returns a kit that can do no more than a ceiling says. */
  readonly derive: (
    options: Pick<DeriveOptions, "ceiling" | "ceilingName">,
  ) => Pick<Toolkit, "call"> & { dispose(): Promise<void> };
}

/** Creates the commands of a kit; they are read on every use, so that a new file counts at once. */
export function kitCommands(
  { place, hooks, host, registry, sessionCeilings, servers }: KitCommandsParts,
  { call, explain, derive }: CommandCalls,
): KitCommands {
  const load = async (): Promise<LoadedCommands> => {
    const { loadCommands } = await commandReader();
    const { workspace, dataDirectory, anchors, recorded, plugins } = place;
    const trusted =
      place.trusted && !(await isTrustRevoked(place, { host, workspace, dataDirectory }));
    // Like settings and agents, commands come from files only where files are read.
    if (place.store === undefined) {
      return { commands: new Map(), needTrust: new Map(), unusable: new Map(), files: [] };
    }
    return await loadCommands({
      host,
      workspace,
      trusted,
      recorded,
      plugins,
      home: anchors.home,
    });
  };
  const permitted = (entries: readonly string[] | undefined): readonly string[] | undefined =>
    entries && permittedEntries(entries, toolsIn(registry));
  // A command may show whatever the session may read without a question: its limit is for what it does.
  const onlyReads = async (inserted: Call): Promise<boolean> => {
    const { effects, decision } = await explain(inserted);
    return decision?.kind === "allow" && effects.every(isRead);
  };
  return {
    async list() {
      const { commands, needTrust, files } = await load();
      const skills = skillsForUsers(place).map(commandOf);
      const prompts = servers?.current?.prompts.list() ?? [];
      // Of the same name, the first is shown; what needs trust takes no name.
      const all: readonly ListedCommand[] = [
        ...skills.filter(({ needsTrust }) => !needsTrust),
        ...Array.from(commands.values(), (each) => ({ ...each, needsTrust: false })),
        ...prompts.map(promptCommand),
        ...skills.filter(({ needsTrust }) => needsTrust),
        ...Array.from(needTrust.values(), (each) => ({ ...each, needsTrust: true })),
      ];
      const shown = all.filter(
        ({ name }, index) => all.findIndex((each) => each.name === name) === index,
      );
      return { commands: shown.toSorted((one, other) => (one.name < other.name ? -1 : 1)), files };
    },
    async expand(name, given = {}) {
      const { arguments: text = "", limitsSession = false, isPreview = false, ...options } = given;
      const limit = (what: string, expanded: ExpandedCommand): ExpandedCommand => {
        const { allowedTools } = expanded;
        if (!limitsSession || isPreview) return expanded;
        if (sessionCeilings === undefined && allowedTools !== undefined) throw tooNew(name);
        sessionCeilings?.limitSession(what, allowedTools, options.sessionId);
        return expanded;
      };
      const skill = skillsForUsers(place).find(
        ({ info, needsTrust }) => info.name === name && !needsTrust,
      );
      if (skill !== undefined) {
        return limit(
          `the skill ${name}`,
          withLimit(
            await expandedSkill(skill, { text, options, isPreview, place, hooks }),
            permitted(skill.info.allowedTools),
          ),
        );
      }
      const faulty = place.skills?.all.find(
        ({ info, needsTrust, faults }) => info.name === name && !needsTrust && faults.length > 0,
      );
      const { commands, needTrust, unusable } = await load();
      const command = commands.get(name);
      const read = async (inserted: Call, what: string, by = call): Promise<string> => {
        const outcome = await by(inserted, options);
        if (!outcome.isError) return contentText(outcome.content);
        const { code = "TOOL_FAILED", message = outcome.text, hint } = outcome.error ?? {};
        const hasRun = outcome.status !== "denied";
        throw new ToolError(
          code,
          `/${name} ${hasRun ? "inserts something that failed" : what}: ${message}`,
          {
            hint:
              hint ??
              (hasRun
                ? "Run the command where what it inserts works, or correct it."
                : "Allow it with a rule, or run the command without it."),
          },
        );
      };
      if (command === undefined) {
        const skills = skillsForUsers(place).map(({ info }) => info.name);
        const prompt = await servers?.current?.prompts.find(name);
        if (prompt !== undefined) {
          if (isPreview) return { name, prompt: "(The MCP server writes this text.)" };
          return limit(`/${name}`, {
            name,
            prompt: await read(prompt.callFor(text), "could not be read"),
          });
        }
        const [fault] = faulty?.faults ?? [];
        const problem = faulty && fault ? { file: faulty.file, ...fault } : unusable.get(name);
        if (problem !== undefined) throw notUsable(`/${name}`, problem);
        const prompts = servers?.current?.prompts.list().map((each) => each.name) ?? [];
        const isHidden = needTrust.has(name) || skills.includes(name);
        throw unknown(name, [...skills, ...commands.keys(), ...prompts], isHidden);
      }
      await command.verify?.();
      const { expandCommand } = await commandReader();
      const { model } = command;
      const allowedTools = permitted(command.allowedTools);
      const insert = async (inserted: Call, by = call): Promise<string> =>
        await read(inserted, "inserts something that was not run", by);
      const inserting = {
        // A program that the command runs may do no more than the run that the command is for.
        async shell(program: string) {
          const bash = { name: "Bash", input: { command: program } };
          if (allowedTools === undefined) return await insert(bash);
          const ceilingName = `/${name} (allowed-tools)`;
          const limited = derive({ ceiling: allowedTools, ceilingName });
          try {
            if (await onlyReads(bash)) return await insert(bash);
            return await insert(bash, async (...args) => await limited.call(...args));
          } finally {
            await limited.dispose();
          }
        },
        file: async (path: string) => await insert({ name: "Read", input: { file_path: path } }),
      };
      const prompt = await expandCommand(command, text, isPreview ? asWritten : inserting);
      return limit(`/${name}`, {
        name,
        prompt,
        ...(allowedTools === undefined ? {} : { allowedTools }),
        ...(model === undefined ? {} : { model }),
      });
    },
  };
}

/** Insertions of a command that is only shown. */
const asWritten = {
  shell: async (program: string) => `(output of \`${program}\`)`,
  file: async () => "(text of the file)",
};

function isRead(effect: Effect): boolean {
  return effect.kind === "read" || (effect.kind === "execute" && effect.consequences === "listed");
}

/** Skills that the user may use, also those that need trust. */
function skillsForUsers({ skills }: Pick<Place, "skills">): readonly FoundSkill[] {
  return (skills?.all ?? []).filter(
    ({ faults, isUserInvocable }) => faults.length === 0 && isUserInvocable,
  );
}

function commandOf({ info, file, body, needsTrust }: FoundSkill): ListedCommand {
  const { name, description, argumentHint, allowedTools, model, isModelInvocable } = info;
  return {
    name,
    description,
    ...(argumentHint === undefined ? {} : { argumentHint }),
    arguments: [],
    ...(allowedTools === undefined ? {} : { allowedTools }),
    ...(model === undefined ? {} : { model }),
    isForModel: isModelInvocable,
    body,
    syntax: "markdown",
    file,
    needsTrust,
  };
}

function promptCommand({
  name,
  description,
  usage,
  file = "",
  ...prompt
}: ServerPrompt): ListedCommand {
  return {
    name,
    description,
    ...(usage === "" ? {} : { argumentHint: usage }),
    arguments: prompt.arguments,
    isForModel: true,
    // Only the server knows its text.
    body: "",
    syntax: "markdown",
    file,
    needsTrust: false,
    server: prompt.server,
  };
}

/** A skill as the task of a run. */
async function expandedSkill(
  skill: FoundSkill,
  {
    text,
    options: { sessionId },
    isPreview,
    place,
    hooks,
  }: {
    readonly text: string;
    readonly isPreview: boolean;
    readonly options: Pick<ExpandCommandOptions, "sessionId">;
    readonly place: Pick<Place, "workspace" | "skills">;
    readonly hooks: KitParts["hooks"];
  },
): Promise<ExpandedCommand> {
  const { name, directory, model, hooks: value } = skill.info;
  await place.skills?.verify(skill);
  if (value !== undefined && !isPreview) {
    if (sessionId === undefined) {
      throw new ToolError("INVALID_INPUT", `The skill ${name} has hooks, which need a session.`, {
        hint: "Give the sessionId of the run.",
      });
    }
    const { requireAddedHooks } = await import("../hooks/require-added-hooks.ts");
    const { file, plugin } = skill;
    await requireAddedHooks(hooks).skill({ directory, value, file, plugin }, { sessionId });
  }
  const { expandSkill } = await import("../../workspace/index.ts");
  const values = { args: text, directory, workspace: place.workspace, sessionId: sessionId ?? "" };
  return {
    name,
    // Its text may name its files by paths below its directory.
    prompt: `Skill ${name}, in ${directory}:\n\n${expandSkill(skill.body, values)}`,
    ...(model === undefined ? {} : { model }),
  };
}

function withLimit(
  expanded: ExpandedCommand,
  allowedTools: readonly string[] | undefined,
): ExpandedCommand {
  return allowedTools === undefined ? expanded : { ...expanded, allowedTools };
}

function tooNew(name: string): ToolError {
  return new ToolError(
    "UNAVAILABLE",
    `/${name} was added after this toolkit opened, so its limits cannot be applied.`,
    {
      hint: "Start the program again.",
    },
  );
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
