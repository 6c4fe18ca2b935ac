import type { CallOptions } from "../call/outcome.ts";
import { serviceToken } from "../ports/service-token.ts";

/** A skill: instructions for one kind of task, in a directory with a file SKILL.md. */
export interface SkillInfo {
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
  /** Canonical path of its directory. */
  readonly directory: string;
  readonly scope: "workspace" | "user";
  /** The only effects that calls may have while it is active, as permission rules; undefined: no limit of its own. */
  readonly allowedTools?: readonly string[];
  /** Whether a model may use it; otherwise only the user. */
  readonly isModelInvocable: boolean;
  /** Agent that works on it when a model uses it; undefined: the caller follows it in its own conversation. */
  readonly fork?: { readonly agent: string };
  /** Model of that agent, or of the run that a user starts with the skill, as it is written. */
  readonly model?: string;
  /** Hooks that run while it is active, in the reference format. */
  readonly hooks?: Readonly<Record<string, unknown>>;
}

/** A skill that is used: its instructions with arguments in their places. */
export interface UsedSkill {
  readonly skill: SkillInfo;
  readonly text: string;
}

/** Caller of a skill. */
export type SkillCaller = Pick<CallOptions, "sessionId" | "agentId" | "runId" | "signal">;

/** Skills that a model may use. */
export interface Skills {
  list(): readonly SkillInfo[];
  /** Returns SKILL.md of a skill, or another of its files. */
  read(name: string, file: string | undefined): Promise<string>;
  /**
   * Activates a skill: its `allowedTools` limit the calls of the session and its `hooks` run there, until the run has
   * ended. One with `fork` is not activated: both apply to its agent, which the caller starts.
   */
  use(name: string, args: string, caller: SkillCaller): Promise<UsedSkill>;
}

/** A skill that a hub found, for a model. */
export interface FoundSkillInfo {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly source?: string;
  readonly kind: "skill" | "mcp-server";
}

/** A downloaded skill, of which nothing is installed yet. */
export interface SkillDownload {
  readonly name: string;
  /** Everything that a user needs to decide, as plain text. */
  readonly text: string;
  /** Installs exactly what was downloaded; resolves to its directory. */
  install(): Promise<string>;
}

/** Hubs to search for skills. */
export interface SkillHubService {
  /** Hosts that requests go to. */
  readonly hosts: readonly string[];
  /** Directory below which skills are installed. */
  readonly directory: string;
  search(
    query: string,
    signal: AbortSignal,
  ): Promise<{ readonly skills: readonly FoundSkillInfo[]; readonly problems: readonly string[] }>;
  download(id: string, signal: AbortSignal): Promise<SkillDownload>;
}

/** Slash commands that a model may use. */
export interface SlashCommands {
  list(): Promise<readonly { readonly name: string; readonly description: string }[]>;
  /** Returns the prompt of a command; its `allowedTools` limit the calls of the session until the run has ended. */
  use(
    name: string,
    args: string,
    caller: SkillCaller,
  ): Promise<{
    readonly name: string;
    readonly text: string;
    readonly allowedTools?: readonly string[];
  }>;
}

/** Provided where the workspace or the user may have slash commands. */
export const slashCommands = serviceToken<SlashCommands>("slash-commands");

/** Provided where the settings name a hub. */
export const skillHubs = serviceToken<SkillHubService>(
  "skill-hubs",
  "The user can name a hub in the setting skillHubs, or search with haft skills search.",
);

/** Provided where the workspace or the user has a skill. */
export const skills = serviceToken<Skills>("skills");
