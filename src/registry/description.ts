import type { LayeredDescription } from "../core/index.ts";

export interface RenderedDescription {
  /** One sentence. */
  readonly summary: string;
  /** Full text shown to the model. */
  readonly text: string;
}

/** Maximum length of a summary in characters; a longer one is cut at a word boundary. */
const maxSummary = 200;

/** Renders a description, plain or layered, as text. Only this function does so. */
export function renderDescription(description: string | LayeredDescription): RenderedDescription {
  if (typeof description === "string") {
    const text = description.trim();
    return { summary: firstSentence(text), text };
  }
  const { short, long, usageNotes = [], examples = [], important = [] } = description;
  const sections = [
    short.trim(),
    long?.trim() ?? "",
    section("Notes:", usageNotes),
    section(
      "Examples:",
      examples.map(({ input, note }) => {
        const json = JSON.stringify(input);
        return note === undefined ? json : `${note}: ${json}`;
      }),
    ),
    section("Important:", important),
  ];
  return {
    summary: firstSentence(short.trim()),
    text: sections.filter((text) => text !== "").join("\n\n"),
  };
}

function section(heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return [heading, ...lines.map((line) => `- ${line.trim()}`)].join("\n");
}

function firstSentence(text: string): string {
  const [line = ""] = text.split("\n", 1);
  // A full stop ends a sentence only before whitespace and a capital or digit, so "e.g. this" does not end one.
  const end = /[.!?](?=\s+[\p{Lu}\p{N}])/u.exec(line);
  const sentence = end === null ? line.trim() : line.slice(0, end.index + 1);
  if (sentence.length <= maxSummary) return sentence;
  const cut = sentence.slice(0, maxSummary - 1);
  const space = cut.lastIndexOf(" ");
  return `${space > 0 ? cut.slice(0, space) : cut}…`;
}
