import type { PreviewResult } from "../../core/index.ts";
import type { AnswerParts } from "../environment/environment.ts";
import { headAndTail } from "../../text/index.ts";
import { withStrings } from "../../text/index.ts";
import { redact } from "../../redact/index.ts";

/** Returns a preview for the caller: its content bounded, and secrets redacted in every field. */
export function shownPreview(
  preview: PreviewResult,
  { redactSecrets, maxChars }: AnswerParts,
): PreviewResult {
  const bounded =
    preview.content === undefined
      ? preview
      : { ...preview, content: shortened(preview.content, maxChars) };
  if (!redactSecrets) return bounded;
  // A preview that cannot be redacted completely is reduced to its summary.
  return withStrings(bounded, redact) ?? { summary: redact(preview.summary) };
}

function shortened(text: string, limit: number): string {
  const { text: shown, cutChars } = headAndTail(text, { limit, tailShare: 0.2 });
  return cutChars === 0 ? text : `${shown}\n(truncated: ${cutChars} characters left out)`;
}
