/**
 * Estimates the tokens of a text: one for four letters of most scripts, one for each Chinese, Japanese or Korean
 * character.
 */
export function estimateTokens(text: string): number {
  // Most text has as many bytes as characters and then contains no wide character.
  const isAscii = Buffer.byteLength(text) === text.length;
  const wide = isAscii ? 0 : (text.match(wideCharacter)?.length ?? 0);
  return Math.ceil((text.length - wide) / 4) + wide;
}

const wideCharacter = /[\u1100-\u11FF\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFF00-\uFFEF]/gu;
