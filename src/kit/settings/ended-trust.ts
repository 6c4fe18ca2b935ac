import type { Mode } from "../../core/index.ts";
import type { RuleSource } from "../../policy/index.ts";
import { deepEqual } from "../../text/index.ts";
import type { LoadedSettings } from "../../workspace/index.ts";
import type { Place } from "../workspace-context.ts";

/** Change of an open kit whose user has ended the trust of its workspace. */
export interface EndedTrust {
  /** Rules that still count, in place of those of the settings. */
  readonly sources: readonly RuleSource[];
  /** Mode to use from now on, if the one in use is that of the workspace and allows more than it may. */
  readonly mode: Mode | undefined;
  /** One line for each change. */
  readonly changes: readonly string[];
}

/** Settings in which the workspace allows nothing in an open kit, or that end with its trust by themselves. */
const apart: ReadonlySet<string> = new Set([
  "sources",
  "compiled",
  "files",
  "problems",
  "layers",
  "withheld",
  "defaultMode",
  "defaultWorkingDirectory",
  "hooks",
  "mcpServers",
  "projectServers",
  "diagnostics",
] satisfies (keyof LoadedSettings)[]);

/** Modes that ask less than the default one. */
const openModes: ReadonlySet<Mode | undefined> = new Set(["acceptEdits", "bypassPermissions"]);

/**
 * Returns what counts in an open kit once its workspace is not trusted any more, where `next` is its settings without trust;
 * undefined if they cannot be read. Its allow rules and its mode stop counting. Other settings stay as long as the kit is
 * open: if the workspace loosened one, every call is asked about.
 */
export function withoutTrust(
  next: LoadedSettings | undefined,
  before: readonly RuleSource[],
  { settings, anchors }: Pick<Place, "settings" | "anchors">,
): EndedTrust {
  const allowed = before.filter(isOfWorkspace);
  const kept = before.filter((source) => !isOfWorkspace(source));
  const values = new Map<string, unknown>(Object.entries(next ?? {}));
  const loosened = Object.entries(settings)
    .filter(([key, value]) => !apart.has(key) && !isSame(value, values.get(key)))
    .map(([key]) => key);
  const isOpened =
    openModes.has(settings.defaultMode) && settings.defaultMode !== next?.defaultMode;
  const count = allowed.reduce((sum, { rules }) => sum + rules.length, 0);
  const asking: RuleSource = {
    scope: "option",
    list: "ask",
    rules: [{ rule: "*", denyMessage: askMessage(loosened) }],
    ...anchors,
  };
  return {
    sources: [
      ...(loosened.length === 0 ? [] : [asking]),
      ...kept,
      ...savedByUser(next?.sources ?? [], allowed),
    ],
    mode: isOpened ? (next?.defaultMode ?? "default") : undefined,
    changes: [
      ...(count === 0 ? [] : [`${count} allow ${count === 1 ? "rule" : "rules"} of the workspace`]),
      ...(isOpened ? [`defaultMode: ${JSON.stringify(settings.defaultMode)}`] : []),
      ...loosened.map((key) => `${key}: until the next start, every call is asked about`),
    ].map((change) => `${change} (the workspace is not trusted any more)`),
  };
}

function askMessage(loosened: readonly string[]): string {
  return `The workspace is not trusted any more, and its settings loosened ${loosened.join(", ")} for this session. Start again to end that.`;
}

/** Whether rules count only with trust. */
function isOfWorkspace({ list, scope }: RuleSource): boolean {
  return list === "allow" && (scope === "project" || scope === "local");
}

/** Those of the allowing rules that the user saved in files of the workspace: they need no trust. */
function savedByUser(
  sources: readonly RuleSource[],
  allowed: readonly RuleSource[],
): readonly RuleSource[] {
  const known = new Set(allowed.flatMap(keysOf));
  return sources.filter(
    (source) =>
      source.list === "allow" &&
      source.scope === "option" &&
      source.file !== undefined &&
      keysOf(source).every((key) => known.has(key)),
  );
}

function keysOf({ file, rules }: RuleSource): readonly string[] {
  return rules.map((rule) => JSON.stringify([file, rule]));
}

function isSame(one: unknown, other: unknown): boolean {
  return one instanceof Map && other instanceof Map
    ? deepEqual([...one], [...other])
    : deepEqual(one, other);
}
