/** Undoes HTML entities in texts that were encoded once. */
import { chooseNewText, relaxationsOf, type Undone } from "../candidate.ts";

const characters: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&#39;", "'"],
  ["&#x27;", "'"],
  ["&#34;", '"'],
  ["&#60;", "<"],
  ["&#62;", ">"],
  ["&#38;", "&"],
]);
const entity = /&(?:lt|gt|amp|quot|apos|#39|#x27|#34|#60|#62|#38);/gu;

const bracket = /[<>]/u;

/** Decodes HTML entities, once: `&amp;lt;` contains the entity of an ampersand and becomes `&lt;`. */
export function undoEntities(oldText: string, newText: string): Undone[] {
  const old = decoded(oldText);
  // A literal bracket shows that the text was not encoded, so an entity in it is intended.
  if (old === oldText || bracket.test(oldText)) return [];
  const undone = decoded(newText);
  return [
    {
      relaxations: relaxationsOf("entities"),
      oldText: old,
      newText: chooseNewText({
        oldText: old,
        written: newText,
        undone,
        isThroughout: !bracket.test(newText) && !mixes(oldText, newText),
        // A file with entities of its own may have those of the new text, unless one is encoded twice there too.
        mayBeWritten: decoded(old) !== old && decoded(undone) === undone,
      }),
      label: "without HTML entities",
    },
  ];
}

function decoded(text: string): string {
  return text.replaceAll(entity, (each) => characters.get(each) ?? each);
}

/** Whether new text contains a literal character that it, or the old text, also contains as an entity. */
function mixes(oldText: string, newText: string): boolean {
  const escaped = new Set(
    [...(oldText.match(entity) ?? []), ...(newText.match(entity) ?? [])].map((each) =>
      characters.get(each),
    ),
  );
  const plain = newText.replaceAll(entity, "");
  return [...escaped].some((character) => character !== undefined && plain.includes(character));
}
