/** Numbers of the first directory of a TIFF structure, which Exif uses too; empty if the bytes are not one. */
export function tiffTags(bytes: Uint8Array): ReadonlyMap<number, number> {
  const tags = new Map<number, number>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 8) return tags;
  const order = view.getUint16(0);
  if (order !== littleEndian && order !== bigEndian) return tags;
  const isLittle = order === littleEndian;
  if (view.getUint16(2, isLittle) !== 42) return tags;
  const start = view.getUint32(4, isLittle);
  if (start + 2 > bytes.length) return tags;
  const count = view.getUint16(start, isLittle);
  for (let index = 0; index < count; index++) {
    const at = start + 2 + index * 12;
    if (at + 12 > bytes.length) return tags;
    const type = view.getUint16(at + 2, isLittle);
    if (type === shortType)
      tags.set(view.getUint16(at, isLittle), view.getUint16(at + 8, isLittle));
    if (type === longType) tags.set(view.getUint16(at, isLittle), view.getUint32(at + 8, isLittle));
  }
  return tags;
}

const littleEndian = 0x4949;
const bigEndian = 0x4d4d;
const shortType = 3;
const longType = 4;

export const widthTag = 0x100;
export const heightTag = 0x101;
export const orientationTag = 0x112;
