/**
 * Line of a text that stands for omitted code ("// ... rest of the code ..."), if the previous text has no such line.
 * Models write it to mean "unchanged"; a file must never contain one by accident.
 */
export function omissionIn(
  text: string,
  before: string,
): { line: number; text: string } | undefined {
  for (const [index, line] of text.split("\n").entries()) {
    const trimmed = line.trim();
    if (trimmed.length <= maxChars && isOmission(trimmed) && !before.includes(trimmed)) {
      return { line: index + 1, text: trimmed };
    }
  }
  return undefined;
}

/** Maximum characters of a placeholder, which is a short remark, never a paragraph. */
const maxChars = 120;

function isOmission(line: string): boolean {
  const comment = commentLeader.exec(line)?.[0] ?? "";
  const remark = line
    .slice(comment.length)
    .replace(/\s*(?:\*\/\}?|-->|\*\)|#\}|%\})$/u, "")
    .trim();
  // Without an ellipsis, only a comment that says nothing but that all code stays is a placeholder.
  if (!/\.{3}|…/u.test(line)) return comment !== "" && saysAllStays.test(remark.toLowerCase());
  // Without a comment leader, only a line that consists of the placeholder counts.
  const isBare = comment === "";
  const inner = remark.replaceAll(/^[.…([\s]+|[.…)\]\s]+$/gu, "").toLowerCase();
  if (isBare && !/^[([<]?\s*(?:\.{3}|…)/u.test(remark)) return false;
  return phrases.some((phrase) => phrase.test(inner));
}

const commentLeader = /^(?:\/\/+|\/\*+|\{\/\*+|#+|--|;+|<!--|\(\*|%+|\*|\{#|"""|''')\s*/u;

const subject = String.raw`(?:the |your |of |all |other )*(?:existing |previous |original |remaining |other |same )*`;
const thing = String.raw`(?:code|content|contents|file|function|functions|method|methods|class|classes|implementation|lines|imports|logic|component|module|text|section|sections|document|tests?|styles|props|fields|items|entries|cases|body|config|configuration|stays?|remains?)`;

/**
 * Phrases such as "rest of the file unchanged", "(remaining methods stay the same)", "keep the existing code as is".
 */
const saysAllStays = new RegExp(
  String.raw`^[([]?(?:keep )?(?:the |all |all the )?(?:(?:rest|remainder)(?: of (?:the |your |this )?(?:existing |original )?${thing})?|(?:remaining|existing|other|previous|original) (?:existing )?${thing})(?: here| below| above)? (?:(?:is|are|remains?|stays?) )?(?:unchanged|the same|as is|as[- ]it[- ]is|as before|omitted|same as before|not shown)(?: for brevity| here)?[)\]]?\.?$`,
  "u",
);

const phrases: readonly RegExp[] = [
  new RegExp(String.raw`^(?:the )?rest (?:of )?${subject}${thing}\b`, "u"),
  /^(?:the )?rest (?:unchanged|as before|remains|stays|is (?:the same|unchanged)|omitted)/u,
  new RegExp(
    String.raw`^(?:the )?(?:existing|previous|remaining|unchanged|original|other) ${subject}${thing}\b`,
    "u",
  ),
  /^(?:everything else |all else |same )?(?:unchanged|as before|same as (?:before|above)|omitted(?: for brevity)?)$/u,
  /\b(?:remains? (?:the same|unchanged)|stays? (?:the same|unchanged)|omitted for brevity|unchanged code)\b/u,
];
