import { expect, test } from "vitest";
import { limitsWith } from "../../../core/index.ts";
import { callTool } from "../../../testing/index.ts";
import { read } from "../read.ts";

/** A hand-made PDF with a line of text on each page. */
function pdf(texts: readonly string[]): Uint8Array {
  const kids = texts.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...texts.flatMap((text, index) => {
      const stream = text === "" ? "" : `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  return Buffer.from(
    `${body}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    "latin1",
  );
}

const many = pdf(Array.from({ length: 30 }, (_, index) => `Text of ${index + 1}`));

const readPdf = async (bytes: Uint8Array, input: object = {}, given: object = {}) =>
  callTool(
    read,
    { file_path: "a.pdf", ...input },
    { files: { "a.pdf": bytes }, services: { limits: limitsWith({ read: given }) } },
  );

test("the text of a short document comes page by page", async () => {
  const { text, metadata } = await readPdf(pdf(["Hello", ""]));

  expect(text).toMatchInlineSnapshot(`
    "[page 1 of 2]
    Hello

    [page 2 of 2]
    (This page has no text; it may be a scanned picture.)"
  `);
  expect(metadata).toMatchObject({ pages: 2, shownPages: [1, 2], format: "pdf" });
});

test("a document of more than ten pages wants to know which", async () => {
  await expect(readPdf(many)).rejects.toMatchObject({
    code: "TOO_LARGE",
    message: "a.pdf has 30 pages, too many to read whole.",
    hint: 'Read some of them with pages, such as "1-20"; at most 20 in one call.',
  });
});

test("pages are chosen by number, at most twenty in one call", async () => {
  const some = await readPdf(many, { pages: "3,28-" });
  const most = await readPdf(many, { pages: "2-30" });

  expect(some.metadata).toMatchObject({ shownPages: [3, 28, 29, 30] });
  expect(some.text).toContain("[page 3 of 30]\nText of 3\n\n[page 28 of 30]");
  expect(most.metadata).toMatchObject({ next: 22 });
  expect(most.text).toMatch(/\(About \d+ tokens shown\. Continue with pages 22-\.\)$/u);
  await expect(readPdf(many, { pages: "31" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "a.pdf has only 30 pages.",
  });
});

test("a page's worth of text ends the answer at a page of the document", async () => {
  const { metadata } = await readPdf(pdf(["a".repeat(12), "b".repeat(12)]), {}, { pageBytes: 20 });

  expect(metadata).toMatchObject({ shownPages: [1], next: 2 });
});

test.for([
  { why: "truncated", bytes: Buffer.from("%PDF-1.4\nnothing more"), code: "BINARY_FILE" },
  { why: "too large", bytes: Buffer.concat([many, Buffer.alloc(10_000)]), code: "TOO_LARGE" },
])("a document that is $why is refused", async ({ bytes, code }) => {
  await expect(readPdf(bytes, {}, { documentBytes: 10_000 })).rejects.toMatchObject({
    code,
    hint: expect.stringMatching(/./u),
  });
});

test("a stopped call stops its thread", async () => {
  const call = callTool(
    read,
    { file_path: "a.pdf", pages: "1-20" },
    { files: { "a.pdf": many }, signal: AbortSignal.timeout(1) },
  );

  await expect(call).rejects.toMatchObject({ code: "ABORTED" });
});
