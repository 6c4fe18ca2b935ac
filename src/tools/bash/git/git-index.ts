/** Bytes of an entry before its hash. */
const beforeHash = 40;
const sha1Bytes = 20;
const sha256Bytes = 32;
const hasMoreFlags = 0x40_00;
/** Part of the flags with the length of a name, which is this value for longer names, too. */
const longName = 0x0f_ff;

const cutOff = "an index that is cut off";
const notRead = "an index in a form that is not read";

/** Bytes of the hashes in the index of a repository with these settings; undefined if unknown. */
export function hashBytesOf(settings: Readonly<Record<string, string>>): number | undefined {
  const format = settings["extensions.objectformat"];
  if (format === undefined || format === "sha1") return sha1Bytes;
  // Some versions of git ignore the extension in a repository of version 0.
  const isRead = settings["core.repositoryformatversion"] === "1";
  return format === "sha256" && isRead ? sha256Bytes : undefined;
}

/**
 * First name in an index of git that leads out of the working tree, which git never writes but obeys: `git grep` and
 * `git diff` open it. Anything else than an index, or one that git may read differently, is a reason by itself.
 */
export function strayName(index: Uint8Array, hashBytes: number | undefined): string | undefined {
  let stray: string | undefined;
  const because = eachName(index, hashBytes, (name) => {
    if (leadsOut(name)) stray ??= new TextDecoder().decode(name);
  });
  return stray ?? because;
}

/** Names in an index; undefined for one that is not read, and for one that lists directories instead of their files. */
export function namesIn(
  index: Uint8Array,
  hashBytes: number | undefined,
): readonly string[] | undefined {
  const names: string[] = [];
  const decoder = new TextDecoder();
  let isListed = true;
  const because = eachName(index, hashBytes, (bytes) => {
    const name = decoder.decode(bytes);
    isListed &&= name !== "" && !name.endsWith("/");
    names.push(name);
  });
  return because === undefined && isListed ? names : undefined;
}

/** Shows every name of an index; returns why git may see other names, if so. */
function eachName(
  index: Uint8Array,
  hashBytes: number | undefined,
  see: (name: Uint8Array) => void,
): string | undefined {
  if (hashBytes === undefined) return "hashes of an unknown kind";
  if (index.byteLength < 12) return cutOff;
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const version = view.getUint32(4);
  const isIndex = new TextDecoder("latin1").decode(index.subarray(0, 4)) === "DIRC";
  if (!isIndex || version < 2 || version > 4) return notRead;
  let previous: Uint8Array = new Uint8Array();
  let at = 12;
  for (let count = view.getUint32(8); count > 0; count--) {
    const flagsAt = at + beforeHash + hashBytes;
    if (flagsAt + 2 > index.byteLength) return cutOff;
    const flags = view.getUint16(flagsAt);
    let start = flagsAt + ((flags & hasMoreFlags) === 0 ? 2 : 4);
    let kept = 0;
    if (version === 4) {
      const dropped = numberAt(index, start);
      kept = previous.length - dropped.value;
      start = dropped.end;
      if (kept < 0) return notRead;
    }
    const end = index.indexOf(0, start);
    if (end === -1) return cutOff;
    // git goes by the length that the flags state, and only for long names by the end of the name.
    const length = kept + end - start;
    if (Math.min(length, longName) !== (flags & longName)) return notRead;
    const rest = index.subarray(start, end);
    const name = kept === 0 ? rest : joined(previous.subarray(0, kept), rest);
    if (name.length > maxNameBytes) return notRead;
    see(name);
    previous = name;
    at = version === 4 ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8;
  }
  return partsOf(index, at, hashBytes);
}

/** Maximum bytes of a name; more than any system opens. */
const maxNameBytes = 8192;

function joined(kept: Uint8Array, rest: Uint8Array): Uint8Array {
  const name = new Uint8Array(kept.length + rest.length);
  name.set(kept);
  name.set(rest, kept.length);
  return name;
}

/** Number of seven bits per byte, in which each further byte adds one to the value before it. */
function numberAt(
  index: Uint8Array,
  start: number,
): { readonly value: number; readonly end: number } {
  let at = start;
  let byte = index[at] ?? 0;
  let value = byte & 127;
  while (byte > 127) {
    at++;
    byte = index[at] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end: at + 1 };
}

/**
 * Walks the extensions after the entries, each with a name of four letters and a size; returns why git may read entries
 * elsewhere: of another index, or of this one from other places on.
 */
function partsOf(index: Uint8Array, start: number, hashBytes: number): string | undefined {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const nameAt = (at: number): string =>
    new TextDecoder("latin1").decode(index.subarray(at, at + 4));
  const end = index.byteLength - hashBytes;
  for (let at = start; at + 8 <= end; at += 8 + view.getUint32(at + 4)) {
    if (nameAt(at) === "link") return "an index in parts";
    if (nameAt(at) === "IEOT") return notRead;
  }
  // git looks here for the end of the entries, whatever comes before it.
  const mark = end - hashBytes - 12;
  const isElsewhere = mark >= 12 && nameAt(mark) === "EOIE" && view.getUint32(mark + 8) !== start;
  return isElsewhere ? notRead : undefined;
}

const slash = 47;
const dot = 46;

/** Whether a name is absolute or has a part of two dots. */
function leadsOut(name: Uint8Array): boolean {
  if (name[0] === slash) return true;
  for (let at = 0; at < name.length - 1; at++) {
    if (name[at] !== dot || name[at + 1] !== dot) continue;
    const begins = at === 0 || name[at - 1] === slash;
    const ends = at + 2 === name.length || name[at + 2] === slash;
    if (begins && ends) return true;
  }
  return false;
}
