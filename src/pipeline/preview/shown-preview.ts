import type { PreviewResult } from "../../core/index.ts";
import type { PipelineEnvironment } from "../environment.ts";
import { headAndTail } from "../../text/index.ts";
import { plainJson } from "../../text/index.ts";
import { redact } from "../../redact/index.ts";

/** A preview as its caller sees it: its answer bounded, and secrets taken out of it wherever they stand. */
export function shownPreview(
  preview: PreviewResult,
  { redactSecrets, maxChars }: Pick<PipelineEnvironment, "redactSecrets" | "maxChars">,
): PreviewResult {
  const bounded =
    preview.content === undefined
      ? preview
      : { ...preview, content: shortened(preview.content, maxChars) };
  if (!redactSecrets) return bounded;
  const plain = plainJson(bounded, redact);
  // What cannot be looked through is not shown.
  return keepsShape(bounded, plain) ? plain : { summary: redact(preview.summary) };
}

function shortened(text: string, limit: number): string {
  const { text: shown, cutChars } = headAndTail(text, { limit, tailShare: 0.2 });
  return cutChars === 0 ? text : `${shown}\n(truncated: ${cutChars} characters left out)`;
}

/** Only texts in it were changed. */
function keepsShape<T>(_value: T, plain: unknown): plain is T {
  return plain !== undefined;
}
