/** Words of an expression that take no argument. */
const alone =
  /^-(?:a|and|o|or|not|prune|print0?|ls|empty|readable|writable|executable|xdev|mount)$/u;

/** Sequence of tests that only makes `find` skip a directory. */
const pruning =
  /(?<=^|\n-or?\n)(?:-type\nd\n)?-(?:name\n|(?:path|wholename)\n(?<at>\*\/|\.\/))(?<name>[\w.@+-]+)\n-prune(?=\n-or?(?:\n|$))/gu;
const leavingOut =
  /(?<=^|\n)(?<!(?:^|\n)(?:!|-not)\n)(?:!|-not)\n-(?:path|wholename)\n(?<at>\*\/|\.\/)(?<name>[\w.@+-]+)\/\*(?=\n|$)/gu;

/**
 * Directories that these arguments of `find`, up to a command, exclude from the paths it passes on: a bare name at any
 * depth, or a name after `./` in the start directory. Empty if uncertain.
 */
export function passedOver(words: readonly string[]): ReadonlySet<string> {
  const first = words.findIndex((word) => /^[-!]/u.test(word));
  const isPlain = /^(?:!|-(?:not|type|i?name|path|wholename|maxdepth))$/u.test(words[first] ?? "");
  if (!isPlain || words.some((word) => /^(?:-d|-depth|-mindepth|,)$/u.test(word))) {
    return new Set();
  }
  // An operator after a test may be the test's argument.
  const isUnclear = (word: string, at: number): boolean => {
    const before = words[at - 1] ?? "";
    const isValue = before.startsWith("-") && !alone.test(before);
    return word.includes("\n") || (isValue && /^(?:!|-not|-or?)$/u.test(word));
  };
  if (words.some(isUnclear)) return new Set();
  // Paths begin with a dot only if `find` starts at `.`.
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
