/** A known word spelled like another. */
export interface SimilarWord {
  readonly word: string;
  /** Share of letter groups that both have, between 0 and 1. */
  readonly likeness: number;
}

export interface SimilarWords {
  /** Known words spelled most like this one, best first; none if it is too short, too long or like no other. */
  of(word: string): readonly SimilarWord[];
}

const minLength = 4;
const maxLength = 32;
const minLikeness = 0.5;
const maxWords = 3;

/** Indexes words by their groups of three letters, to find words with a typing error or in another form. */
export function similarWords(words: Iterable<string>): SimilarWords {
  const known: string[] = [];
  const sizes: number[] = [];
  const byGroup = new Map<string, number[]>();
  for (const word of words) {
    if (word.length < minLength || word.length > maxLength) continue;
    const index = known.push(word) - 1;
    const groups = groupsOf(word);
    sizes.push(groups.length);
    for (const group of groups) {
      const list = byGroup.get(group);
      if (list === undefined) byGroup.set(group, [index]);
      else list.push(index);
    }
  }
  return {
    of(word) {
      if (word.length < minLength || word.length > maxLength) return [];
      const groups = groupsOf(word);
      const shared = new Map<number, number>();
      for (const group of groups) {
        for (const index of byGroup.get(group) ?? [])
          shared.set(index, (shared.get(index) ?? 0) + 1);
      }
      const similar: SimilarWord[] = [];
      for (const [index, count] of shared) {
        const likeness = (2 * count) / (groups.length + (sizes[index] ?? 0));
        if (likeness >= minLikeness) similar.push({ word: known[index] ?? "", likeness });
      }
      return similar.toSorted((a, b) => b.likeness - a.likeness).slice(0, maxWords);
    },
  };
}

function groupsOf(word: string): readonly string[] {
  const marked = ` ${word} `;
  const groups = new Set<string>();
  for (let index = 0; index + 3 <= marked.length; index += 1) {
    groups.add(marked.slice(index, index + 3));
  }
  return [...groups];
}
