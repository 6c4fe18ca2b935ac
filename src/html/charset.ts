/** Bytes in which an encoding is declared, as browsers read them. */
const scannedBytes = 1024;

/** Encoding that the beginning of an HTML or XML document declares. */
export function htmlCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, scannedBytes));
  const text = head.toString("latin1");
  const found =
    /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/iu.exec(text) ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)["']/iu.exec(text);
  const name = found?.[1]?.toLowerCase();
  // A document whose declaration can be read as ASCII is not UTF-16.
  return name?.startsWith("utf-16") === true ? "utf-8" : name;
}
