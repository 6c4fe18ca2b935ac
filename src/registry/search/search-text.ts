/** Words of prose and of identifiers, in lower case and without common endings. */
export function searchTerms(text: string): readonly string[] {
  const words = text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words?.map(stem) ?? [];
}

/** Words without a request in them; they count for little in a query. */
export const smallWords: ReadonlySet<string> = new Set(
  searchTerms(
    `a an and any are as at be by can could do does for from get give have help how i if in into is it its like
     looking me my need now of on or our out please some tell that the their them then there these this those to
     tool us use using want was we what when where which with would you your`,
  ),
);

/** Removes endings that change the form of a word but not its subject. */
function stem(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/u.test(word)) return word;
  let base = word;
  if (base.endsWith("ies") && base.length > 4) base = `${base.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/u.test(base)) base = base.slice(0, -2);
  else if (base.endsWith("s") && !/(?:ss|us|is)$/u.test(base)) base = base.slice(0, -1);
  if (base.endsWith("ing") && /[aeiouy].*ing$/u.test(base) && base.length > 5) {
    base = undouble(base.slice(0, -3));
  } else if (base.endsWith("ed") && /[aeiouy].*ed$/u.test(base) && base.length > 4) {
    base = undouble(base.slice(0, -2));
  }
  // Without their last e, "create", "creating" and "created" are equal.
  return base.length > 3 && base.endsWith("e") ? base.slice(0, -1) : base;
}

function undouble(word: string): string {
  return /([bdgmnprt])\1$/u.test(word) ? word.slice(0, -1) : word;
}
