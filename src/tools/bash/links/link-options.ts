import type { Argument } from "../../../shell/index.ts";

/** Whether a program follows every link that it meets, also below its operands. */
export function followsLinks(name: string, words: readonly Argument[]): boolean {
  const has = (option: RegExp): boolean => hasWord(words, option);
  if (/^(?:z?[ef]|[gz])?grep$/u.test(name)) return has(/^-[a-zA-Z]*R|^--der/u);
  if (/^(?:rg|fd|fdfind)$/u.test(name)) return has(/^-[a-zA-Z]*L|^--fol/u);
  if (isFind(name)) return has(/^-[HLP]*L[HLP]*$|^-follow$/u);
  if (name === "du") return has(/^-[a-zA-Z0]*L|^--dereference$/u);
  if (isListing(name)) return has(/^-[a-zA-Z]*R|^--rec/u) && has(/^-[a-zA-Z]*L|^--deref/u);
  if (/^g?cp$/u.test(name)) return has(/^-[a-zA-Z]*[LH]|^--deref/u);
  if (/^ch(?:mod|own|grp)$/u.test(name)) return has(/^-[a-zA-Z]*[LH]|^--deref/u);
  if (name === "ag") return has(/^-[a-zA-Z]*f|^--fol/u);
  if (name === "tree") return has(/^-[a-zA-Z]*l/u);
  return comparesFolders(name) && has(/^-[a-zA-Z]*r|^--rec/u);
}

/** Whether an option makes a program that otherwise sees links as links follow those among its operands. */
export function followsOperands(name: string, words: readonly Argument[]): boolean {
  const has = (option: RegExp): boolean => hasWord(words, option);
  if (isFind(name)) return has(/^-[A-Zdsx]*H/u);
  if (name === "du") return has(/^-[a-zA-Z0]*[DH]|^--dereference-/u);
  if (name === "stat") return has(/^-[a-zA-Z]*L|^--d/u);
  return isListing(name) && has(/^-[a-zA-Z1]*[HL]|^--deref/u);
}

/** Whether a program opens what the links directly in a named directory lead to, even if it goes no deeper. */
export function opensEntries(name: string, words: readonly Argument[]): boolean {
  if (comparesFolders(name)) return true;
  const has = (option: RegExp): boolean => hasWord(words, option);
  // Only with more than the names does a listing tell something about the targets.
  const tellsMore = has(/^-[a-zA-Z1]*[gilnos]|^--(?:fo|fu|nu|in|si)/u);
  return isListing(name) && tellsMore && has(/^-[a-zA-Z1]*L|^--dereference$/u);
}

/** Whether `ls` lists the directories to which the links in its operands lead. */
export function listsTargets(name: string, words: readonly Argument[]): boolean {
  if (!isListing(name)) return false;
  const options = optionsOf(words);
  const has = (option: RegExp): boolean => options.some((word) => option.test(word));
  // A later option may undo an earlier one; versions differ in which.
  if (has(/^-\w*d|^--directory$/u)) return false;
  if (has(/^-\w*[lgno]|^--format=(?:long|verbose)$/u)) {
    return hasWord(words, /^-[a-zA-Z1]*[1Cfmx]|^--fo(?!rmat=(?:long|verbose)$)/u);
  }
  const isMarked = has(/^-\w*F|^--classify(?:=always)?$/u);
  return !isMarked || hasWord(words, /^-[a-zA-Z1]*p|^--(?:fi|in|cl(?!assify(?:=always)?$))/u);
}

/** Options of `ls`, without what may be the value of one: `-I -l` leaves out names, and lists briefly. */
function optionsOf(words: readonly Argument[]): readonly string[] {
  const end = words.indexOf("--");
  return words.slice(0, end === -1 ? undefined : end).flatMap((word, at, all) => {
    const before = all[at - 1] ?? "";
    const mayBeValue = typeof before !== "string" || /^-\w*[ITw]$|^--[^=]+$/u.test(before);
    return typeof word !== "string" || mayBeValue
      ? []
      : word.replace(/^(-[a-zA-Z1]*?)[ITw].*$/su, "$1");
  });
}

function isFind(name: string): boolean {
  return /^g?find$/u.test(name);
}

function isListing(name: string): boolean {
  return /^(?:g?ls|v?dir)$/u.test(name);
}

function comparesFolders(name: string): boolean {
  return /^(?:color|z)?diff$/u.test(name);
}

function hasWord(words: readonly Argument[], option: RegExp): boolean {
  return words.some((word) => typeof word === "string" && option.test(word));
}
