import { ToolError, type Host } from "../../core/index.ts";
import { isRecord, pathBelow } from "../../text/index.ts";
import { settingsFiles } from "../settings/load-settings.ts";
import type { SettingsProblem } from "../settings/settings.ts";
import { readSettingsText } from "../settings/settings-text.ts";
import { addHashes, readTrust, type TrustOptions } from "../trust/trust.ts";
import type { Hook } from "./hook.ts";
import { hookSet, type HookSet } from "./hook-set.ts";
import { filesRunBy } from "./named-files.ts";
import { readHooks, type HookSource } from "./read-hooks.ts";

export interface LoadHooksOptions {
  readonly host: Pick<Host, "fs" | "clock">;
  /** Canonical path. */
  readonly workspace: string;
  readonly home: string;
  readonly dataDirectory: string;
  /** Whether the workspace's hooks may run. */
  readonly trusted: boolean;
  /** Settings given by the embedding program. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether to read the settings files. */
  readonly files: boolean;
}

export interface LoadedHooks {
  readonly set: HookSet;
  readonly problems: readonly SettingsProblem[];
  /** Hooks of a workspace that is not trusted: they are listed and never run. */
  readonly needTrust: readonly Hook[];
}

/** Hooks of one source, and whether it switches hooks off. */
interface SourceOfHooks extends HookSource {
  readonly disablesAll: boolean;
}

/**
 * Reads the hooks of all settings. Those of the workspace run only if it is trusted, and only as long as they and the
 * scripts that they run are unchanged.
 */
export async function loadHooks(options: LoadHooksOptions): Promise<LoadedHooks> {
  const sources = await sourcesOf(options);
  const problems: SettingsProblem[] = [];
  const usable: Hook[] = [];
  const needTrust: Hook[] = [];
  for (const source of sources) {
    const read = readHooks(source);
    problems.push(...read.problems);
    if (isDisabled(source, sources, options)) continue;
    const isUntrusted = source.origin.scope === "workspace" && !options.trusted;
    (isUntrusted ? needTrust : usable).push(...read.hooks);
  }
  const pins = await hookPins(usable, options);
  return { set: hookSet(usable, pins.verify), problems, needTrust };
}

/** A project can switch off its own hooks only: those of the user may be there to guard against it. */
function isDisabled(
  source: SourceOfHooks,
  sources: readonly SourceOfHooks[],
  { trusted }: LoadHooksOptions,
): boolean {
  return sources.some(
    ({ disablesAll, origin }) =>
      disablesAll &&
      (origin.scope === "workspace" ? trusted && source.origin.scope === "workspace" : true),
  );
}

/** Sources of hooks, the most specific first. The only place that reads hooks from settings. */
async function sourcesOf(options: LoadHooksOptions): Promise<readonly SourceOfHooks[]> {
  const { host, workspace, home, settings, files } = options;
  const sources: SourceOfHooks[] = [];
  if (settings?.["hooks"] !== undefined || settings?.["disableAllHooks"] !== undefined) {
    sources.push({
      value: settings["hooks"],
      origin: { scope: "option" },
      disablesAll: settings["disableAllHooks"] === true,
    });
  }
  if (!files) return sources;
  for (const { path, scope } of settingsFiles(workspace, home)) {
    const source = await readSource(path, scope === "user" ? "user" : "workspace", host);
    if (source !== undefined) sources.push(source);
  }
  return sources;
}

const maxSettingsBytes = 4_000_000;

async function readSource(
  file: string,
  scope: "user" | "workspace",
  host: Pick<Host, "fs">,
): Promise<SourceOfHooks | undefined> {
  let text: string;
  try {
    const path = await host.fs.canonical(file);
    const { bytes } = await host.fs.readFile(path, { maxBytes: maxSettingsBytes });
    text = new TextDecoder().decode(bytes);
  } catch (error) {
    // The reader of rules reports a file that cannot be read, and asks about every call until then.
    if (ToolError.is(error)) return undefined;
    throw error;
  }
  if (!/hooks/iu.test(text)) return undefined;
  const read = readSettingsText(text);
  const { value } = read;
  if (!isRecord(value)) return undefined;
  if (value["hooks"] === undefined && value["disableAllHooks"] === undefined) return undefined;
  return {
    value: value["hooks"],
    origin: { scope, file },
    lineOf: (path) => read.lineOf(["hooks", ...path]),
    disablesAll: value["disableAllHooks"] === true,
  };
}

/** Directories of scripts that hooks run or include. */
const hookDirectories = [".haft/hooks", ".claude/hooks"];

/** Hashes of what the workspace's hooks run, as the user trusted it. */
export interface HookPins {
  /** Resolves to the reason why a hook may not run; undefined if it is unchanged. */
  readonly verify: (hook: Hook) => Promise<string | undefined>;
}

/** Remembers what hooks of the workspace run: as recorded with its trust, else as it is now. */
export async function hookPins(hooks: readonly Hook[], options: TrustOptions): Promise<HookPins> {
  const inWorkspace = hooks.filter((hook) => fileBelow(hook, options) !== undefined);
  if (inWorkspace.length === 0) return { verify: async () => undefined };
  const record = (await readTrust(options))[options.workspace];
  const namesOf = new Map<Hook, readonly string[]>();
  for (const hook of inWorkspace) namesOf.set(hook, await filesOf(hook, options));
  const present = record === undefined ? await hashesOf([...namesOf.values()].flat(), options) : {};
  const expected = record?.files ?? present;
  return {
    async verify(hook) {
      const names = namesOf.get(hook);
      if (names === undefined) return undefined;
      const now = await hashesOf([...names, ...(await filesOf(hook, options))], options);
      const known = Object.keys(expected).filter((name) =>
        names.some((each) => name === each || name.startsWith(`${each}/`)),
      );
      const changed = [...new Set([...Object.keys(now), ...known])].find(
        (name) => now[name] !== expected[name],
      );
      return changed === undefined
        ? undefined
        : `${changed} changed after the workspace was trusted; haft trust shows what changed`;
    },
  };
}

/** Paths below the workspace of everything that a hook consists of. */
async function filesOf(hook: Hook, options: TrustOptions): Promise<readonly string[]> {
  const file = fileBelow(hook, options);
  return [
    ...(file === undefined ? [] : [file]),
    ...hookDirectories,
    ...(await filesRunBy(hook.handler, options)),
  ];
}

/** The file or, of a skill, the directory in which a hook was written; undefined outside the workspace. */
function fileBelow({ origin }: Hook, { workspace }: TrustOptions): string | undefined {
  const name = origin.file === undefined ? undefined : pathBelow(workspace, origin.file);
  return name?.replace(/\/SKILL\.md$/u, "");
}

async function hashesOf(
  names: readonly string[],
  options: TrustOptions,
): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {};
  for (const name of new Set(names)) await addHashes(name, hashes, options);
  return hashes;
}

/** Scripts that the hooks of a settings text run, as paths below the workspace; for what trust covers. */
export async function scriptsOfHooks(
  text: string,
  where: { readonly host: Pick<Host, "fs">; readonly workspace: string },
): Promise<readonly string[]> {
  const { value } = readSettingsText(text);
  if (!isRecord(value)) return [];
  const { hooks } = readHooks({ value: value["hooks"], origin: { scope: "workspace" } });
  const names = await Promise.all(hooks.map(async ({ handler }) => await filesRunBy(handler, where)));
  return [...new Set(names.flat())];
}
