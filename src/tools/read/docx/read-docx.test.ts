import { crc32, deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { limitsWith } from "../../../core/index.ts";
import { callTool } from "../../../testing/index.ts";
import { read } from "../read.ts";
import { documentText } from "./document-text.ts";

/** A ZIP archive with one deflated entry, whose headers may state a wrong size. */
function zip(name: string, content: Buffer, claimed = content.length): Buffer {
  const packed = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(crc32(content), 14);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(claimed, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(claimed, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  const label = Buffer.from(name);
  return Buffer.concat([local, label, packed, entry, label, end]);
}

const documentOf = (body: string): string =>
  `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>`;
const paragraph = (text: string, style = ""): string =>
  `<w:p><w:pPr>${style}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

const readDocx = async (bytes: Uint8Array, input: object = {}, name = "a.docx") =>
  callTool(
    read,
    { file_path: name, ...input },
    {
      files: { [name]: bytes },
      services: { limits: limitsWith({ read: { unpackedBytes: 100_000 } }) },
    },
  );

test("a Word document is read as numbered text, and paged", async () => {
  const body =
    paragraph("Report", '<w:pStyle w:val="Heading1"/>') +
    paragraph("Fish &amp; chips &#8211; &lt;cheap&gt;") +
    paragraph("one", "<w:numPr/>") +
    "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r><w:del><w:r><w:t>gone</w:t></w:r></w:del></w:p>" +
    `<w:tbl><w:tr><w:tc>${paragraph("x")}</w:tc><w:tc>${paragraph("y|z")}</w:tc></w:tr></w:tbl>`;
  const bytes = zip("word/document.xml", Buffer.from(documentOf(body)));

  const whole = await readDocx(bytes);
  const page = await readDocx(bytes, { offset: 2, limit: 1 });

  expect(whole.text).toMatchInlineSnapshot(`
    "1	# Report
    2	Fish & chips – <cheap>
    3	- one
    4	a	b
    5	c
    6	| x | y\\|z |
    (The text of a Word document; its layout and pictures are not shown.)"
  `);
  expect(whole.metadata).toMatchObject({ format: "docx", totalLines: 6 });
  expect(page.text).toContain("2\tFish & chips");
  expect(page.metadata).toMatchObject({ next: 3 });
});

test.for([
  { why: "says that it is large", claimed: 1_000_000_000 },
  { why: "says that it is small", claimed: 10 },
])("a bomb that $why is not unpacked", async ({ claimed }) => {
  const bomb = zip("word/document.xml", Buffer.alloc(5_000_000, 65), claimed);

  await expect(readDocx(bomb)).rejects.toMatchObject({
    code: "TOO_LARGE",
    message: "a.docx unpacks to more than 100 kB of text.",
  });
});

test("a damaged document is reported, and any other archive is named as one", async () => {
  const bytes = zip("word/document.xml", Buffer.from(documentOf(paragraph("x".repeat(500)))));
  const damaged = Buffer.from(bytes);
  damaged.fill(0xff, 50, 60);

  await expect(readDocx(damaged)).rejects.toMatchObject({ code: "BINARY_FILE" });
  await expect(readDocx(zip("other", Buffer.from("x")))).rejects.toMatchObject({
    code: "BINARY_FILE",
    message: "a.docx is a ZIP archive, not text.",
  });
  await expect(readDocx(bytes.subarray(0, 60))).rejects.toMatchObject({ code: "BINARY_FILE" });
  await expect(readDocx(bytes, {}, "a.zip")).rejects.toMatchObject({ code: "BINARY_FILE" });
});

test("text that only looks like tags costs no more than its length", () => {
  expect(documentText("<w:t ".repeat(400_000))).toBe("");
});

test("entities never grow, whatever a document declares", () => {
  const xml = `<!DOCTYPE x [<!ENTITY a "boom">]><w:p><w:t>&a;&#x1F600;&#9999999;&#99999999;</w:t></w:p>`;

  expect(documentText(xml)).toBe("&a;\u{1F600}\uFFFD&#99999999;");
});
