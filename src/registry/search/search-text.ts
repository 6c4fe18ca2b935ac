/** Words of prose and of identifiers, in lower case and without common endings. */
export function searchTerms(text: string): readonly string[] {
  return wordsOf(text).map(stemOf);
}

/** Words of prose and of identifiers as they are written, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return (
    asciiWords(text) ??
    text
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ??
    []
  );
}

const [separator, digit, lower, upper] = [0, 1, 2, 3];

/** Kind of each ASCII character. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/u.test(character)) return lower;
  if (/[A-Z]/u.test(character)) return upper;
  return /[0-9]/u.test(character) ? digit : separator;
});

/** The same for ASCII, of which catalogs of tools mostly are: a scan is several times faster than expressions. */
function asciiWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  const { length } = text;
  let start = -1;
  let hasUpper = false;
  let before = separator;
  for (let index = 0; index <= length; index += 1) {
    const code = index < length ? text.charCodeAt(index) : 0;
    if (code >= kinds.length) return undefined;
    const kind = kinds[code] ?? separator;
    if (start >= 0 && (kind === separator || (kind === upper && isHump(text, index, before)))) {
      const word = text.slice(start, index);
      words.push(hasUpper ? word.toLowerCase() : word);
      start = -1;
      hasUpper = false;
    }
    if (kind !== separator && start < 0) start = index;
    if (kind === upper) hasUpper = true;
    before = kind;
  }
  return words;
}

/** Whether a word begins at a capital: after a small letter or a digit, or as the last one of several. */
function isHump(text: string, index: number, before: number): boolean {
  if (before !== upper) return true;
  return index + 1 < text.length && kinds[text.charCodeAt(index + 1)] === lower;
}

const maxStems = 20_000;
const maxStemLength = 64;
const stems = new Map<string, string>();

/** Stem of a word in lower case; catalogs of tools repeat their words. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = stem(word);
  if (word.length > maxStemLength) return found;
  if (stems.size >= maxStems) stems.clear();
  const own = ownText(found);
  stems.set(found === word ? own : ownText(word), own);
  return own;
}

/** A copy: a piece of a text keeps the whole text in memory. */
function ownText(piece: string): string {
  const { length } = piece;
  return String.fromCharCode(...Array.from({ length }, (_, index) => piece.charCodeAt(index)));
}

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
  base = withoutSuffix(base);
  // Without their last e, "create", "creating" and "created" are equal.
  return base.length > 3 && base.endsWith("e") ? base.slice(0, -1) : base;
}

/** Nouns of a verb: "translation" and "translator" are what translates. */
function withoutSuffix(word: string): string {
  if (word.length > 6 && /[aeiouy].*t(?:ion|or|er)$/u.test(word))
    return word.replace(/(?:ion|or|er)$/u, "");
  if (word.length > 7 && word.endsWith("ment")) return word.slice(0, -4);
  if (word.length > 6 && word.endsWith("ly")) return word.slice(0, -2);
  if (word.length > 5 && word.endsWith("er")) return undouble(word.slice(0, -2));
  return word;
}

function undouble(word: string): string {
  return /([bdgmnprt])\1$/u.test(word) ? word.slice(0, -1) : word;
}

/** Words without a request in them; they count for little in a query. */
export const smallWords: ReadonlySet<string> = new Set(
  searchTerms(
    `a an and any are as at be by can could do does for from get give have help how i if in into is it its like
     looking me my need now of on or our out please some tell s m d t ve re ll that the their them then there these this those to
     tool us use using want was we what when where which with would you your`,
  ),
);

/** Words common in requests about anything; they say less than the others. */
export const requestWords: ReadonlySet<string> = new Set(
  searchTerms(
    `able about access according across advice affordable after again ago along already also always amid another
     answer anyone anything area around ask aspect assist assistance available average away back based because
     before begin best between big bring but case certain check come common complete comprehensive concerning
     condition correct create current currently daily detail detailed different discover done down during easy
     effective efficient end enjoy enough even evening ever everyone everything example explain explore fact factor
     family far favorite feel few field find first friend full general generate given giving go goal going good
     great hear heard hello help here hey hi high home hope idea ideal important include info information interest
     interested interesting into issue just keep key kind kindly know large last later latest learn let lets life
     list long look looking lot love low made main major make many matter may mention mentioned method might mind
     month more morning most move much must near nearby necessary never new next night no not number often once one
     only option other over overall own part particular people per perfect person personal place plan popular
     possible prefer proper provide purpose put question quick quickly quite rather read real really reason recent
     recommend recommendation regarding related reliable result right same save saw search second see seem seen
     several shall share short should show simple since situation small so somebody someone something soon special
     specific start state step still suggest suggestion support sure tailored take than thank thanks thing think
     three through tip today together too took top true trying twice two type typical under understand
     understandable unique until up upon use used useful user various very want way week well where whether while
     whole wish within without work world would year yes yet`,
  ),
);
