import { inBatches, namedPaths, pathBelow, visibleJson, visibleText } from "../../text/index.ts";
import type { HookSource as SettingsHooks, SettingsProblem } from "../settings/loaded-settings.ts";
import {
  filesOfProgram,
  missingScript,
  type ProgramFilesOptions,
} from "../trust/commands/program-files.ts";
import { programOfHook } from "../trust/commands/started-programs.ts";
import { hashFiles, isSameHash, trustName } from "../trust/hash-files.ts";
import type { TrustedGuards, TrustOptions } from "../trust/record.ts";
import {
  filesOfRecord,
  isTrustRevoked,
  type OpenedTrust,
  type TrustedFiles,
} from "../trust/trusted-files.ts";
import { hookName, type Hook, type HookOrigin } from "./hook.ts";
import { hookSet, type HookSet, type VerifyHook } from "./hook-set.ts";
import { readHooks } from "./read-hooks.ts";

/** Trust of the workspace in which hooks run. */
export type HookTrust = TrustOptions & OpenedTrust;

export interface LoadHooksOptions extends TrustOptions, OpenedTrust {
  /** Hooks of the settings, the most specific source first. */
  readonly sources: readonly SettingsHooks[];
  /** Names that the settings give to models. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** Hooks before calls that the workspace had when it was trusted; present only if that trust has ended. */
  readonly guards?: readonly TrustedGuards[] | undefined;
  /** Paths whose change ended that trust. */
  readonly changed?: readonly string[] | undefined;
}

export interface LoadedHooks {
  readonly set: HookSet;
  readonly problems: readonly SettingsProblem[];
  /** Hooks of a workspace that is not trusted: they are listed and never run. */
  readonly needTrust: readonly Hook[];
  /** Whether the settings switch off the hooks of a skill or an agent in this file. */
  readonly areDisabled: (file: string) => boolean;
}

/**
 * Reads the hooks of all settings. Those of the workspace run only if it is trusted, and only as long as they and the
 * scripts that they run are unchanged.
 */
export async function loadHooks(options: LoadHooksOptions): Promise<LoadedHooks> {
  const { sources, aliases = {} } = options;
  const problems: SettingsProblem[] = [];
  const usable: Hook[] = [];
  const needTrust: Hook[] = [];
  for (const source of sources) {
    const read = readHooks({
      value: source.hooks,
      origin: originOf(source),
      lineOf: (path) => source.lineOf(path),
    });
    problems.push(...read.problems, ...unknownModels(read.hooks, aliases));
    problems.push(...(await missingScripts(read.hooks, options)));
    if (sources.some((each) => disables(each, source))) continue;
    (source.needsTrust ? needTrust : usable).push(...read.hooks);
  }
  const guards = guardsThatAsk(needTrust, options);
  const pins = await hookPins(usable, options);
  const areDisabled = (file: string): boolean => {
    const isWorkspace = pathBelow(options.workspace, file) !== undefined;
    return sources.some((by) => switchesOff(by, isWorkspace ? "workspace" : "user"));
  };
  return {
    set: hookSet([...usable, ...guards], pins.verify),
    problems,
    needTrust:
      guards.length === 0 ? needTrust : needTrust.filter(({ event }) => event !== guarding),
    areDisabled,
  };
}

const guarding = "PreToolUse";

/**
 * Hooks of a workspace that was trusted and has changed. They do not run, and must not vanish either: a call could
 * otherwise end trust, and the next one do what they forbid. Those it has now count as well.
 */
function guardsThatAsk(
  needTrust: readonly Hook[],
  { guards, changed = [], sources }: Pick<LoadHooksOptions, "guards" | "changed" | "sources">,
): readonly Hook[] {
  if (guards === undefined || sources.some((by) => switchesOff(by, "workspace"))) return [];
  const recorded = guards.flatMap(
    ({ file, hooks }) =>
      readHooks({ value: { [guarding]: hooks }, origin: { scope: "workspace", file } }).hooks,
  );
  const present = needTrust.filter(({ event }) => event === guarding);
  const names = changed.length === 0 ? "" : ` (${visibleText(namedPaths(changed, "."))})`;
  return [...present, ...recorded].map((hook) => ({
    ...hook,
    once: false,
    asksBecause: `This workspace was trusted and has changed since${names}, so its hook ${hookName(hook)} cannot check the call; haft trust show names the changes, and the user accepts them with haft trust add.`,
  }));
}

/** Scripts that hooks run and that do not exist: such a hook fails, and one that guards calls blocks them all. */
async function missingScripts(
  hooks: readonly Hook[],
  options: TrustOptions,
): Promise<readonly SettingsProblem[]> {
  const found = await inBatches(hooks, async (hook): Promise<readonly SettingsProblem[]> => {
    const program = programOfHook(hook.handler);
    const script = program && (await missingScript(program, options));
    if (script === undefined) return [];
    const { file, line } = hook.origin;
    const effect = hook.onFailure === "block" ? "blocks what it checks" : "fails";
    return [
      {
        severity: "warning",
        message: `This hook runs ${visibleJson(script)}, and there is no such file.`,
        hint: `Add the file or remove the hook; until then the hook ${effect}.`,
        ...(file === undefined ? {} : { file }),
        ...(line === undefined ? {} : { line }),
      },
    ];
  });
  return found.flat();
}

/** Names of models that are neither `provider:model` nor an alias: a hook that uses one fails. */
function unknownModels(
  hooks: readonly Hook[],
  aliases: Readonly<Record<string, string>>,
): readonly SettingsProblem[] {
  return hooks.flatMap(({ handler, origin }) => {
    const model = "model" in handler ? handler.model : undefined;
    if (model === undefined || model.includes(":") || Object.hasOwn(aliases, model)) return [];
    const name = JSON.stringify(model.slice(0, 64));
    const { file, line } = origin;
    return {
      severity: "warning",
      message: `This hook names the model ${name}, and no alias has that name: the hook will fail.`,
      hint: `Add it to models.aliases of the settings, as in { ${name}: "provider:model" }.`,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
    };
  });
}

/**
 * Whether a source switches off the hooks of another one. A project switches off its own only, because those of the user
 * may be there to guard against it; those of the administrator stay on.
 */
function disables(by: SettingsHooks, source: SettingsHooks): boolean {
  return switchesOff(by, originOf(source).scope);
}

function switchesOff(by: SettingsHooks, scope: HookOrigin["scope"]): boolean {
  if (!by.disableAllHooks || by.needsTrust) return false;
  switch (originOf(by).scope) {
    case "managed":
      return true;
    case "workspace":
      return scope === "workspace";
    case "option":
    case "user":
    case "skill":
    case "agent":
      return scope !== "managed";
  }
}

function originOf({ scope, file, plugin }: SettingsHooks): HookOrigin {
  const isWorkspace = scope === "project" || scope === "local";
  return {
    scope: isWorkspace ? "workspace" : scope,
    ...(file === undefined ? {} : { file }),
    ...(plugin === undefined ? {} : { plugin }),
  };
}

/** Directories of scripts that hooks run or include. */
const hookDirectories = [".haft/hooks", ".claude/hooks"];

/** Hashes of what the workspace's hooks run, as the user trusted it. */
export interface HookPins {
  /** Resolves to the reason why a hook may not run; undefined if it is unchanged. */
  readonly verify: VerifyHook;
}

/** Remembers what hooks of the workspace run: as recorded with its trust, else as it is now. */
export async function hookPins(hooks: readonly Hook[], options: HookTrust): Promise<HookPins> {
  if (hooks.length === 0) return { verify: async () => undefined };
  const { recorded } = options;
  const inWorkspace = hooks.filter((hook) => fileOf(hook, options, recorded) !== undefined);
  const together = { ...options, stats: new Map() };
  const namesOf = new Map(
    await inBatches(
      inWorkspace,
      async (hook) => [hook, await filesOf(hook, together, recorded)] as const,
    ),
  );
  const present = recorded?.record ?? {
    files: await hashFiles([...namesOf.values()].flat(), options),
    at: 0,
  };
  const expected = filesOfRecord(present, options);
  const foreign = await foreignPins(
    hooks.filter((hook) => !namesOf.has(hook) && hook.origin.plugin === undefined),
    options,
  );
  return {
    async verify(hook, directory) {
      await hook.origin.plugin?.verify();
      const names = namesOf.get(hook);
      if (names === undefined) return await foreign(hook, directory);
      if (await isTrustRevoked(options, options)) {
        return "the workspace is not trusted any more; haft trust add trusts it again, and a session that starts now has no hooks of it";
      }
      const changed = await expected.findChange([
        ...new Set([...names, ...(await filesOf(hook, options, recorded))]),
      ]);
      if (changed !== undefined) {
        return `${changed} changed after the workspace was trusted; haft trust shows what changed, and the user accepts it with haft trust add`;
      }
      if (directory === options.workspace) return undefined;
      // Another checkout has its own copies of the scripts, and its commands may have changed them.
      const there = { ...options, workspace: directory };
      const scripts = [...hookDirectories, ...(await filesRunBy(hook, there))];
      const copies = await hashFiles(scripts, there);
      const other = [...copies].find(
        ([name, hash]) => !isSameHash(hash, present.files.get(name)),
      )?.[0];
      return other === undefined
        ? undefined
        : `${other} in ${directory} is not the one with which the workspace was trusted`;
    },
  };
}

/**
 * Check of hooks that do not come with the workspace: a relative path in them names a script of whatever workspace is
 * open. It runs only where that is trusted, and as it was when the session began.
 */
async function foreignPins(hooks: readonly Hook[], options: HookTrust): Promise<VerifyHook> {
  const together = { ...options, stats: new Map(), only: "run" } as const;
  const names = await inBatches(hooks, async (hook) => await filesRunBy(hook, together));
  const pinned = await hashFiles(names.flat(), options);
  return async (hook, directory) => {
    const there = { ...options, workspace: directory, only: "run" } as const;
    const files = await filesRunBy(hook, there);
    const [first] = files;
    if (first === undefined) return undefined;
    if (!options.trusted) {
      return `it runs ${first} of the workspace, which is not trusted; haft trust add trusts it`;
    }
    const now = await hashFiles(files, there);
    const changed = [...now].find(([name, hash]) => !isSameHash(hash, pinned.get(name)));
    return changed === undefined ? undefined : `${changed[0]} changed after the session began`;
  };
}

/** Paths of everything that a hook consists of. */
async function filesOf(
  hook: Hook,
  options: TrustOptions & Pick<ProgramFilesOptions, "stats">,
  recorded: TrustedFiles | undefined,
): Promise<readonly string[]> {
  const file = fileOf(hook, options, recorded);
  return [
    ...(file === undefined ? [] : [file]),
    ...hookDirectories,
    ...(await filesRunBy(hook, options)),
  ];
}

async function filesRunBy(
  { handler }: Hook,
  options: ProgramFilesOptions,
): Promise<readonly string[]> {
  const program = programOfHook(handler);
  return program === undefined ? [] : await filesOfProgram(program, options);
}

/**
 * The file or, of a skill, the directory in which a hook was written; undefined for one that does not come with the
 * workspace. One outside does where a link of the workspace leads there.
 */
function fileOf(
  { origin: { file } }: Hook,
  { workspace }: TrustOptions,
  recorded: TrustedFiles | undefined,
): string | undefined {
  if (file === undefined) return undefined;
  const name = trustName(workspace, file);
  if (name === file && recorded?.covers(file) !== true) return undefined;
  return name.replace(/\/SKILL\.md$/u, "");
}

/** Hooks of a skill or an agent, and the check of each at the time of use. */
export interface AddedHooks extends HookPins {
  readonly hooks: readonly Hook[];
}

export interface HooksOfDocument {
  readonly value: unknown;
  readonly origin: HookOrigin;
  /** Completes each hook. */
  readonly changed?: (hook: Hook) => Hook;
}

/** Reads the hooks in the fields of a skill or an agent that is about to be used. */
export async function hooksOfDocument(
  { value, origin, changed = (hook) => hook }: HooksOfDocument,
  options: HookTrust,
): Promise<AddedHooks> {
  const hooks = readHooks({ value, origin }).hooks.map(changed);
  return { hooks, ...(await hookPins(hooks, options)) };
}
