import { pathBelow, visibleJson, visibleText } from "../../text/index.ts";
import { type Effect, type ExecuteEffect, type RuleRef } from "../../core/index.ts";
import type { Rule } from "../rules/rule.ts";
import { placesBeyond, type Boundary } from "./boundary.ts";

/** Describes an effect as a verb phrase: "write to src/a.ts". */
export function describeEffect(effect: Effect, boundary: Boundary): string {
  switch (effect.kind) {
    case "read":
      return effect.scope === "tree"
        ? `read everything in ${shown(effect.path, boundary)}`
        : `read ${shown(effect.path, boundary)}`;
    case "write": {
      const path = shown(effect.path, boundary);
      if (effect.change === "delete") {
        return effect.scope === "tree" ? `delete ${path} and everything in it` : `delete ${path}`;
      }
      if (effect.scope === "tree") return `write anywhere in ${path}`;
      return effect.change === "create" ? `create ${path}` : `write to ${path}`;
    }
    case "execute":
      return `run \`${commandText(effect)}\`${where(effect, boundary)}`;
    case "connect":
      return `connect to ${effect.host}${effect.port === undefined ? "" : `:${effect.port}`}`;
    case "delegate":
      return effect.target === "session"
        ? `hand work to the session ${effect.agent}`
        : `hand work to the agent ${effect.agent}`;
    case "interact":
      return "show you something";
    case "unknown":
      return `let ${effect.origin} cause unknown effects (${withoutStop(effect.because)})`;
  }
}

/** Names the directory outside the workspace in which a program works, for the approval question. */
function where(effect: ExecuteEffect, boundary: Boundary): string {
  const [place] = placesBeyond(effect, boundary);
  if (place === undefined) return "";
  return effect.worksIn === "unknown"
    ? " in a directory that is only known when it runs"
    : ` (outside the workspace: ${shown(place, boundary)})`;
}

/** Returns a path for display: relative inside the workspace, with `~` in the home directory. */
export function shown(path: string, boundary: Boundary): string {
  const [workspace] = boundary.roots;
  const below = workspace === undefined ? undefined : pathBelow(workspace, path);
  if (below !== undefined) return below === "" ? "the workspace" : below;
  const belowHome = boundary.home === undefined ? undefined : pathBelow(boundary.home, path);
  return belowHome === undefined ? path : belowHome === "" ? "~" : `~/${belowHome}`;
}

export function commandText(effect: ExecuteEffect): string {
  const words = [
    ...effect.assigns.map(
      ({ name, value }) => `${name}=${typeof value === "string" ? value : "…"}`,
    ),
    ...effect.via,
    ...effect.argv.map((word) => (typeof word === "string" ? quoted(word) : "…")),
  ];
  const text = words.join(" ");
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/**
 * Returns a rule with its location: "Read(./secrets/**) (.claude/settings.json:4)". Its author may not be trusted, so
 * every character of it is visible.
 */
export function describeRule(ref: RuleRef): string {
  const { rule, file, line, scope } = ref;
  if (file === undefined) return visibleText(`${rule} (${scope})`);
  return visibleText(`${rule} (${file}${line === undefined ? "" : `:${line}`})`);
}

/** Whether a rule comes from a file of the workspace. */
export function isOfWorkspace({ scope }: RuleRef): boolean {
  return scope === "project" || scope === "local";
}

/**
 * Returns a rule's message as a quotation; undefined without one. An untrusted workspace says nothing: the message would
 * reach the model, or the user, in the voice of haft.
 */
export function quotedMessage(
  { denyMessage, ref }: Pick<Rule, "denyMessage" | "ref">,
  { trusted }: { readonly trusted: boolean },
): string | undefined {
  if (denyMessage === undefined || (isOfWorkspace(ref) && !trusted)) return undefined;
  return visibleJson(denyMessage);
}

/** Joins a few phrases into a question: "Write to a, write to b and 3 more?" */
export function asQuestion(phrases: readonly string[]): string {
  const unique = [...new Set(phrases)];
  const named = unique.slice(0, 3);
  const more = unique.length - named.length;
  const last = named.length > 1 && more === 0 ? named.pop() : undefined;
  const text = `${named.join(", ")}${last === undefined ? "" : ` and ${last}`}${more > 0 ? ` and ${more} more` : ""}?`;
  return capitalised(visibleText(text));
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function quoted(word: string): string {
  return /^[\w./:=@%+,~^-]+$/u.test(word) ? word : JSON.stringify(word);
}

function withoutStop(sentence: string): string {
  return sentence.endsWith(".") ? sentence.slice(0, -1) : sentence;
}
