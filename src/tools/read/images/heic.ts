import { ToolError } from "../../../core/index.ts";
import { runOffThread } from "../off-thread.ts";

export interface RawImage {
  readonly width: number;
  readonly height: number;
  /** Four bytes for each pixel. */
  readonly data: Uint8Array;
}

/** Decodes a HEIC image to upright pixels, with the optional package heic-decode. */
export async function decodeHeic(bytes: Uint8Array, signal: AbortSignal): Promise<RawImage> {
  const decoded = await runOffThread({
    packageName: "heic-decode",
    work: "(module, data) => module.default({ buffer: data })",
    data: bytes,
    signal,
    maxMegabytes: 1024,
  });
  if (isRawImage(decoded)) return decoded;
  throw new ToolError("UNAVAILABLE", "HEIC images need the package heic-decode.", {
    hint: "Install it with `npm install heic-decode sharp`, or convert the image to JPEG first.",
    retryable: false,
  });
}

function isRawImage(value: unknown): value is RawImage {
  return (
    typeof value === "object" &&
    value !== null &&
    "width" in value &&
    typeof value.width === "number" &&
    "height" in value &&
    typeof value.height === "number" &&
    "data" in value &&
    ArrayBuffer.isView(value.data)
  );
}
