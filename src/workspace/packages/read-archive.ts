import {
  checkPath,
  createPackage,
  invalidPackage,
  notAFile,
  packageLimits,
  tooManyBytes,
  tooManyFiles,
  type Package,
  type PackageFile,
} from "./package.ts";

/**
 * Reads an archive, zip or tar.gz, as a package. Throws INVALID_INPUT for what is not an archive, links, devices, paths
 * that lead out of it and entries whose two names differ, TOO_LARGE for more than a package may have.
 */
export function readArchive(bytes: Uint8Array): Package {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isZip && !isGzip) throw invalidPackage("The download is not a zip or tar.gz archive.");
  const files = isZip ? zipFiles(Buffer.from(bytes)) : tarFiles(unzipped(bytes, "gunzipSync"));
  return withoutTop(createPackage(files));
}

/** Archives often hold one directory with everything in it. */
function withoutTop(found: Package): Package {
  const [first] = found.files;
  const top = first?.path.split("/")[0] ?? "";
  const isBelow = found.files.every(({ path }) => path.startsWith(`${top}/`));
  if (!isBelow || first === undefined) return found;
  const files = found.files.map((file) => ({ ...file, path: file.path.slice(top.length + 1) }));
  return createPackage(files);
}

/** Room for the headers of a tar file. */
const maxTarBytes = packageLimits.bytes + packageLimits.files * 2048;

function unzipped(bytes: Uint8Array, how: "gunzipSync" | "inflateRawSync"): Buffer {
  const maxOutputLength = how === "gunzipSync" ? maxTarBytes : packageLimits.bytes;
  try {
    return process.getBuiltinModule("node:zlib")[how](bytes, { maxOutputLength });
  } catch (error) {
    if (error instanceof RangeError) throw tooManyBytes();
    throw invalidPackage("The archive is damaged.", error);
  }
}

const block = 512;

function tarFiles(tar: Buffer): readonly PackageFile[] {
  const files: PackageFile[] = [];
  let at = 0;
  let longName: string | undefined;
  while (at + block <= tar.length) {
    const header = tar.subarray(at, at + block);
    if (header.every((byte) => byte === 0)) break;
    checkHeader(header);
    const size = octal(header.subarray(124, 136));
    const start = at + block;
    if (start + size > tar.length) throw invalidPackage("The archive ends too early.");
    const content = tar.subarray(start, start + size);
    at = start + Math.ceil(size / block) * block;
    const type = String.fromCharCode(header[156] ?? 0).replace("\0", "0");
    if (type === "L") longName = text(content);
    else if (type === "x") longName = paxPath(text(content)) ?? longName;
    if ("Lxg".includes(type)) continue;
    const prefix = text(header.subarray(345, 500));
    const short = text(header.subarray(0, 100));
    const name = longName ?? (prefix === "" ? short : `${prefix}/${short}`);
    longName = undefined;
    const isExecutable = (octal(header.subarray(100, 108)) & 0o111) !== 0;
    addFile(files, { name, kind: tarKinds[type] ?? "special file", bytes: content, isExecutable });
  }
  return files;
}

const tarKinds: Readonly<Record<string, string>> = {
  "0": "file",
  "1": "hard link",
  "2": "link",
  "3": "device",
  "4": "device",
  "5": "directory",
  "6": "pipe",
  "7": "file",
};

interface Entry {
  readonly name: string;
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

function addFile(files: PackageFile[], { name, kind, bytes, isExecutable }: Entry): void {
  const path = name.replace(/^(?:\.\/)+/u, "").replace(/\/$/u, "");
  if (kind === "directory") {
    if (path !== "" && path !== ".") checkPath(path);
    return;
  }
  checkPath(path);
  if (kind !== "file") throw notAFile(path, kind);
  if (files.length === packageLimits.files) throw tooManyFiles();
  files.push({ path, bytes: new Uint8Array(bytes), isExecutable });
}

function checkHeader(header: Buffer): void {
  const given = octal(header.subarray(148, 156));
  let sum = 0;
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte;
  if (sum !== given) throw invalidPackage("The archive is damaged.");
}

function octal(field: Buffer): number {
  const digits = text(field).trim();
  if (/^[0-7]{1,11}$/u.test(digits)) return Number.parseInt(digits, 8);
  throw invalidPackage("The archive is damaged.");
}

/** Text up to the first NUL. */
function text(field: Uint8Array): string {
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
}

function paxPath(records: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/u.exec(records)?.[1];
}

function zipFiles(zip: Buffer): readonly PackageFile[] {
  const end = endOfDirectory(zip);
  const count = number16(zip, end + 10);
  if (count > packageLimits.files * 2) throw tooManyFiles();
  const files: PackageFile[] = [];
  let total = 0;
  let at = number32(zip, end + 16);
  for (let index = 0; index < count; index += 1) {
    if (number32(zip, at) !== 0x02_01_4b_50) throw invalidPackage("The archive is damaged.");
    const [flags, method] = [number16(zip, at + 8), number16(zip, at + 10)];
    const crc = number32(zip, at + 16);
    const packed = number32(zip, at + 20);
    const length = number16(zip, at + 28);
    const attributes = number32(zip, at + 38) >>> 16;
    const local = number32(zip, at + 42);
    const name = zip.subarray(at + 46, at + 46 + length);
    at += 46 + length + number16(zip, at + 30) + number16(zip, at + 32);
    if ((flags & 1) !== 0) throw invalidPackage("The archive is encrypted.");
    const shown = new TextDecoder().decode(name);
    const kind = shown.endsWith("/") ? "directory" : (zipKinds[attributes & 0xf000] ?? "file");
    const isExecutable = (attributes & 0o111) !== 0;
    const start = contentStart(zip, { local, name });
    const data = zip.subarray(start, start + packed);
    if (kind !== "file") {
      addFile(files, { name: shown, kind, bytes: data, isExecutable });
      continue;
    }
    const content =
      method === 0 ? data : method === 8 ? unzipped(data, "inflateRawSync") : undefined;
    if (content === undefined) throw invalidPackage("The archive is packed in an unknown way.");
    total += content.length;
    if (total > packageLimits.bytes) throw tooManyBytes();
    if (process.getBuiltinModule("node:zlib").crc32(content) !== crc) {
      throw invalidPackage(`The content of ${JSON.stringify(shown)} is damaged.`);
    }
    addFile(files, { name: shown, kind, bytes: content, isExecutable });
  }
  return files;
}

const zipKinds: Readonly<Record<number, string>> = {
  0x1000: "pipe",
  0x2000: "device",
  0x4000: "directory",
  0x6000: "device",
  0xa000: "link",
  0xc000: "socket",
};

/** Start of an entry's content. Its name there must be the one of the directory, or programs would see another file. */
function contentStart(
  zip: Buffer,
  { local, name }: { readonly local: number; readonly name: Buffer },
): number {
  if (number32(zip, local) !== 0x04_03_4b_50) throw invalidPackage("The archive is damaged.");
  const length = number16(zip, local + 26);
  const start = local + 30;
  if (!zip.subarray(start, start + length).equals(name)) {
    throw invalidPackage("An entry of the archive has two names.");
  }
  return start + length + number16(zip, local + 28);
}

/** Longest comment at the end of a zip file. */
const maxComment = 65_535;

function endOfDirectory(zip: Buffer): number {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - maxComment); at -= 1) {
    if (zip.readUInt32LE(at) === 0x06_05_4b_50) return at;
  }
  throw invalidPackage("The archive is damaged.");
}

function number16(zip: Buffer, at: number): number {
  if (at < 0 || at + 2 > zip.length) throw invalidPackage("The archive is damaged.");
  return zip.readUInt16LE(at);
}

function number32(zip: Buffer, at: number): number {
  if (at < 0 || at + 4 > zip.length) throw invalidPackage("The archive is damaged.");
  return zip.readUInt32LE(at);
}
