import type { ContentPart, Outcome } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import { approvalAdvice } from "../approval/approval-advice.ts";
import { carriesStructure } from "./tool-list.ts";
import { metaKeys, type Era } from "../protocol/versions.ts";

/**
 * Converts an outcome to a tool result. A client shows its model either the content or the structured content, so both
 * are sent only if they are equivalent.
 */
export function toolResult(
  outcome: Outcome,
  era: Era,
  outputSchema: unknown,
): Readonly<Record<string, unknown>> {
  const content = partsFor(outcome, era);
  const meta = { [metaKeys.outcome]: outcomeMeta(outcome) };
  if (outcome.isError) return { content, isError: true, _meta: meta };
  const structured = structuredContent(outcome, era, outputSchema !== undefined);
  if (structured === undefined) {
    if (outputSchema === undefined) return { content, isError: false, _meta: meta };
    // A client that validates the result against the schema would discard all of it.
    return { content: [structureMissing(outcome), ...content], isError: true, _meta: meta };
  }
  const said = content.length > 0 ? content : [textPart(JSON.stringify(structured))];
  return { content: said, structuredContent: structured, isError: false, _meta: meta };
}

function structuredContent(outcome: Outcome, era: Era, isPromised: boolean): unknown {
  const { structuredContent: structured } = outcome;
  if (structured === undefined || !carriesStructure(era)) return undefined;
  if (era.kind === "legacy" && !isRecord(structured)) return undefined;
  return isPromised || saysTheSame(outcome) ? structured : undefined;
}

/** Whether nothing was cut from the text or added to it since the tool returned both forms. */
function saysTheSame({ content, artifact, repairs }: Outcome): boolean {
  const isPlain = content.every((part) => part.type === "text");
  return isPlain && artifact === undefined && repairs.length === 0;
}

function structureMissing({ tool }: Outcome): ContentPart {
  return textPart(
    `${tool} ran, but its answer has no structured form that fits its output schema. Its text follows.`,
  );
}

function partsFor(outcome: Outcome, era: Era): readonly ContentPart[] {
  const parts = outcome.content.map((part) => partFor(part, era));
  if (parts.length === 0 && outcome.error !== undefined) {
    const { message, hint } = outcome.error;
    parts.push(textPart(hint === undefined ? message : `${message} ${hint}`));
  }
  const advice = approvalAdvice(outcome);
  return advice === undefined ? parts : [...parts, textPart(advice)];
}

/** Adapts a content part. Older clients reject a whole result because of one unknown kind of part. */
function partFor(part: ContentPart, era: Era): ContentPart {
  const version = era.kind === "modern" ? undefined : era.version;
  switch (part.type) {
    case "text":
    case "image":
      return part;
    case "audio":
      return version === "2024-11-05" ? textPart(`[audio ${part.mimeType}]`) : part;
    case "resource_link":
      return version === "2024-11-05" || version === "2025-03-26"
        ? textPart(`[resource ${part.uri}]`)
        : part;
    case "resource": {
      const { resource } = part;
      return resource.text === undefined && resource.blob === undefined
        ? { type: "resource", resource: { ...resource, text: "" } }
        : part;
    }
  }
}

/**
 * Metadata that interfaces show next to the result: code, decision, trust, undo, and the location of the full output.
 */
function outcomeMeta(outcome: Outcome): Readonly<Record<string, unknown>> {
  const { error, decision, artifact, undo } = outcome;
  return {
    callId: outcome.id,
    tool: outcome.tool,
    status: outcome.status,
    title: outcome.title,
    summary: outcome.summary,
    trust: outcome.trust,
    ...(error === undefined ? {} : { error }),
    ...(decision === undefined
      ? {}
      : {
          decision: {
            kind: decision.kind,
            ...(decision.rule === undefined ? {} : { rule: decision.rule }),
            ...(decision.reason === undefined ? {} : { reason: decision.reason }),
          },
        }),
    ...(outcome.repairs.length === 0 ? {} : { repairs: outcome.repairs }),
    ...(artifact === undefined ? {} : { artifact }),
    ...(undo === undefined ? {} : { undo }),
  };
}

function textPart(text: string): ContentPart {
  return { type: "text", text };
}
