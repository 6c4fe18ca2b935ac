import type { ProcessChunk } from "../../src/core/index.ts";

/** The exit of a program that ended well and left nothing. */
export const exit = { code: 0, signal: null, leftRunning: [] };

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** All that one reading brings. */
export async function all(chunks: AsyncIterable<ProcessChunk>): Promise<readonly ProcessChunk[]> {
  const found: ProcessChunk[] = [];
  for await (const chunk of chunks) found.push(chunk);
  return found;
}
