/** The tool Edit: plans the edits of a call with the engine, and writes the file. */
import { z } from "zod";
import { defineTool, seenFiles, ToolError, type Effect } from "../../core/index.ts";
import { linesAround } from "../../text/index.ts";
import { encodeText } from "../files/encodings/text-encoding.ts";
import { counted } from "../files/paths/display-path.ts";
import { readingEffects } from "../files/paths/missing-path.ts";
import {
  knownAs,
  openSeenFile,
  requireLinesSeen,
  viewAfter,
  type SeenFile,
} from "../files/seen/seen-file.ts";
import { rangesAfter, type LineRange } from "../files/seen/seen-lines.ts";
import { diffContextLines, diffForModel, unifiedDiff } from "../files/unified-diff.ts";
import { planEdit, type EditPlan, type Splice, type TextEdit } from "./plan-edit.ts";
import { countNewlines, splice } from "./text.ts";

const oldString = z.string();
const newString = z.string();
const replaceAll = z.boolean().optional();
const nearLine = z.int().min(0).optional();

const Shape = z.strictObject({
  file_path: z.string().min(1).describe("Absolute, or relative to the working directory."),
  old_string: oldString
    .optional()
    .describe("The text to replace, exactly as in the file, without line numbers."),
  new_string: newString.optional().describe("The replacement text."),
  replace_all: replaceAll.describe("Replace every occurrence."),
  near_line: nearLine.describe("Of several occurrences, change the one nearest to this line."),
  edits: z
    .array(
      z.strictObject({
        old_string: oldString,
        new_string: newString,
        replace_all: replaceAll,
        near_line: nearLine,
      }),
    )
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Several edits at once instead, all matched against the file as it is now; they must not overlap.",
    ),
  partial: z
    .boolean()
    .optional()
    .describe("With edits: make those that match and report the others."),
});

/** Validated before the user is asked: a call without a change, or with two kinds of change, is invalid. */
const Input = Shape.superRefine((input, check) => {
  const problem = problemOf(input);
  if (problem !== undefined) check.addIssue({ code: "custom", message: problem });
});

type Input = z.infer<typeof Input>;

export const edit = defineTool({
  name: "Edit",
  displayName: "Edit file",
  description: [
    "Replace text in a file: an exact text by another.",
    "Read the lines first; a file changed since then is refused.",
    "old_string must occur once, unless replace_all or near_line is set.",
    "Several changes to one file go into one call, in edits.",
    "For a new file use Write.",
  ].join(" "),
  category: "files",
  aliases: ["FileEdit"],
  searchHint: "change modify replace substitute patch fix update rename text code file",
  input: Input,
  inputAliases: {
    file_path: ["path", "filePath", "file"],
    old_string: ["oldString", "old_text", "oldText", "old_str"],
    new_string: ["newString", "new_text", "newText", "new_str"],
    replace_all: ["replaceAll"],
    near_line: ["nearLine"],
    edits: ["changes", "replacements"],
  },
  freeText: ["old_string", "new_string"],
  touches: ["read", "write"],
  staged: "files",
  needs: [seenFiles],
  async effects({ file_path }, context): Promise<readonly Effect[]> {
    return [
      ...(await readingEffects(file_path, context)),
      { kind: "write", path: file_path, scope: "file", change: "modify" },
    ];
  },
  signature: ({ file_path }) => `Edit ${file_path}`,

  async run(input, context) {
    const target = await openSeenFile(input.file_path, context, {
      name: "Edit",
      verb: "edit",
      asCaptured: true,
    });
    const plan = planned(target, input);
    requireLinesSeen(target, plan.splices.map(touched), "edit");
    const written = await context.host.fs.writeAtomic(
      target.path,
      splicedBytes(target, plan.splices),
      {
        ifMatch: target.file.hash,
        signal: context.signal,
      },
    );
    const known = knownAs(written);
    const ranges = rangesAfter(target.view, plan.splices.map(lineChange(target.text)));
    context.service(seenFiles).saw(target.path, viewAfter(target.view, { hash: known, ranges }));
    return answer(target, plan);
  },
});

/**
 * Encodes a file after splices. The bytes between the splices are copied unchanged, so that a small change of a large
 * file neither builds nor encodes its text again.
 */
export function splicedBytes(
  { file, text, encoding }: Pick<SeenFile, "file" | "text" | "encoding">,
  splices: readonly Splice[],
): Uint8Array {
  const parts: Uint8Array[] = [];
  const { bytes } = file;
  const isPlain = bytes.length === text.length;
  const bytesIn = (start: number, end: number): number => {
    if (isPlain) return end - start;
    if (typeof encoding !== "string") return encoding.encode(text.slice(start, end)).length;
    return encoding === "UTF-8" ? Buffer.byteLength(text.slice(start, end)) : (end - start) * 2;
  };
  let at = 0;
  let read = 0;
  for (const { start, end, newText } of splices) {
    const from = read + bytesIn(at, start);
    parts.push(bytes.subarray(read, from), encodeText({ text: newText, encoding }));
    read = from + bytesIn(start, end);
    at = end;
  }
  parts.push(bytes.subarray(read));
  return Buffer.concat(parts);
}

function planned({ text, shown }: SeenFile, input: Input): EditPlan {
  const plan = planEdit(text, wantedEdits(input), { partial: input.partial });
  if (plan.kind === "plan") return plan;
  throw new ToolError(plan.code, `${shown} was not changed. ${plan.message}`, {
    hint: plan.hint,
    data: plan.data,
  });
}

function problemOf({ edits, old_string, new_string }: z.infer<typeof Shape>): string | undefined {
  const isSingle = old_string !== undefined || new_string !== undefined;
  if (isSingle === (edits !== undefined)) {
    return "give either old_string and new_string, or edits";
  }
  if (edits !== undefined) return undefined;
  if (old_string === undefined) return "old_string is missing; give both old_string and new_string";
  if (new_string !== undefined) return undefined;
  return "new_string is missing; an empty one removes the text";
}

function wantedEdits({ edits, old_string = "", new_string = "", ...single }: Input): TextEdit[] {
  if (edits !== undefined) return edits.map((each) => textEdit(each));
  return [textEdit({ ...single, old_string, new_string })];
}

type SingleEdit = NonNullable<Input["edits"]>[number];

function textEdit({ old_string, new_string, replace_all, near_line }: SingleEdit): TextEdit {
  if (!old_string.isWellFormed()) {
    throw new ToolError("INVALID_INPUT", "old_string has half of a surrogate pair in it.", {
      hint: "Send whole characters; the file has no halves.",
    });
  }
  return {
    oldText: old_string,
    newText: new_string,
    replaceAll: replace_all,
    nearLine: near_line,
  };
}

function touched({ firstLine, lastLine }: Splice): LineRange {
  return [firstLine, lastLine];
}

/** Number of lines that replace the lines of a splice; a line joined with the next one counts as that line. */
function lineChange(text: string) {
  return ({ start, end, newText, firstLine, lastLine }: Splice) => {
    const breaks = countNewlines(newText, 0, newText.length);
    const startsLine = start === 0 || text.charCodeAt(start - 1) === newline;
    const leavesNothing = newText === "" ? startsLine : newText.endsWith("\n");
    const endsLine = text.charCodeAt(end - 1) === newline;
    const isWhole = end === text.length ? leavesNothing : endsLine;
    return { first: firstLine, last: lastLine, lines: isWhole ? breaks : breaks + 1 };
  };
}

const newline = 10;

/** Diff of the lines around the changes; the rest of the file is equal and not compared. */
function diffOf({ shown, text }: SeenFile, { splices }: EditPlan) {
  const [first] = splices;
  const last = splices.at(-1);
  if (first === undefined || last === undefined)
    return unifiedDiff({ path: shown, before: "", after: "" });
  const { start, end } = linesAround(text, { start: first.start, end: last.end }, diffContextLines);
  const before = text.slice(start, end);
  const moved = splices.map((each) => ({
    ...each,
    start: each.start - start,
    end: each.end - start,
  }));
  const firstLine = first.firstLine - countNewlines(text, start, first.start);
  return unifiedDiff({ path: shown, before, after: splice(before, moved), firstLine });
}

function answer(target: SeenFile, plan: EditPlan) {
  const { path, shown } = target;
  const { text: diff, added, removed } = diffOf(target, plan);
  const lines = plan.splices.map(({ firstLine }) => firstLine);
  const [first = 1] = lines;
  const where =
    lines.length === 1
      ? `at line ${first}`
      : `in ${counted(lines.length, "place")}, ${placesShown(lines)}`;
  const how =
    plan.interpretations.length === 0 ? "" : ` Read as: ${plan.interpretations.join("; ")}.`;
  const refused = plan.statuses.flatMap((status, index) =>
    status.kind === "refused"
      ? [`\nEdit ${index + 1} was not made. ${status.refusal.message} ${status.refusal.hint}`]
      : [],
  );
  // The model wrote both texts, so it needs the diff only if they were normalized.
  const seen = how === "" ? "" : `\n\n${diffForModel(diff)}`;
  return {
    content: `Edited ${shown} ${where}: ${added} added, ${removed} removed.${how}${refused.join("")}${seen}`,
    title: `Edited ${shown}`,
    summary: `${added} added, ${removed} removed`,
    metadata: {
      path,
      diff,
      added,
      removed,
      places: lines.slice(0, 100),
      replaced: lines.length,
      ...(plan.statuses.length > 1 ? { edits: plan.statuses.map(statusOf) } : {}),
      ...(how === "" ? {} : { interpretations: plan.interpretations }),
    },
  };
}

/** Maximum number of lines named in a result; of more, the first ones and the last. */
const namedPlaces = 10;

function placesShown(lines: readonly number[]): string {
  return lines.length <= namedPlaces
    ? `lines ${lines.join(", ")}`
    : `lines ${lines[0]} to ${lines.at(-1)}`;
}

function statusOf(status: EditPlan["statuses"][number]) {
  return status.kind === "applied"
    ? { status: status.kind, lines: status.lines }
    : { status: status.kind, code: status.refusal.code };
}
