import type { CreatedDefinition, DeclaredEffect } from "../core/index.ts";
import { defaultTimeoutMs } from "./definition.ts";
import type { TriedExample } from "./try-examples.ts";
import { visibleName, visibleText } from "../text/index.ts";
import { formatPatch, structuredPatch } from "diff";

const contextLines = 3;
/** Maximum edit distance: texts that differ more are shown one after the other. */
const maxEditLength = 2000;

/** Difference of two texts in lines that begin with + and -. */
function lineDifference(before: string, after: string): string {
  const options = { context: contextLines, maxEditLength };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  if (patch === undefined) return `Before:\n${indented(before)}\n\nNow:\n${indented(after)}`;
  if (patch.hunks.length === 0) return "(none)";
  return formatPatch(patch, {
    includeIndex: false,
    includeUnderline: false,
    includeFileHeaders: false,
  });
}

/** Characters of one result that the user sees. */
const shownResultChars = 500;

export interface Described {
  readonly definition: CreatedDefinition;
  readonly tried: readonly TriedExample[];
  /** Version that this one would replace. */
  readonly before: CreatedDefinition | undefined;
  readonly isEnforced: boolean;
}

/**
 * Everything that the user needs to decide about a tool: its purpose, effects, code and results. A model wrote most of
 * it, so no part may look like a sentence of haft.
 */
export function describeTool(described: Described): string {
  return visibleText(descriptionOf(described));
}

function descriptionOf({ definition, tried, before, isEnforced }: Described): string {
  const { name, description, body, input } = definition;
  const verb = before === undefined ? "Add the tool" : "Replace the tool";
  const held = isEnforced
    ? "It runs confined to that, in a process of its own."
    : "No sandbox here holds it to that: it could do anything that you can do.";
  return [
    `${verb} ${name}? ${oneLine(description)}`,
    "",
    `It may ${effectsText(definition)}, for at most ${seconds(definition)} s a call. ${held}`,
    `Input: ${JSON.stringify(input)}`,
    "",
    ...(before === undefined
      ? [`Code (${definition.language}):`, indented(body)]
      : [
          "Changes to the version in use:",
          lineDifference(wholeText(before), wholeText(definition)),
        ]),
    "",
    "Results of its examples:",
    ...tried.map(resultText),
  ].join("\n");
}

function seconds({ timeout_ms: timeoutMs = defaultTimeoutMs }: CreatedDefinition): number {
  return timeoutMs / 1000;
}

/** The declared effects as part of a sentence. */
export function effectsText({ effects = [] }: Pick<CreatedDefinition, "effects">): string {
  return effects.length === 0
    ? "compute, and touch no file and no network"
    : effects.map(effectText).join(", ");
}

function effectText(effect: DeclaredEffect): string {
  if (effect.kind === "connect") {
    const { host, port } = effect;
    return `connect to ${visibleName(host)}${port === undefined ? "" : `:${port}`}`;
  }
  const { kind, path, scope } = effect;
  return `${kind} ${visibleName(path)}${scope === "tree" ? " and everything below" : ""}`;
}

function resultText({ example, text, isAsExpected }: TriedExample): string {
  const shown = text.length <= shownResultChars ? text : `${text.slice(0, shownResultChars)}…`;
  const mark = example.expect === undefined || !isAsExpected ? "" : " (as expected)";
  return `  ${JSON.stringify(example.input)} gives ${JSON.stringify(shown)}${mark}`;
}

/** A definition as lines, so that a difference shows what changed in it. */
function wholeText({ body, examples: _examples, ...rest }: CreatedDefinition): string {
  return `${JSON.stringify(rest, undefined, 2)}\n${body}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

function indented(text: string): string {
  return text.replaceAll(/^/gmu, "  ");
}
