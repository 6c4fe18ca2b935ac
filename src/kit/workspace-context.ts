import {
  defaultSearchSettings,
  ToolError,
  type Host,
  type LimitOptions,
  type Mode,
  type ModelSettings,
  type PathTurns,
  type SearchSettings,
} from "../core/index.ts";
import { loadSecretTables, type SecretPlaces } from "../text/index.ts";
import type { Boundary, RuleSource } from "../policy/index.ts";
import {
  coveredPaths,
  hasAgentFiles,
  hasCommandFiles,
  loadHooks,
  loadPlugins,
  loadServers,
  loadSkills,
  overLimits,
  pluginServers,
  removeRule,
  rulesAsSaved,
  saveRule,
  trusting,
  type FoundServer,
  type LoadedHooks,
  type LoadedPlugins,
  type LoadedSettings,
  type LoadedSkills,
  type SandboxSettings,
  type SettingsProblem,
  type TrustedFiles,
  documentDirectories,
  workspaceId,
} from "../workspace/index.ts";
import { artifactDirectory } from "../artifacts/index.ts";
import { gitNamedPaths, linkedPaths, linkedUserPaths } from "../changes/index.ts";
import { localPathTurns } from "../host/index.ts";
import type { OpenStorage } from "./hosts/open-storage.ts";
import {
  refuseDisabledBypass,
  type SandboxOption,
  type ToolkitOptions,
} from "./options/options.ts";
import {
  readWorkspaceSettings,
  type WorkspaceSettings,
} from "./settings/read-workspace-settings.ts";
import { withheldProblem } from "./settings/withheld-problem.ts";
import type { RuleStore } from "./rules/permissions.ts";

/** Workspace, settings and trust of a kit. All paths are canonical. */
export interface Place
  extends
    Pick<OpenStorage, "on" | "diskDirectory" | "programDirectoryOn">,
    Pick<WorkspaceSettings, "asUntrusted" | "reload"> {
  readonly workspace: string;
  readonly dataDirectory: string;
  /** Turns among the processes that change the records of the data directory. */
  readonly turns: PathTurns | undefined;
  readonly artifactDirectory: string;
  readonly boundary: Boundary;
  readonly mode: Mode;
  readonly isBypassDisabled: boolean;
  readonly trusted: boolean;
  /** Content with which the workspace was trusted; undefined where it is not, or a program trusts it for once. */
  readonly recorded: TrustedFiles | undefined;
  readonly anchors: Pick<RuleSource, "base" | "cwd" | "home">;
  readonly sources: readonly RuleSource[];
  readonly limits: LimitOptions;
  /** Paths of secrets, including haft's own files. */
  readonly secrets: SecretPlaces;
  /** Sandbox settings; the option takes precedence over the settings files. */
  readonly sandbox: SandboxOption;
  /** Search settings; the options take precedence over the settings files. */
  readonly search: SearchSettings;
  /** Models of the settings files. */
  readonly models: ModelSettings;
  /** Merged settings of all sources. */
  readonly settings: LoadedSettings;
  readonly problems: readonly SettingsProblem[];
  /** Whether there is a directory of slash commands. */
  readonly hasCommands: boolean;
  /** Plugins of the workspace and the user; undefined if there are none. */
  readonly plugins: LoadedPlugins | undefined;
  /** Skills of the workspace and the user that tools offer; undefined if there are none. */
  readonly skills: LoadedSkills | undefined;
  /** Finds the skills of the workspace and the user, also those that no tool offers. */
  readonly findSkills: () => Promise<LoadedSkills | undefined>;
  /** Hooks of the settings; undefined if there are none, and neither a skill nor an agent may bring some. */
  readonly hooks: LoadedHooks | undefined;
  /** MCP servers of the settings and of `.mcp.json`, also those that are not used. */
  readonly servers: readonly FoundServer[];
  /** Stores rules in settings files; absent if none are read. */
  readonly store: RuleStore | undefined;
  readonly trusting: typeof trusting;
}

/**
 * Determines the workspace (option, then settings, then the current directory), reads the settings that apply there,
 * and sets the boundary.
 */
export async function openWorkspaceContext(given: Host, options: ToolkitOptions): Promise<Place> {
  const { home, cwd } = given.info;
  let workspace = await folder(given, options.workspace ?? cwd, "workspace");
  let read = await readWorkspaceSettings(given, workspace, options);
  const { defaultWorkingDirectory } = read.settings;
  if (options.workspace === undefined && defaultWorkingDirectory !== undefined) {
    workspace = await folder(given, defaultWorkingDirectory, "defaultWorkingDirectory");
    read = await readWorkspaceSettings(given, workspace, options);
  }
  const { settings, storage, trusted, recorded, guards, changed = [] } = read;
  const { asUntrusted, reload } = read;
  const { dataDirectory, on, diskDirectory, programDirectoryOn } = storage;
  const host = on(given);
  const also = options.additionalDirectories ?? [];
  const additional = await Promise.all(
    also.map((path) => folder(host, path, "additional directory")),
  );
  const sandbox = { ...settings.sandbox, ...options.sandbox };
  const roots = [...new Set([workspace, ...additional, ...settings.additionalDirectories])];
  const mode = options.mode ?? settings.defaultMode ?? "default";
  refuseDisabledBypass(mode, settings.isBypassDisabled);
  const bringing = { host, workspace, home, dataDirectory, trusted, recorded };
  const hostId = given.info.holdsStore === undefined ? given.id : undefined;
  // None of these needs another one, so their reads of files overlap.
  const [plugins, secrets, artifacts, ...named] = await Promise.all([
    options.settings === "load" ? loadPlugins(bringing) : undefined,
    secretsOn(host, { workspace, dataDirectory, settings: sandbox.secrets }),
    artifactDirectory(host.fs, dataDirectory, workspaceId(workspace, hostId)),
    gitNamedPaths(host.fs, roots, home),
    linkedPaths(host.fs, roots),
    linkedUserPaths(host.fs, roots, { home, directories: documentDirectories }),
  ]);
  const hookSources = [...settings.hooks, ...(plugins?.all ?? []).flatMap((each) => each.hooks)];
  const isOffering = options.settings === "load" && options.skills !== "none";
  const findSkills: Place["findSkills"] = async () =>
    options.settings === "load" ? await loadSkills({ ...bringing, plugins }) : undefined;
  const skills = isOffering ? await findSkills() : undefined;
  const hasHooks = async (): Promise<boolean> =>
    hookSources.length > 0 ||
    (guards ?? []).length > 0 ||
    skills?.all.some(({ info }) => info.hooks !== undefined) === true ||
    (options.settings === "load" &&
      (await hasAgentFiles(trusted ? [workspace, home] : [home], host)));
  const findHooks = async (): Promise<LoadedHooks | undefined> =>
    (await hasHooks())
      ? await loadHooks({
          host,
          sources: hookSources,
          guards,
          changed,
          trusted,
          recorded,
          aliases: settings.models.aliases,
          workspace,
          dataDirectory,
        })
      : undefined;
  const [hooks, servers, hasCommands] = await Promise.all([
    findHooks(),
    loadServers({
      host,
      workspace,
      settings,
      trusted,
      recorded,
      dataDirectory,
      files: options.settings === "load",
      plugins: pluginServers(plugins),
    }),
    isOffering && hasCommandFiles({ ...bringing, plugins }),
  ]);
  const turns = host.info.capabilities.confinement === true ? localPathTurns() : undefined;
  return {
    workspace,
    dataDirectory,
    turns,
    on,
    diskDirectory,
    programDirectoryOn,
    artifactDirectory: artifacts,
    boundary: {
      roots,
      secrets,
      protected: [
        ...named.flat(),
        // A change of them ends trust, and with it what the workspace's hooks forbid.
        ...(recorded === undefined ? [] : coveredPaths(recorded, workspace)),
      ],
      readOnlyRoots: [artifacts],
      ownData: [dataDirectory],
      restrictToWorkspace: settings.restrictToWorkspace,
      home,
    },
    mode,
    asUntrusted,
    reload,
    trusting,
    isBypassDisabled: settings.isBypassDisabled,
    trusted,
    recorded,
    anchors: { base: workspace, cwd: workspace, home },
    sources: settings.sources,
    limits: overLimits(settings.limits, options.limits),
    sandbox,
    secrets,
    search: {
      ...defaultSearchSettings,
      ...settings.search,
      ...options.search,
      ...options.grep,
    },
    models: settings.models,
    settings,
    // Problems of rules are reported later, and in more detail, once the tools are known.
    problems: [
      ...settings.problems.filter((problem) => !("rule" in problem)),
      ...withheldProblem({ workspace, settings, skills, plugins, servers, changed }),
      ...(plugins?.problems ?? []),
      ...(hooks?.problems ?? []),
      ...skillProblems(skills),
    ],
    hooks,
    skills,
    findSkills: async () => skills ?? (await findSkills()),
    hasCommands,
    plugins,
    servers,
    store:
      options.settings === "load"
        ? {
            spelled: (change) => rulesAsSaved({ workspace, ...change }),
            save: async (change) =>
              await saveRule({ host, workspace, home, dataDirectory, turns, ...change }),
            remove: async (change) =>
              await removeRule({ host, workspace, home, dataDirectory, turns, ...change }),
          }
        : undefined,
  };
}

/** Why skills cannot be used. */
function skillProblems(skills: LoadedSkills | undefined): readonly SettingsProblem[] {
  const unread = (skills?.problems ?? []).map(({ path, message }): SettingsProblem => ({
    severity: "warning",
    message,
    file: path,
  }));
  const faulty = (skills?.all ?? []).flatMap(({ info, file, faults }) =>
    faults.map(({ message, line }): SettingsProblem => ({
      severity: "warning",
      message: `The skill ${info.name} cannot be used: ${message}`,
      hint: "haft skills validate names all of its problems.",
      file,
      ...(line === undefined ? {} : { line }),
    })),
  );
  return [...unread, ...faulty];
}

/** Returns the paths of secrets on a host: those of its users, and haft's files of every workspace. */
async function secretsOn(
  { info: { home, users } }: Host,
  {
    workspace,
    dataDirectory,
    settings: { add = [], open } = {},
  }: {
    readonly workspace: string;
    readonly dataDirectory: string;
    readonly settings: SandboxSettings["secrets"];
  },
): Promise<SecretPlaces> {
  const { secretPlaces } = await loadSecretTables();
  return secretPlaces({
    homes: [...new Set([home, ...(users?.homes ?? [])])],
    variables: users?.variables ?? {},
    workspace,
    add: [dataDirectory, ...add],
    harmless: brought.map((name) => `${home}/.haft/${name}`),
    open,
  });
}

/** Parts of the user's own directory that programs of hooks and skills are in: they hold no secrets. */
const brought = ["agents", "commands", "hooks", "plugins", "skills"];

/** Returns the canonical path of an existing directory. */
async function folder(host: Host, path: string, what: string): Promise<string> {
  const canonical = await host.fs.canonical(path, { base: host.info.cwd });
  const { kind } = await host.fs.stat(canonical).catch((cause: unknown) => {
    throw new ToolError("NOT_FOUND", `The ${what} ${path} does not exist.`, {
      hint: "Name a directory that exists.",
      cause,
    });
  });
  if (kind !== "directory") {
    throw new ToolError("NOT_A_DIRECTORY", `The ${what} ${path} is not a directory.`, {
      hint: "Name a directory that exists.",
    });
  }
  return canonical;
}
