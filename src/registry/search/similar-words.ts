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

/** Answers that are remembered: a long query asks for a word as a whole and in one of its parts. */
const maxRemembered = 256;

/** Indexes words by their groups of three letters, to find words with a typing error or in another form. */
export function similarWords(words: Iterable<string>): SimilarWords {
  const known = [...words].filter(isComparable);
  const sizes = new Uint8Array(known.length);
  const { starts, members, idOf } = groupIndex(known, sizes);
  // Groups shared with the word at hand, by known word; cleared when it is answered.
  const shared = new Uint8Array(known.length);
  const remembered = new Map<string, readonly SimilarWord[]>();

  function compare(word: string): readonly SimilarWord[] {
    const groups = groupsOf(word);
    const met: number[] = [];
    for (const group of groups) {
      const id = idOf(group);
      if (id === undefined) continue;
      for (let at = starts[id] ?? 0; at < (starts[id + 1] ?? 0); at += 1) {
        const index = members[at] ?? 0;
        const count = shared[index] ?? 0;
        if (count === 0) met.push(index);
        shared[index] = count + 1;
      }
    }
    const similar: SimilarWord[] = [];
    for (const index of met) {
      const likeness = (2 * (shared[index] ?? 0)) / (groups.length + (sizes[index] ?? 0));
      shared[index] = 0;
      if (likeness >= minLikeness) similar.push({ word: known[index] ?? "", likeness });
    }
    return similar.toSorted((a, b) => b.likeness - a.likeness).slice(0, maxWords);
  }

  return {
    of(word) {
      if (!isComparable(word)) return [];
      const answer = remembered.get(word) ?? compare(word);
      if (remembered.size >= maxRemembered) remembered.clear();
      remembered.set(word, answer);
      return answer;
    },
  };
}

function isComparable(word: string): boolean {
  return word.length >= minLength && word.length <= maxLength;
}

type Group = number | string;

interface GroupIndex {
  /** By group: where its words begin among the members. */
  readonly starts: Uint32Array;
  /** Words of all groups, as positions. */
  readonly members: Uint32Array;
  readonly idOf: (group: Group) => number | undefined;
}

/** Also writes the number of groups of each word. */
function groupIndex(words: readonly string[], sizes: Uint8Array): GroupIndex {
  const ids = new Map<Group, number>();
  const lists: number[][] = [];
  for (const [index, word] of words.entries()) {
    const groups = groupsOf(word);
    sizes[index] = groups.length;
    for (const group of groups) {
      const id = ids.get(group) ?? lists.push([]) - 1;
      ids.set(group, id);
      lists[id]?.push(index);
    }
  }
  const starts = new Uint32Array(lists.length + 1);
  for (const [id, { length }] of lists.entries()) starts[id + 1] = (starts[id] ?? 0) + length;
  return { starts, members: Uint32Array.from(lists.flat()), idOf: (group) => ids.get(group) };
}

/** Groups of three letters, each once: as a number where the letters are ASCII, which is faster to look up. */
function groupsOf(word: string): readonly Group[] {
  const marked = ` ${word} `;
  const groups: Group[] = [];
  let [first, second] = [marked.charCodeAt(0), marked.charCodeAt(1)];
  for (let index = 2; index < marked.length; index += 1) {
    const third = marked.charCodeAt(index);
    const isAscii = (first | second | third) < 128;
    const group = isAscii
      ? (first << 14) | (second << 7) | third
      : marked.slice(index - 2, index + 1);
    if (!groups.includes(group)) groups.push(group);
    [first, second] = [second, third];
  }
  return groups;
}
