import { createHash } from "node:crypto";

/** A git index of version 2 that lists these paths, as git writes it. */
export function gitIndex(paths: readonly string[]): Uint8Array {
  const names = [...new Set(paths)]
    .map((path) => Buffer.from(path))
    .toSorted((one, other) => Buffer.compare(one, other));
  const header = Buffer.from("DIRC\0\0\0\u0002\0\0\0\0", "latin1");
  header.writeUInt32BE(names.length, 8);
  const bytes = Buffer.concat([header, ...names.map((name) => entry(name))]);
  return Buffer.concat([bytes, createHash("sha1").update(bytes).digest()]);
}

function entry(name: Buffer): Buffer {
  const bytes = Buffer.alloc((62 + name.length + 8) & ~7);
  bytes.writeUInt32BE(0o100644, 24);
  bytes.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  name.copy(bytes, 62);
  return bytes;
}
