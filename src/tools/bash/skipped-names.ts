/** Words of an expression that are given nothing. */
const alone =
  /^-(?:a|and|o|or|not|prune|print0?|ls|empty|readable|writable|executable|xdev|mount)$/u;

/** A row of tests that does no more than keep `find` out of a folder. */
const pruning =
  /(?<=^|\n-or?\n)(?:-type\nd\n)?-(?:name\n|(?:path|wholename)\n(?<at>\*\/|\.\/))(?<name>[\w.@+-]+)\n-prune(?=\n-or?(?:\n|$))/gu;
const leavingOut =
  /(?<=^|\n)(?<!(?:^|\n)(?:!|-not)\n)(?:!|-not)\n-(?:path|wholename)\n(?<at>\*\/|\.\/)(?<name>[\w.@+-]+)\/\*(?=\n|$)/gu;

/**
 * The folders that these words of `find`, up to a command, keep out of what it hands on: of a name anywhere, or behind
 * `./` where it starts. None where that is not certain.
 */
export function passedOver(words: readonly string[]): ReadonlySet<string> {
  const first = words.findIndex((word) => /^[-!]/u.test(word));
  const isPlain = /^(?:!|-(?:not|type|i?name|path|wholename|maxdepth))$/u.test(words[first] ?? "");
  if (!isPlain || words.some((word) => /^(?:-d|-depth|-mindepth|,)$/u.test(word))) {
    return new Set();
  }
  // An operator behind a test may be what that is given.
  const isUnclear = (word: string, at: number): boolean => {
    const before = words[at - 1] ?? "";
    const isValue = before.startsWith("-") && !alone.test(before);
    return word.includes("\n") || (isValue && /^(?:!|-not|-or?)$/u.test(word));
  };
  if (words.some(isUnclear)) return new Set();
  // Paths begin with a dot only where it starts there.
  const isHere = words.slice(0, first).every((word) => word === ".");
  const expression = words.slice(first);
  const rowAt = expression.findLastIndex((word) => /^-or?$/u.test(word)) + 1;
  const found = [
    ...expression.join("\n").matchAll(pruning),
    ...expression.slice(rowAt).join("\n").matchAll(leavingOut),
  ];
  return new Set(
    found.flatMap(({ groups: { at = "*/", name = "" } = {} }) => {
      if (at === "*/") return [name];
      return isHere ? [`./${name}`] : [];
    }),
  );
}
