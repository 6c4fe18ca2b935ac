import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeText, encodeText } from "../files/encodings/text-encoding.ts";
import { planEdit } from "./plan-edit.ts";
import { splicedBytes } from "./edit.ts";

const piece = fc.constantFrom("a", "b", "\n", "\r\n", "\u00E9", "\u20AC", "\u{1F600}", "\uFEFF");
const textOf = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(piece, { minLength: 1, maxLength }).map((parts) => parts.join(""));

test("the bytes are those of the text after the edits, in every encoding", () => {
  fc.assert(
    fc.property(
      textOf(30),
      fc.array(fc.tuple(textOf(2), textOf(3)), { minLength: 1, maxLength: 3 }),
      fc.constantFrom("UTF-8", "UTF-16LE", "UTF-16BE"),
      (content, pairs, encoding) => {
        const text = encoding === "UTF-8" ? content : `\uFEFF${content}`;
        const bytes = encodeText({ text, encoding });
        const edits = pairs.map(([oldText, newText]) => ({ oldText, newText, replaceAll: true }));
        const plan = planEdit(text, edits, { partial: true });
        fc.pre(plan.kind === "plan");
        const file = { bytes, hash: "", stat: noStat };
        const result = splicedBytes({ file, text, encoding }, plan.splices);
        expect(Buffer.from(result)).toEqual(Buffer.from(encodeText({ text: plan.text, encoding })));
        fc.pre(encoding !== "UTF-8" || !plan.text.includes("\0"));
        expect(decodeText(bytes)).toMatchObject({ text });
      },
    ),
  );
});

const noStat = { path: "", kind: "file", size: 0, mtimeMs: 0, mode: 0, version: "" } as const;
