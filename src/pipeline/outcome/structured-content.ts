import type { CallState } from "../call-state.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { plainJson } from "../../text/index.ts";
import { redact } from "../../redact/index.ts";

/**
 * Sets the outcome's `structuredContent`: plain JSON with secrets redacted, or nothing and a note where it is too long,
 * because some clients show the model this instead of the content. The full value is then stored as JSON.
 */
export function takeStructured(
  state: CallState,
  environment: PipelineEnvironment,
): string | undefined | Promise<string> {
  const given = state.result?.structuredContent;
  if (given === undefined || state.error !== undefined || state.isStructuredTaken) return undefined;
  state.isStructuredTaken = true;
  const { redactSecrets, answerLimits } = environment;
  const structured = plainJson(given, redactSecrets ? redact : (text) => text);
  if (structured === undefined) return undefined;
  const json = JSON.stringify(structured) ?? "";
  if (json.length > answerLimits.structuredChars) return leftOut(json, state, environment);
  state.structured = structured;
  return undefined;
}

async function leftOut(
  json: string,
  state: CallState,
  environment: PipelineEnvironment,
): Promise<string> {
  const { answerLimits } = environment;
  const kept = await environment.keepArtifact(`${state.key}-structured`, json);
  state.artifact ??= kept;
  const where =
    kept === undefined
      ? "It could not be kept."
      : `It is in ${kept.path}; open parts of it with Read or Grep.`;
  return `(structured content left out: ${json.length} characters of JSON, more than ${answerLimits.structuredChars}. ${where})`;
}
