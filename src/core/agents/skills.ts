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
  /** Activates a skill: its `allowedTools` limit the calls of the session until the run has ended. */
  use(name: string, args: string, caller: SkillCaller): Promise<UsedSkill>;
}

/** Provided where the workspace or the user has a skill. */
export const skills = serviceToken<Skills>("skills");
