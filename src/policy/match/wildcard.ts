/**
 * Text with `*` for any run of characters, compiled to the pieces between the stars. Matching never
 * backtracks further than the last star.
 */
export interface Wildcard {
  readonly pieces: readonly string[];
}

export const anything: Wildcard = { pieces: ["", ""] };

export function isEverything({ pieces }: Wildcard): boolean {
  return pieces.length > 1 && pieces.every((piece) => piece === "");
}

export function compileWildcard(text: string): Wildcard {
  return { pieces: text.split(/\*+/u) };
}

export function matchesWildcard(wildcard: Wildcard, text: string): boolean {
  const { pieces } = wildcard;
  const first = pieces[0] ?? "";
  if (pieces.length === 1) return text === first;
  if (!text.startsWith(first)) return false;
  const last = pieces.at(-1) ?? "";
  let at = first.length;
  for (let index = 1; index < pieces.length - 1; index += 1) {
    const piece = pieces[index] ?? "";
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Whether some text that begins with `start` matches. */
export function mayMatchFrom(wildcard: Wildcard, start: string): boolean {
  const first = wildcard.pieces[0] ?? "";
  return first.startsWith(start) || (wildcard.pieces.length > 1 && start.startsWith(first));
}
