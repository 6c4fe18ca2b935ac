import { ToolError, type HostFs } from "../../core/index.ts";
import { isNotFound } from "../../text/index.ts";
import { sealed, sealOf } from "./checksum.ts";
import { newerVersion, parse } from "./log-line.ts";
import { formatVersion } from "../records.ts";

/** Content of the file with the version of the journal. */
export type FoundFormat =
  | { readonly kind: "missing" }
  /** Empty after a power failure, invalid, or unreadable; the log shows the version then. */
  | { readonly kind: "damaged" }
  | { readonly kind: "format"; readonly version: number; readonly collectedAt: number };

export function formatText(collectedAt: number): Uint8Array {
  const text = sealed(JSON.stringify({ version: formatVersion, collectedAt }));
  return new TextEncoder().encode(`${text}\n`);
}

/** UNAVAILABLE if a newer version wrote the journal. */
export async function readFormat(fs: HostFs, path: string): Promise<FoundFormat> {
  let bytes: Uint8Array;
  try {
    ({ bytes } = await fs.readFile(path, { maxBytes: maxFormatBytes }));
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return { kind: isNotFound(error) ? "missing" : "damaged" };
  }
  const end = bytes.at(-1) === lineEnd ? -1 : undefined;
  const seal = sealOf(bytes.subarray(0, end));
  const value = parse(new TextDecoder().decode(bytes));
  if (!isFormat(value) || seal?.fits === false) return { kind: "damaged" };
  const { version, collectedAt } = value;
  // Files of older versions have no checksum; files of this and all later versions have one.
  if ((seal === undefined) !== version < formatVersion) return { kind: "damaged" };
  if (version > formatVersion) throw newerVersion(path);
  return { kind: "format", version, collectedAt };
}

const lineEnd = 0x0a;
const maxFormatBytes = 64 * 1024;

function isFormat(
  value: unknown,
): value is { readonly version: number; readonly collectedAt: number } {
  if (typeof value !== "object" || value === null) return false;
  if (!("version" in value && typeof value.version === "number" && value.version >= 1))
    return false;
  return "collectedAt" in value && typeof value.collectedAt === "number";
}
