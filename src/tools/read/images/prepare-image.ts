import type { Sharp as SharpInstance, Metadata } from "sharp";
import { ToolError, type ContentPart } from "../../../core/index.ts";
import { byteSize, grouped } from "../../files/paths/display-path.ts";
import { decodeHeic } from "./heic.ts";
import { readImageHeader, type ImageFormat, type ImageHeader } from "./image-header.ts";
import { loadSharp, type Sharp } from "./load-sharp.ts";

export interface ImageLimits {
  /** Maximum number of pixels of the stored image. */
  readonly maxPixels: number;
  /** Maximum side in pixels; longer sides are scaled down. */
  readonly maxSide: number;
  /** Maximum characters of base64. */
  readonly maxBase64: number;
}

export interface PreparedImage {
  readonly part: ContentPart & { readonly type: "image" };
  readonly format: ImageFormat;
  /** Dimensions of the upright image. */
  readonly width: number;
  readonly height: number;
  readonly shownWidth: number;
  readonly shownHeight: number;
  /** Changes made to the image, in a few words each. */
  readonly changes: readonly string[];
}

export interface ImageRequest {
  readonly bytes: Uint8Array;
  readonly format: ImageFormat;
  /** Name for messages. */
  readonly name: string;
  readonly limits: ImageLimits;
  readonly signal: AbortSignal;
}

/**
 * Prepares an image for a model: decodable, upright, of a size that models accept. Nothing is decoded before the
 * dimensions in the header are known to be within the limits; an image that does not decode is an error, never a
 * result.
 */
export async function prepareImage(request: ImageRequest): Promise<PreparedImage> {
  const { bytes, format, name, limits } = request;
  const header = readImageHeader(bytes, format);
  if (header.width === 0 || header.height === 0)
    throw damaged(name, format, "its header is broken");
  if (header.width * header.height > limits.maxPixels) {
    throw new ToolError(
      "TOO_LARGE",
      `${name} has ${header.width} x ${header.height} pixels; images of at most ${grouped(limits.maxPixels)} pixels are decoded.`,
      { hint: "Scale it down with a command first.", data: { ...header } },
    );
  }
  const sharp = await loadSharp();
  if (sharp === undefined) return asStored(request, header);
  return format === "heic" ? await fromHeic(request, sharp) : await decoded(request, sharp);
}

const passable: readonly ImageFormat[] = ["png", "jpeg", "gif", "webp"];

/** Image without changes. Without the library, only an image that needs no change can be shown. */
export function asStored(request: ImageRequest, header: ImageHeader): PreparedImage {
  const { bytes, format, name, limits } = request;
  const { width, height, orientation, isWhole } = header;
  if (passable.includes(format) && !isWhole) throw damaged(name, format, "its end is missing");
  const fits =
    width <= limits.maxSide && height <= limits.maxSide && base64Size(bytes) <= limits.maxBase64;
  if (!passable.includes(format) || !fits) {
    const why = fits ? `${format.toUpperCase()} images` : "Images this large";
    throw new ToolError("UNAVAILABLE", `${name} cannot be shown: ${why} need the package sharp.`, {
      hint: `Install it with \`npm install ${format === "heic" ? "heic-decode sharp" : "sharp"}\`, or make a smaller PNG of it first.`,
      retryable: false,
      data: { format, width, height },
    });
  }
  return {
    part: imagePart(bytes, format),
    format,
    width,
    height,
    shownWidth: width,
    shownHeight: height,
    changes: orientation === 1 ? [] : ["not turned upright, which needs the package sharp"],
  };
}

async function decoded(request: ImageRequest, sharp: Sharp): Promise<PreparedImage> {
  const { bytes, format, name, limits } = request;
  const open = (failOn: "warning" | "error"): SharpInstance =>
    sharp(bytes, { failOn, limitInputPixels: limits.maxPixels, animated: false });
  let about: Metadata;
  try {
    about = await open("error").metadata();
  } catch (error) {
    throw damaged(name, format, firstLine(error));
  }
  const { width, height } = about.autoOrient;
  const isUpright = (about.orientation ?? 1) === 1;
  const fits =
    width <= limits.maxSide && height <= limits.maxSide && base64Size(bytes) <= limits.maxBase64;
  if (isUpright && fits && passable.includes(format) && (await decodes(open("warning")))) {
    const size = { width, height, shownWidth: width, shownHeight: height };
    return { part: imagePart(bytes, format), format, ...size, changes: [] };
  }
  const changes = isUpright ? [] : ["turned upright"];
  if ((about.pages ?? 1) > 1) changes.push(`first of ${about.pages} pictures`);
  try {
    return await encoded({
      request,
      changes,
      width,
      height,
      open: () => open("error").autoOrient(),
    });
  } catch (error) {
    if (ToolError.is(error)) throw error;
    throw damaged(name, format, firstLine(error));
  }
}

async function decodes(image: SharpInstance): Promise<boolean> {
  try {
    await image.stats();
    return true;
  } catch {
    return false;
  }
}

async function fromHeic(request: ImageRequest, sharp: Sharp): Promise<PreparedImage> {
  const { bytes, name, format, limits, signal } = request;
  try {
    const { width, height, data } = await decodeHeic(bytes, signal);
    const open = (): SharpInstance =>
      sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: limits.maxPixels });
    return await encoded({ request, changes: [], width, height, open });
  } catch (error) {
    if (ToolError.is(error)) throw error;
    throw damaged(name, format, firstLine(error));
  }
}

interface EncodeRequest {
  readonly request: ImageRequest;
  readonly changes: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly open: () => SharpInstance;
}

/** Scales and encodes until the image fits: PNG if it stays small, otherwise JPEG, otherwise a smaller image. */
async function encoded({
  request,
  changes,
  width,
  height,
  open,
}: EncodeRequest): Promise<PreparedImage> {
  const { format, name, limits } = request;
  for (let side = limits.maxSide; side >= smallestSide; side = Math.floor(side * 0.7)) {
    const scaled = open().resize({
      width: side,
      height: side,
      fit: "inside",
      withoutEnlargement: true,
    });
    const flat = format === "jpeg" || format === "heic";
    const attempts = [
      ...(flat ? [] : [{ to: "png", image: scaled.clone().png() } as const]),
      {
        to: "jpeg",
        image: scaled.clone().flatten({ background: "#ffffff" }).jpeg({ quality: 85 }),
      } as const,
    ];
    for (const { to, image } of attempts) {
      const { data, info } = await image.toBuffer({ resolveWithObject: true });
      if (base64Size(data) > limits.maxBase64) continue;
      const isScaled = info.width < width || info.height < height;
      return {
        part: imagePart(data, to),
        format,
        width,
        height,
        shownWidth: info.width,
        shownHeight: info.height,
        changes: [
          ...changes,
          ...(isScaled ? [`scaled to ${info.width} x ${info.height}`] : []),
          ...(to === format ? [] : [`as ${to.toUpperCase()}`]),
        ],
      };
    }
  }
  throw new ToolError("TOO_LARGE", `${name} stays too large however it is scaled.`, {
    hint: "Convert it with a command first.",
  });
}

const smallestSide = 64;

function imagePart(bytes: Uint8Array, format: "png" | "jpeg" | ImageFormat): PreparedImage["part"] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  return { type: "image", data, mimeType: `image/${format}` };
}

function base64Size(bytes: Uint8Array): number {
  return Math.ceil(bytes.length / 3) * 4;
}

function damaged(name: string, format: ImageFormat, because: string): ToolError {
  return new ToolError(
    "BINARY_FILE",
    `${name} begins like a ${format.toUpperCase()} image but cannot be decoded: ${because}.`,
    {
      hint: "The file is damaged or truncated; get it again or use another one.",
      data: { format },
    },
  );
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n")[0] ?? "").replace(/[\s.:;]+$/u, "").slice(0, 200);
}

/** Describes an image: `JPEG image, 4032 x 3024, 2.1 MB; shown turned upright, scaled to 1500 x 2000`. */
export function describeImage(
  { format, width, height, changes }: PreparedImage,
  size: number,
): string {
  const done = changes.length === 0 ? "" : `; shown ${changes.join(", ")}`;
  return `${format.toUpperCase()} image, ${width} x ${height}, ${byteSize(size)}${done}`;
}
