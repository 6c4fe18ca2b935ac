interface Entries {
  /** All paths in UTF-8, concatenated. */
  readonly names: Buffer;
  /** Start of each path in `names`, then the end of the last one; ordered by the paths' bytes. */
  readonly starts: Uint32Array;
}

/**
 * The paths of a git index, looked up by their bytes: only the requested ones of a hundred thousand paths become
 * strings.
 */
export class GitIndex {
  readonly #parts: readonly Entries[];

  constructor(parts: readonly Entries[]) {
    this.#parts = parts;
  }

  /** Adds the entries of the shared index of a split index. */
  with(shared: GitIndex): GitIndex {
    return new GitIndex([...this.#parts, ...shared.#parts]);
  }

  has(path: string): boolean {
    const name = Buffer.from(path);
    return this.#parts.some((part) => isAt(part, firstFrom(part, name), name));
  }

  /** Whether a path of the index is below this directory. */
  hasBelow(directory: string): boolean {
    const prefix = Buffer.from(`${directory}/`);
    return this.#parts.some((part) => beginsAt(part, firstFrom(part, prefix), prefix));
  }

  /** The paths below a directory, "" for the top; each list is in byte order. */
  *below(directory: string): Generator<string> {
    const prefix = Buffer.from(directory === "" ? "" : `${directory}/`);
    for (const part of this.#parts) {
      for (let at = firstFrom(part, prefix); beginsAt(part, at, prefix); at += 1) {
        yield part.names.toString("utf8", part.starts[at], part.starts[at + 1]);
      }
    }
  }
}

export interface ParsedIndex {
  readonly index: GitIndex;
  /** Hash of the shared index that a split index adds to. */
  readonly shared: string | undefined;
}

/**
 * Undefined if the bytes are not an index of a known version. Checksums are not verified, because nothing is written.
 */
export function parseGitIndex(bytes: Uint8Array): ParsedIndex | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length < 12 || data.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = data.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  // An index does not state its hash algorithm, so try both.
  return parsed(data, version, sha1Bytes) ?? parsed(data, version, sha256Bytes);
}

const sha1Bytes = 20;
const sha256Bytes = 32;
/** Number of bytes of an entry before its hash. */
const beforeHash = 40;
const modeAt = 24;
const extendedFlag = 0x4000;
const longName = 0xfff;

/** Type bits of a mode. */
const types = { file: 0o10, link: 0o12, repository: 0o16, absentDirectory: 0o04 } as const;

/** Excludes submodules, whose files are in their own index, and the absent directories of a sparse checkout. */
function isFile(type: number): boolean {
  return type === types.file || type === types.link;
}

function parsed(data: Buffer, version: number, hashBytes: number): ParsedIndex | undefined {
  const count = data.readUInt32BE(8);
  const end = data.length - hashBytes;
  if (count > data.length / (beforeHash + hashBytes)) return undefined;
  const names = new NameList(count, data.length);
  let at = 12;
  let previous: Buffer = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry += 1) {
    const flagsAt = at + beforeHash + hashBytes;
    if (flagsAt + 4 > end) return undefined;
    const type = data.readUInt32BE(at + modeAt) >>> 12;
    if (!Object.values(types).some((known) => known === type)) return undefined;
    const flags = data.readUInt16BE(flagsAt);
    let nameAt = flagsAt + 2;
    if ((flags & extendedFlag) !== 0) {
      if (version < 3) return undefined;
      nameAt += 2;
    }
    let name: Buffer;
    if (version === 4) {
      const dropped = variableNumber(data, nameAt);
      const nul = data.indexOf(0, dropped.end);
      const kept = previous.length - dropped.value;
      if (nul === -1 || nul > end || kept < 0) return undefined;
      if (kept + nul - dropped.end > maxPathBytes) return undefined;
      name = Buffer.concat([previous.subarray(0, kept), data.subarray(dropped.end, nul)]);
      previous = name;
      at = nul + 1;
    } else {
      const length = flags & longName;
      const nul = length === longName ? data.indexOf(0, nameAt + longName) : nameAt + length;
      if (nul === -1 || nul >= end || data[nul] !== 0) return undefined;
      name = data.subarray(nameAt, nul);
      // Entries are padded with at least one NUL to a multiple of eight bytes.
      at += (nul - at + 8) & ~7;
    }
    // Replaced entries of a split index have no name.
    if (name.length > 0 && isFile(type)) {
      // Git writes no such path, so another program wrote this index.
      if (!isPathBelow(name) || !names.add(name)) return undefined;
    }
  }
  if (at > end) return undefined;
  return {
    index: new GitIndex([names.entries()]),
    shared: sharedHash(data, { at, end, hashBytes }),
  };
}

/** Maximum length of a path in bytes, twice the limit of Linux. */
const maxPathBytes = 8192;
const slash = 0x2f;
const dot = 0x2e;

/** Whether a path stays below the top and outside `.git`: the index may come from an untrusted repository. */
function isPathBelow(name: Buffer): boolean {
  if (name.length > maxPathBytes || name.includes(0)) return false;
  for (let start = 0; start <= name.length;) {
    const next = name.indexOf(slash, start);
    const end = next === -1 ? name.length : next;
    if (end === start) return false;
    if (name[start] === dot && isReserved(name.toString("latin1", start, end))) return false;
    start = end + 1;
  }
  return true;
}

function isReserved(component: string): boolean {
  return component === "." || component === ".." || component.toLowerCase() === ".git";
}

/** Maximum number of bytes of all paths: a small index with prefix compression could expand beyond memory. */
const maxNameBytes = 268_435_456;

class NameList {
  readonly #starts: Uint32Array;
  #names: Buffer;
  #count = 0;
  #length = 0;

  constructor(count: number, bytes: number) {
    this.#starts = new Uint32Array(count + 1);
    this.#names = Buffer.allocUnsafe(bytes);
  }

  /** Adds a path; false if there is no room for it. */
  add(name: Buffer): boolean {
    if (this.#length + name.length > maxNameBytes) return false;
    // Prefix compression can make the names longer than the index file.
    if (this.#length + name.length > this.#names.length) {
      const larger = Buffer.allocUnsafe((this.#length + name.length) * 2);
      this.#names.copy(larger, 0, 0, this.#length);
      this.#names = larger;
    }
    name.copy(this.#names, this.#length);
    this.#length += name.length;
    this.#count += 1;
    this.#starts[this.#count] = this.#length;
    return true;
  }

  entries(): Entries {
    return {
      names: Buffer.from(this.#names.subarray(0, this.#length)),
      starts: this.#starts.subarray(0, this.#count + 1),
    };
  }
}

/**
 * A variable-length number of version 4: seven bits per byte, and each further byte adds one to the preceding value.
 */
function variableNumber(data: Buffer, start: number): { value: number; end: number } {
  let at = start;
  let byte = data[at] ?? 0;
  let value = byte & 127;
  while ((byte & 128) !== 0 && at - start < 5) {
    at += 1;
    byte = data[at] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end: at + 1 };
}

/** Hash in the `link` extension, if the index is split. */
function sharedHash(
  data: Buffer,
  { at: start, end, hashBytes }: { readonly at: number; readonly end: number; hashBytes: number },
): string | undefined {
  for (let at = start; at + 8 <= end; at += 8 + data.readUInt32BE(at + 4)) {
    if (data.toString("latin1", at, at + 4) !== "link") continue;
    const hash = data.subarray(at + 8, at + 8 + hashBytes);
    return hash.some((byte) => byte !== 0) ? hash.toString("hex") : undefined;
  }
  return undefined;
}

/** Position of the first path that is not before these bytes. */
function firstFrom({ names, starts }: Entries, wanted: Buffer): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = names.compare(wanted, 0, wanted.length, starts[middle], starts[middle + 1]);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function beginsAt({ names, starts }: Entries, at: number, prefix: Buffer): boolean {
  const start = starts[at] ?? 0;
  const end = starts[at + 1];
  if (end === undefined || end - start < prefix.length) return false;
  return names.compare(prefix, 0, prefix.length, start, start + prefix.length) === 0;
}

function isAt(entries: Entries, at: number, name: Buffer): boolean {
  const start = entries.starts[at] ?? 0;
  return beginsAt(entries, at, name) && entries.starts[at + 1] === start + name.length;
}
