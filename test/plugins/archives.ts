import { crc32, gzipSync } from "node:zlib";

/** An entry of an archive; `type` is the letter of its kind in a tar file. */
export interface ArchiveEntry {
  readonly name: string;
  readonly text?: string;
  readonly type?: string;
  readonly mode?: number;
  /** Name at the content, where it differs from the one in the directory of a zip file. */
  readonly otherName?: string;
}

/** A tar.gz archive of these entries. */
export function tarGz(entries: readonly ArchiveEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, text = "", type = "0", mode = 0o644 }) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(`${mode.toString(8).padStart(7, "0")}\0`, 100);
    header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write(" ".repeat(8), 148);
    header.write(type, 156);
    header.write("ustar\0", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const kinds: Readonly<Record<string, number>> = { "0": 0x8000, "2": 0xa000, "3": 0x2000 };

/** A zip archive of these entries, not compressed. */
export function zip(entries: readonly ArchiveEntry[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const { name, text = "", type = "0", mode = 0o644, otherName = name } of entries) {
    const content = Buffer.from(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04_03_4b_50, 0);
    local.writeUInt16LE(otherName.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02_01_4b_50, 0);
    central.writeUInt32LE(crc32(content), 16);
    central.writeUInt32LE(content.length, 20);
    central.writeUInt32LE(content.length, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE((((kinds[type] ?? 0) | mode) << 16) >>> 0, 38);
    central.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(otherName), content);
    centrals.push(central, Buffer.from(name));
    at += 30 + otherName.length + content.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}
