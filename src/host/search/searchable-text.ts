/** A file's text for a search, decoded by its byte order mark; the text of a binary file ends at its first NUL. */
export function searchableText(bytes: Uint8Array): { text: string; isBinary: boolean } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { text: new TextDecoder("utf-16le").decode(bytes), isBinary: false };
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return { text: new TextDecoder("utf-16be").decode(bytes), isBinary: false };
  }
  const end = bytes.indexOf(0);
  const kept = end === -1 ? bytes : bytes.subarray(0, end);
  return { text: wholeText(kept), isBinary: end !== -1 };
}

/** All bytes of a file, decoded as UTF-8. */
export function wholeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
