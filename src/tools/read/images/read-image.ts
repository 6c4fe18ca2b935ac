import { seenFiles, limits, type ToolContext, type ToolResult } from "../../../core/index.ts";
import { wholeFile, type ReadTarget } from "../whole-file.ts";
import { imageFormat, type ImageFormat } from "./image-header.ts";
import { describeImage, prepareImage, type ImageLimits } from "./prepare-image.ts";

/** Returns an image as an image part, with a line that describes it and the changes made to it. */
export async function readImage(
  target: ReadTarget,
  format: ImageFormat,
  context: ToolContext,
): Promise<ToolResult> {
  const { stat, shown } = target;
  const { read } = context.service(limits);
  const { bytes, hash } = await wholeFile(
    target,
    { maxBytes: read.imageBytes, what: "images" },
    context,
  );
  const image = await prepareImage({
    bytes,
    format: imageFormat(bytes) ?? format,
    name: shown,
    limits: imageLimits(read),
    signal: context.signal,
  });
  context.service(seenFiles).saw(stat.path, { hash });
  const about = describeImage(image, bytes.length);
  return {
    content: [{ type: "text", text: `${shown}: ${about}.` }, image.part],
    title: `Read ${shown}`,
    summary: `${image.format.toUpperCase()} image, ${image.width} x ${image.height}`,
    metadata: {
      path: stat.path,
      size: bytes.length,
      format: image.format,
      mimeType: image.part.mimeType,
      width: image.width,
      height: image.height,
      shownWidth: image.shownWidth,
      shownHeight: image.shownHeight,
      // Approximate number of tokens that present models count for an image.
      estimatedTokens: Math.ceil((image.shownWidth * image.shownHeight) / 750),
    },
  };
}

export function imageLimits(read: {
  readonly imagePixels: number;
  readonly imageSide: number;
  readonly imageBase64: number;
}): ImageLimits {
  return { maxPixels: read.imagePixels, maxSide: read.imageSide, maxBase64: read.imageBase64 };
}
