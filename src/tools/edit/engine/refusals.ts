import { countNewlines, splitLines } from "./lines.ts";
import { nearestBlock } from "./nearest-block.ts";
import type { Place } from "./find-places.ts";
import type { TextEdit } from "./plan-edit.ts";

export interface EditRefusal {
  readonly kind: "refusal";
  readonly code: "NO_MATCH" | "AMBIGUOUS_MATCH" | "NO_CHANGE" | "INVALID_INPUT";
  /** Which edit was refused, from 0. */
  readonly edit: number;
  readonly message: string;
  readonly hint: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Places named in a refusal. */
const maxPlaces = 20;
const maxShownChars = 160;

interface AmbiguousEdit {
  readonly edit: TextEdit;
  readonly index: number;
  readonly places: readonly Place[];
}

/** Several places match: all of them are named, so that the next call can choose. */
export function ambiguous(text: string, { edit, index, places }: AmbiguousEdit): EditRefusal {
  const lines: number[] = [];
  let line = 1;
  let counted = 0;
  for (const { start } of places) {
    line += countNewlines(text, counted, start);
    counted = start;
    lines.push(line);
  }
  const shown = lines.slice(0, maxPlaces).map((number, at) => {
    const start = places[at]?.start ?? 0;
    return `${String(number).padStart(6)}\t${lineAround(text, start)}`;
  });
  const more = lines.length > maxPlaces ? `\n(${lines.length - maxPlaces} more places)` : "";
  const tie = edit.nearLine === undefined ? "" : ` Two are equally near to line ${edit.nearLine}.`;
  return {
    kind: "refusal",
    code: "AMBIGUOUS_MATCH",
    edit: index,
    message: `old_string occurs ${places.length} times.${tie} Places:\n${shown.join("\n")}${more}`,
    hint: "Add lines around it until old_string is unique, give near_line with the line of the place you mean, or set replace_all to change every place.",
    data: { lines },
  };
}

/** Nothing matches: the nearest block is shown with its lines, and what is different about it is named. */
export function notFound(text: string, edit: TextEdit, index: number): EditRefusal {
  const artefact = knownArtefact(text, edit.oldText);
  const block = nearestBlock(text, edit.oldText);
  const refusal = { kind: "refusal", code: "NO_MATCH", edit: index } as const;
  const reason = artefact?.because ?? "";
  if (block === undefined) {
    return {
      ...refusal,
      message: `old_string does not occur in the file, and no line of it does.${reason}`,
      hint: artefact?.hint ?? "Read the file again and copy the text exactly as it stands.",
    };
  }
  const { firstLine, lines, difference } = block;
  const lastLine = firstLine + lines.length - 1;
  const numbered = lines.map((line, at) => `${String(firstLine + at).padStart(6)}\t${clip(line)}`);
  const range = lines.length === 1 ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
  return {
    ...refusal,
    message: `old_string does not occur in the file.${reason} The nearest block is ${range}:\n${numbered.join("\n")}\n${difference}`,
    hint:
      artefact?.hint ?? "Copy the block as it stands in the file into old_string and call again.",
    data: { nearest: { firstLine, lastLine } },
  };
}

interface Artefact {
  readonly because: string;
  readonly hint: string;
}

/** Says it where the text would match without a known artefact of how it was written; never applies it. */
function knownArtefact(text: string, wanted: string): Artefact | undefined {
  const plain = text.replaceAll("\r\n", "\n");
  const lines = splitLines(wanted);
  if (lines.every((line) => numberPrefix.test(line))) {
    const stripped = lines.map((line) => line.replace(numberPrefix, "")).join("\n");
    if (plain.includes(stripped)) {
      return {
        because: " It begins its lines with the line numbers that Read shows.",
        hint: "Leave the line numbers and the tab after them out of old_string and new_string.",
      };
    }
  }
  const unescaped = wanted
    .replaceAll("\\n", "\n")
    .replaceAll("\\t", "\t")
    .replaceAll('\\"', '"')
    .replaceAll("\\\\", "\\");
  if (unescaped !== wanted && plain.includes(unescaped)) {
    return {
      because: " It holds escape sequences where the file has the characters themselves.",
      hint: "Send line breaks, tabs and quotes as they are, escaped once by JSON and not twice.",
    };
  }
  return undefined;
}

const numberPrefix = /^\s*\d+\t/u;

function lineAround(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  return clip(text.slice(start, end === -1 ? text.length : end).replace(/\r$/u, ""));
}

function clip(line: string): string {
  return line.length <= maxShownChars ? line : `${line.slice(0, maxShownChars)}…`;
}
