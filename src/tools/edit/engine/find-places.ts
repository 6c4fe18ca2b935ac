/** UTF-16 offsets, half open. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface FoundPlaces {
  readonly places: readonly Place[];
  /** How the wanted text was read; undefined when it matched literally. */
  readonly interpretation: string | undefined;
}

/**
 * Where `wanted` stands in `text`. Literal matches are final: a looser reading is tried only where there
 * is none. `apart` takes places from left to right without overlap; otherwise overlapping ones count too,
 * because a text that overlaps itself has more than one place to change.
 */
export function findPlaces(text: string, wanted: string, apart: boolean): FoundPlaces {
  const literal = occurrences(text, wanted, apart);
  if (literal.length > 0) return { places: literal, interpretation: undefined };
  return {
    places: acrossLineEndings(text, wanted, apart),
    interpretation: "line endings taken as those of the file",
  };
}

function occurrences(text: string, wanted: string, apart: boolean): Place[] {
  const places: Place[] = [];
  const step = apart ? wanted.length : 1;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) {
    places.push({ start: at, end: at + wanted.length });
  }
  return places;
}

/** Compares with every `\r\n` read as `\n` on both sides, and maps the places back. */
function acrossLineEndings(text: string, wanted: string, apart: boolean): Place[] {
  if (!text.includes("\r\n") && !wanted.includes("\r\n")) return [];
  const folded = text.replaceAll("\r\n", "\n");
  const found = occurrences(folded, wanted.replaceAll("\r\n", "\n"), apart);
  if (found.length === 0 || folded.length === text.length) return found;
  const dropped = droppedBefore(text);
  return found.map(({ start, end }) => ({
    start: start + dropped(start),
    end: end + dropped(end),
  }));
}

/** How many carriage returns were dropped before an offset of the folded text. */
function droppedBefore(text: string): (offset: number) => number {
  // Offsets, in the folded text, of the line breaks that lost one.
  const breaks: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) {
    breaks.push(at - breaks.length);
  }
  return (offset) => {
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((breaks[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
