import { nearestName } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { lineOfField, readAllowedTools } from "../documents/allowed-tools.ts";
import { readDocument } from "../documents/read-document.ts";
import { plainName } from "../settings/schema/setting.ts";

/** Contents of SKILL.md. */
export interface SkillFile {
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
  readonly allowedTools?: readonly string[];
  readonly isModelInvocable: boolean;
  readonly isUserInvocable: boolean;
  readonly fork?: { readonly agent: string };
  readonly model?: string;
  readonly hooks?: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Reasons for which it cannot be used. */
  readonly faults: readonly SkillProblem[];
  /** Deviations from the format with which it can be used. `haft skills validate` counts them as errors. */
  readonly notes: readonly SkillProblem[];
}

export interface SkillProblem {
  readonly message: string;
  readonly line?: number;
}

const specKeys = [
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
] as const;

/** Keys of other programs that haft reads. */
const moreKeys = [
  "when_to_use",
  "argument-hint",
  "disable-model-invocation",
  "user-invocable",
  "context",
  "agent",
  "model",
  "hooks",
] as const;

/** Keys of other programs that change nothing here, with the consequence. */
const withoutEffect: Readonly<Record<string, string>> = {
  arguments: "arguments have numbers only, as in $0",
  effort: "the effort of the run is used",
  background: "its agent is waited for",
  paths: "it is offered for every file",
  shell: "commands run with bash",
  version: "versions are not compared",
};

/** Keys that limit or guard something; a skill that relies on one must not be used without it. */
const unsupported: Readonly<Record<string, string>> = {
  "disallowed-tools": "only `allowed-tools` can limit a skill here",
};

/** Reports a problem of the field with this key. */
type Report = (message: string, key: string) => void;

/** `fault` where the skill cannot be used, `note` where it can. */
type Reports = Readonly<Record<"fault" | "note", Report>>;

const limits = { name: 64, description: 1024, compatibility: 500 } as const;

/** Reads SKILL.md. `directory` is the name of the directory that it is in. Never throws. */
export async function readSkill(text: string, directory: string): Promise<SkillFile> {
  const { fields, body, problems } = await readDocument(text);
  const faults: SkillProblem[] = [...problems];
  const notes: SkillProblem[] = [];
  const lines = text.split(/\r?\n/u);
  const at = (message: string, key: string): SkillProblem => ({
    message,
    line: lineOfField(key, lines),
  });
  const fault: Report = (message, key) => void faults.push(at(message, key));
  const note: Report = (message, key) => void notes.push(at(message, key));
  if (!/^\uFEFF?---[ \t]*$/u.test(lines[0] ?? "")) {
    fault("SKILL.md does not begin with fields between two lines ---.", "");
  }
  const known = [
    ...specKeys,
    ...moreKeys,
    ...Object.keys(withoutEffect),
    ...Object.keys(unsupported),
  ];
  for (const key of Object.keys(fields)) {
    if (specKeys.some((each) => each === key)) continue;
    const effect = withoutEffect[key];
    const guard = unsupported[key];
    const near = nearestName(key.slice(0, 64), known);
    if (guard !== undefined) fault(`\`${key}\`: ${guard}.`, key);
    else if (effect !== undefined) note(`\`${key}\` is not part of the format: ${effect}.`, key);
    else if (key === "agent" && fields["context"] !== "fork")
      note("`agent` has no effect without `context: fork`.", key);
    else if (moreKeys.some((each) => each === key))
      note(`\`${key}\` is not part of the format: haft uses it, another program may not.`, key);
    // A misspelled limit must not be lost.
    else if (near === "allowed-tools")
      fault(`There is no key \`${key}\`; did you mean \`${near}\`?`, key);
    else
      note(
        `There is no key \`${key}\`${near === undefined ? "." : `; did you mean \`${near}\`?`}`,
        key,
      );
  }
  // Where the fields cannot be read, nothing is known to be missing.
  const isRead = problems.length === 0;
  const name = isRead ? nameOf(fields["name"], directory, { fault, note }) : directory;
  const description = textOf("description", fields["description"], { fault, note }) ?? "";
  if (isRead && fields["description"] === undefined)
    fault("`description` is missing.", "description");
  textOf("compatibility", fields["compatibility"], { fault, note });
  if (fields["license"] !== undefined && typeof fields["license"] !== "string") {
    note("`license` is not a text.", "license");
  }
  const { allowedTools, ...unusable } = readAllowedTools(fields["allowed-tools"]);
  for (const message of unusable.faults) fault(message, "allowed-tools");
  for (const message of unusable.notes) note(message, "allowed-tools");
  const hint = fields["argument-hint"];
  const when = fields["when_to_use"];
  const flag = (key: string, otherwise: boolean): boolean => {
    const value = fields[key];
    if (value === undefined || typeof value === "boolean") return value ?? otherwise;
    fault(`\`${key}\` is not true or false.`, key);
    return false;
  };
  const hooks = await hooksOf(fields["hooks"], { fault, note });
  return {
    name,
    ...placeOf(fields, fault),
    ...(hooks === undefined ? {} : { hooks }),
    description: typeof when === "string" ? `${description} ${when}` : description,
    ...(typeof hint === "string" ? { argumentHint: hint } : {}),
    ...(allowedTools === undefined ? {} : { allowedTools }),
    isModelInvocable: !flag("disable-model-invocation", false),
    isUserInvocable: flag("user-invocable", true),
    body,
    faults,
    notes,
  };
}

const validName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;

/** Name of the skill. One that breaks the format is replaced by that of the directory, as in other programs. */
function nameOf(value: unknown, directory: string, { fault, note }: Reports): string {
  const wrong = wrongName(value, directory);
  if (wrong === undefined) return directory;
  if (validName.test(directory) && directory.length <= limits.name) {
    note(`${wrong} The skill is called ${directory}, as its directory.`, "name");
    return directory;
  }
  fault(wrong, "name");
  return plainName(typeof value === "string" ? value : directory);
}

function wrongName(value: unknown, directory: string): string | undefined {
  if (value === undefined) return "`name` is missing.";
  if (typeof value !== "string") return "`name` is not a text.";
  if (value.length > limits.name || !validName.test(value)) {
    return `The name "${plainName(value)}" is not 1 to ${limits.name} lowercase letters, digits and single hyphens.`;
  }
  return value === directory
    ? undefined
    : `The name ${value} is not that of its directory, "${plainName(directory)}".`;
}

function textOf(
  key: "description" | "compatibility",
  value: unknown,
  { fault, note }: Reports,
): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value.trim() === "") {
    fault(`\`${key}\` is not a text.`, key);
    return undefined;
  }
  const most = limits[key];
  if (value.length > most) {
    note(`\`${key}\` has ${value.length} characters; only the first ${most} are used.`, key);
  }
  return value.slice(0, most).replaceAll(/\s+/gu, " ").trim();
}

/** Where it is followed, and by which model: an agent of its own, or the conversation of its caller. */
function placeOf(
  { context, agent, model }: Readonly<Record<string, unknown>>,
  fault: Report,
): Pick<SkillFile, "fork" | "model"> {
  if (context !== undefined && context !== "fork") fault('`context` is not "fork".', "context");
  const isName = typeof agent === "string" && agent.trim() !== "";
  if (agent !== undefined && !isName) fault("`agent` is not the name of an agent.", "agent");
  const isModel = typeof model === "string" && model.trim() !== "";
  if (model !== undefined && !isModel) fault("`model` is not the name of a model.", "model");
  return {
    ...(context === "fork" ? { fork: { agent: isName ? ownName(agent.trim()) : "general" } } : {}),
    ...(isModel && model !== "inherit" ? { model: model.trim() } : {}),
  };
}

/** Name of the agent here that is meant by one that another program has. */
function ownName(agent: string): string {
  return agent === "general-purpose" ? "general" : agent;
}

/** Hooks of the skill, which must all be understood: one of them may guard something. */
async function hooksOf(value: unknown, { fault, note }: Reports): Promise<SkillFile["hooks"]> {
  if (value === undefined) return undefined;
  const { readHooks } = await import("../hooks/read-hooks.ts");
  for (const { severity, message } of readHooks({ value, origin: { scope: "skill" } }).problems) {
    (severity === "error" ? fault : note)(`\`hooks\`: ${message}`, "hooks");
  }
  return isRecord(value) ? value : undefined;
}
