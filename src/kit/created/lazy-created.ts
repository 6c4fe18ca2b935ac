import type {
  Call,
  CreatedDefinition,
  CreatedTools,
  Host,
  Outcome,
  WriteEffect,
} from "../../core/index.ts";
import { isRecord, pathExists } from "../../text/index.ts";
import type { Deferral, Registry } from "../../registry/index.ts";
import type { KitSandboxes } from "../confinement/kit-sandboxes.ts";
import type { SettingsProblem } from "../../workspace/index.ts";
import type { JudgingParts } from "../rules/agent-rules.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import type { Place } from "../workspace-context.ts";

/** Definitions of created tools, by name; the same for every kit derived from one. */
export interface CreatedParts {
  readonly definitions: Map<string, CreatedDefinition>;
  /** Versions that were read from files or stored in them; a later one may be in use. */
  readonly stored: Map<string, CreatedDefinition>;
}

/** Parts of a kit that created tools use. */
export interface CreatedKitParts {
  readonly host: Host;
  readonly place: Place;
  readonly registry: Registry;
  readonly sandboxes: KitSandboxes;
  readonly created: CreatedParts;
}

/** Parts of a kit that store created tools, under its rules. */
export type CreatedToolParts = CreatedKitParts &
  JudgingParts & { readonly rules: Pick<RuleBook, "allowing" | "current"> };

/**
 * Adds the created tools of the workspace and those of plugins, and returns why others are not added. Most workspaces
 * have none, and then nothing of them is loaded.
 */
export async function openToolFiles(parts: CreatedKitParts): Promise<readonly SettingsProblem[]> {
  const { host, place } = parts;
  const problems: SettingsProblem[] = [];
  if (await pathExists(host.fs, `${place.workspace}/.haft/tools`)) {
    const { openStoredTools } = await import("./open-stored.ts");
    problems.push(...(await openStoredTools(parts)));
  }
  if (place.plugins?.all.some(({ manifest }) => manifest.tools.length > 0) === true) {
    const { openPluginTools } = await import("../plugins/plugin-tools.ts");
    problems.push(...(await openPluginTools(parts)));
  }
  return problems;
}

/** Files in which a call of CreateTool may store a tool, after the user has agreed. */
export function storedFor(
  tool: string,
  input: unknown,
  { workspace }: Pick<Place, "workspace">,
): readonly WriteEffect[] {
  if (tool !== "CreateTool" || !isRecord(input)) return [];
  const { name } = input;
  if (typeof name !== "string" || !/^[A-Za-z][\w-]*$/u.test(name)) return [];
  return ["tool.json", "examples.json", "run.mjs", "run.sh"].map((file) => ({
    kind: "write",
    path: `${workspace}/.haft/tools/${name}/${file}`,
    scope: "file",
    change: "any",
  }));
}

/** Created tools of a kit, loaded with the first use. */
export function lazyCreated(
  parts: CreatedToolParts,
  deferral: Pick<Deferral, "join">,
): CreatedTools {
  const load = async (): Promise<CreatedTools> =>
    (await import("./kit-created.ts")).kitCreated(parts, deferral);
  return {
    effects: async (...given) => await (await load()).effects(...given),
    create: async (...given) => await (await load()).create(...given),
  };
}

/** A created tool in the workspace, for users. */
export interface CreatedToolInfo {
  /** Name of its directory. */
  readonly name: string;
  /** Directory of its files. */
  readonly directory: string;
  /** Description for the model; undefined if the files are invalid. */
  readonly description?: string;
  /** Its effects as part of a sentence. */
  readonly effects?: string;
  /** Why it is not offered. */
  readonly problem?: string;
}

/** Result of one example of a created tool. */
export interface CreatedToolCheck {
  /** Input of the example. */
  readonly input: unknown;
  /** Answer, or the reason why the call failed. */
  readonly text: string;
  /** Whether the call ended well, with the expected result if the example has one. */
  readonly passed: boolean;
}

/** Created tools of a workspace, for users. */
export interface KitCreatedTools {
  /** Lists the tools in `.haft/tools`, those that cannot be used included. */
  list(): Promise<readonly CreatedToolInfo[]>;
  /**
   * Calls a tool with each of its examples, through every step of a call. Rejects with NOT_FOUND if there is none of
   * this name, INVALID_INPUT if its files are invalid, PERMISSION_DENIED if they are not trusted.
   */
  test(name: string): Promise<readonly CreatedToolCheck[]>;
  /**
   * Writes the files of a new tool, to be edited, and returns their paths. Rejects with ALREADY_EXISTS if there is one of
   * this name.
   */
  scaffold(name: string, language?: "javascript" | "shell"): Promise<readonly string[]>;
}

/** Created tools of a kit for users; what reads and tries them is loaded with the first use. */
export function lazyCreatedList(
  parts: CreatedKitParts,
  call: (call: Call) => Promise<Outcome>,
): KitCreatedTools {
  const load = async (): Promise<KitCreatedTools> =>
    (await import("./created-list.ts")).createdList(parts, call);
  return {
    list: async () => await (await load()).list(),
    test: async (name) => await (await load()).test(name),
    scaffold: async (...given) => await (await load()).scaffold(...given),
  };
}
