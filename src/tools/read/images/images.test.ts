import { deflateSync, crc32 } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { defaultLimits, limitsWith, type ContentPart } from "../../../core/index.ts";
import { callTool } from "../../../testing/index.ts";
import { read } from "../read.ts";
import { imageFormat, readImageHeader } from "./image-header.ts";
import { asStored } from "./prepare-image.ts";
import { imageLimits } from "./read-image.ts";

const signal = new AbortController().signal;
const limits = imageLimits(defaultLimits.read);

const red = { r: 200, g: 30, b: 60 };
const blue = { r: 30, g: 30, b: 200 };
const picture = (width: number, height: number, background = red) =>
  sharp({ create: { width, height, channels: 3, background } });

/** A hand-made PNG, whose header may state wrong dimensions. */
function png(
  width: number,
  height: number,
  pixels = deflateSync(Buffer.alloc((width * 3 + 1) * height)),
) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1A\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const readImage = async (bytes: Uint8Array, name = "a.bin") =>
  callTool(read, { file_path: name }, { files: { [name]: bytes } });

test("an image is known by its bytes, and a small one is shown as it is", async () => {
  const bytes = png(4, 3);

  const result = await readImage(bytes, "misnamed.txt");

  expect(result.content).toEqual([
    { type: "text", text: `misnamed.txt: PNG image, 4 x 3, ${bytes.length} B.` },
    { type: "image", mimeType: "image/png", data: bytes.toString("base64") },
  ]);
  expect(result.metadata).toMatchObject({ width: 4, height: 3, format: "png", size: bytes.length });
});

test.for([
  { format: "jpeg", shown: "image/jpeg" },
  { format: "gif", shown: "image/gif" },
  { format: "webp", shown: "image/webp" },
  { format: "tiff", shown: "image/png" },
  { format: "avif", shown: "image/png" },
] as const)("$format is shown as $shown", async ({ format, shown }) => {
  const bytes = await picture(60, 40).toFormat(format).toBuffer();

  const { content, metadata } = await readImage(bytes);

  expect(metadata).toMatchObject({ format, width: 60, height: 40, mimeType: shown });
  const part = content[1];
  expect(part).toMatchObject({ type: "image", mimeType: shown });
  const data = part?.type === "image" ? part.data : "";
  expect(await sharp(Buffer.from(data, "base64")).metadata()).toMatchObject({ width: 60 });
});

test.for([
  { format: "jpeg", says: "shown turned upright" },
  { format: "png", says: "shown turned upright" },
  { format: "webp", says: "shown turned upright" },
  { format: "tiff", says: "shown turned upright, as PNG" },
  // The decoder already rotates it.
  { format: "avif", says: "shown as PNG" },
] as const)("a $format taken sideways is turned upright", async ({ format, says }) => {
  const bytes = await picture(60, 40)
    .composite([{ input: await picture(30, 40, blue).png().toBuffer(), left: 0, top: 0 }])
    .toFormat(format)
    .withMetadata({ orientation: 6 })
    .toBuffer();

  const { text, metadata, content } = await readImage(bytes);

  expect(text).toContain(`${format.toUpperCase()} image, 40 x 60`);
  expect(text).toContain(says);
  expect(metadata).toMatchObject({ width: 40, height: 60, shownWidth: 40, shownHeight: 60 });
  // Its left side is now at the top.
  expect(await cornersOf(content)).toEqual({ first: "blue", last: "red" });
});

/** 64 x 48, the left half red and the right one blue, to be shown rotated by 90 degrees counterclockwise. */
const heic = Buffer.from(
  "AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAABMm1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABUgAAACQAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAALZpcHJwAAAAmGlwY28AAABzaHZjQwEBYAAAAJAAAAAAAB7wAPz9+PgAAA8DoAABABhAAQwB//8BYAAAAwCQAAADAAADAB6VmAmhAAEAJ0IBAQFgAAADAJAAAAMAAAMAHqAggxZZWa5MrgEAAAMAAQAAAwAZCKIAAQAGRAHBc9CJAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAJaXJvdAEAAAAWaXBtYQAAAAAAAAABAAEDgQKDAAAALG1kYXQAAAAgKAGvCWDzmMuP/7rNf7DOHtEGxf+7Gs9W3n6vz4sv3MA=",
  "base64",
);

test("a HEIC image is shown upright, as JPEG", async () => {
  const { text, content, metadata } = await readImage(heic, "a.heic");

  expect(text).toContain("HEIC image, 48 x 64");
  expect(metadata).toMatchObject({ format: "heic", mimeType: "image/jpeg", shownWidth: 48 });
  expect(await cornersOf(content)).toEqual({ first: "blue", last: "red" });
});

/** Colors of the first and the last pixel of the image in a result. */
async function cornersOf(content: readonly ContentPart[]): Promise<object> {
  const part = content.find(({ type }) => type === "image");
  const bytes = Buffer.from(part?.type === "image" ? part.data : "", "base64");
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const colourAt = (at: number): string => ((data[at] ?? 0) > (data[at + 2] ?? 0) ? "red" : "blue");
  return { first: colourAt(0), last: colourAt(data.length - info.channels) };
}

test("a large picture is scaled to what models look at", async () => {
  const bytes = await picture(4000, 1000).png().toBuffer();

  const { text, metadata } = await readImage(bytes);

  expect(text).toContain("PNG image, 4000 x 1000");
  expect(text).toContain("scaled to 2000 x 500");
  expect(metadata).toMatchObject({ shownWidth: 2000, shownHeight: 500 });
});

test("a picture that is too many bytes is encoded smaller until it fits", async () => {
  const noise = Buffer.from(
    Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * index * 7919) % 251),
  );
  const bytes = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
    .png()
    .toBuffer();
  const given = limitsWith({ read: { imageBase64: 20_000 } });

  const { content } = await callTool(
    read,
    { file_path: "a" },
    { files: { a: bytes }, services: { limits: given } },
  );

  const part = content[1];
  expect(part?.type === "image" ? part.data.length : Infinity).toBeLessThanOrEqual(20_000);
});

test.for([
  { why: "a cut PNG", bytes: png(40, 30).subarray(0, 50), because: "BINARY_FILE" },
  {
    why: "a PNG whose pixels are rubbish",
    bytes: png(4, 3, Buffer.from("rubbish")),
    because: "BINARY_FILE",
  },
  {
    why: "a JPEG of just its marker",
    bytes: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0),
    because: "BINARY_FILE",
  },
  {
    why: "a PNG that claims a billion pixels",
    bytes: png(40_000, 30_000, Buffer.alloc(8)),
    because: "TOO_LARGE",
  },
  { why: "a GIF without pictures", bytes: Buffer.from("GIF89a"), because: "BINARY_FILE" },
])("$why is never answered", async ({ bytes, because }) => {
  await expect(readImage(bytes)).rejects.toMatchObject({
    code: because,
    message: expect.stringMatching(/[a-z)]\.$/u),
    hint: expect.stringMatching(/./u),
  });
});

test("a HEIC image that does not decode is an error", async () => {
  const box = Buffer.from(
    "\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x14ispe\0\0\0\0\0\0\0\x40\0\0\0\x30",
    "latin1",
  );

  await expect(readImage(box)).rejects.toMatchObject({ code: "BINARY_FILE" });
  expect(readImageHeader(box, "heic")).toMatchObject({ width: 64, height: 48 });
});

test.for(["png", "jpeg", "gif", "webp"] as const)(
  "without the library a small whole %s passes, a cut or a large one does not",
  async (format) => {
    const bytes = await picture(60, 40).toFormat(format).toBuffer();
    const pass = (part: Uint8Array, maxSide = 2000) =>
      asStored(
        { bytes: part, format, name: "a", limits: { ...limits, maxSide }, signal },
        readImageHeader(part, format),
      );

    expect(imageFormat(bytes)).toBe(format);
    expect(pass(bytes)).toMatchObject({ width: 60, height: 40, changes: [] });
    expect(() => pass(bytes.subarray(0, -2))).toThrow("its end is missing");
    expect(() => pass(bytes, 50)).toThrow("need the package sharp");
  },
);

test("without the library other formats name the package that shows them", async () => {
  const bytes = await picture(6, 4).tiff().toBuffer();
  const header = readImageHeader(bytes, "tiff");

  expect(header).toMatchObject({ width: 6, height: 4 });
  expect(() => asStored({ bytes, format: "tiff", name: "a", limits, signal }, header)).toThrow(
    "TIFF images need the package sharp",
  );
});

test("an image of more bytes than allowed is not read", async () => {
  const bytes = png(4, 3);
  const reading = async (imageBytes: number) =>
    await callTool(
      read,
      { file_path: "a" },
      { files: { a: bytes }, services: { limits: limitsWith({ read: { imageBytes } }) } },
    );

  await expect(reading(bytes.length)).resolves.toMatchObject({ metadata: { format: "png" } });
  await expect(reading(bytes.length - 1)).rejects.toMatchObject({ code: "TOO_LARGE" });
});

test("an SVG is text", async () => {
  const { text } = await callTool(
    read,
    { file_path: "a.svg" },
    { files: { "a.svg": "<svg></svg>" } },
  );

  expect(text).toBe("1\t<svg></svg>");
});
