import { ToolError } from "../../../core/index.ts";
import { formOf } from "./text-form.ts";
import { decodeText } from "./codec.ts";
import type { TextForm } from "./detect.ts";

/** Text and the encoding of its bytes. */
export interface OlderText {
  readonly text: string;
  readonly encoding: string;
}

/**
 * Versions of one file as Read shows them. Versions whose encoding is only inferred share one encoding, because a few
 * different bytes could change the inference. Undefined for a version that is not text.
 */
export function olderTexts(sides: readonly Uint8Array[]): readonly (OlderText | undefined)[] {
  const forms = sides.map(formIn);
  const concluded = sides.filter((_, index) => forms[index]?.isSure === false);
  const shared = concluded.length < 2 ? undefined : formIn(Buffer.concat(concluded));
  return sides.map((bytes, index) => {
    const own = forms[index];
    const form = own?.isSure === false ? (shared ?? own) : own;
    return form && (textIn(bytes, form) ?? (own && textIn(bytes, own)));
  });
}

function formIn(bytes: Uint8Array): TextForm | undefined {
  try {
    return formOf(bytes, { shown: "", encoding: undefined, size: bytes.length });
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

/** Decoded text; undefined if bytes are damaged, because its lines cannot be compared. */
function textIn(bytes: Uint8Array, form: TextForm): OlderText | undefined {
  const { text, lossy } = decodeText(bytes, form);
  return lossy ? undefined : { text, encoding: form.encoding };
}
