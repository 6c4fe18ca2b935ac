import { z } from "zod";
import {
  defineTool,
  seenFiles,
  limits,
  ToolError,
  type Effect,
  type FileView,
  type HostFile,
  type ToolContext,
} from "../../core/index.ts";
import { byteSize, displayPath } from "../files/paths/display-path.ts";
import { missingPath, readingEffects, statOrMissing } from "../files/paths/missing-path.ts";
import { lastShownNumber, noteCellNumbers } from "../files/notebook/cell-numbers.ts";
import { parseNotebook, type Notebook } from "../files/notebook/notebook.ts";
import { firstUnseen, rangesAfter } from "../files/seen/seen-lines.ts";
import { decodeExactly, encode } from "../files/encodings/text-format.ts";
import { lineCount, unifiedDiff } from "../files/unified-diff.ts";
import { changeNotebook, type CellChange, type NotebookChange } from "./change-notebook.ts";
import { namedCell } from "./find-cell.ts";
import { isDirectory, notRegularFile } from "../files/paths/wrong-kind.ts";
import { changedSinceRead, notRead } from "../files/seen/not-as-read.ts";

const Input = z.strictObject({
  notebook_path: z.string().min(1).describe("Absolute, or relative to the working directory."),
  cell_id: z.string().optional().describe("As Read shows it."),
  cell_number: z
    .int()
    .min(0)
    .optional()
    .describe("From 1, for a cell without id. Insert takes 0 too."),
  new_source: z.string().optional().describe("The complete source."),
  cell_type: z.enum(["code", "markdown", "raw"]).optional().describe("Needed to insert."),
  edit_mode: z
    .enum(["replace", "insert", "delete"])
    .optional()
    .describe("replace (default), insert after the cell or at the beginning, delete."),
});

type Input = z.infer<typeof Input>;

export const notebookEdit = defineTool({
  name: "NotebookEdit",
  displayName: "Edit notebook",
  description: [
    "Replace, insert or delete one cell of a Jupyter notebook.",
    "Read the notebook first.",
    "A code cell that changes loses its outputs.",
  ].join(" "),
  category: "files",
  searchHint: "jupyter ipynb cell change insert delete python notebook",
  input: Input,
  inputAliases: {
    notebook_path: ["file_path", "path", "notebookPath"],
    new_source: ["source", "content", "newSource"],
    cell_id: ["cellId", "id"],
    cell_number: ["cellNumber"],
    cell_type: ["cellType"],
    edit_mode: ["editMode", "mode"],
  },
  freeText: ["new_source"],
  touches: ["read", "write"],
  staged: "files",
  needs: [seenFiles],
  async effects({ notebook_path: path }, context): Promise<readonly Effect[]> {
    return [
      ...(await readingEffects(path, context)),
      { kind: "write", path, scope: "file", change: "modify" },
    ];
  },
  signature: ({ notebook_path, edit_mode = "replace", cell_id, cell_number }) =>
    `NotebookEdit ${notebook_path} ${edit_mode} ${cell_id ?? cell_number ?? "at the beginning"}`,

  async run(input, context) {
    const target = await openTarget(input, context);
    const changed = planned(target, input);
    const { path, file, view, lastTold } = target;
    const written = await context.host.fs.writeAtomic(path, encode(changed.text), {
      ifMatch: file.hash,
      signal: context.signal,
    });
    const { hash } = written;
    const ranges = rangesAfter(view, [changed.lines]);
    const state = context.service(seenFiles);
    state.saw(path, ranges === undefined ? { hash } : { hash, ranges });
    const last = Math.min(lastTold, changed.lastUnmoved);
    noteCellNumbers(state, { path, hash }, Number.isFinite(last) ? last : undefined);
    return answer(target, changed);
  },
});

interface Target {
  readonly path: string;
  readonly shown: string;
  readonly file: HostFile;
  readonly view: FileView;
  readonly notebook: Notebook;
  /** Last cell whose number is the one reported to the caller. */
  readonly lastTold: number;
}

async function openTarget({ notebook_path }: Input, context: ToolContext): Promise<Target> {
  const { host, cwd, signal } = context;
  const path = await host.fs.canonical(notebook_path, { base: cwd, signal });
  const shown = displayPath(path, cwd);
  const stat = await statOrMissing(path, context);
  if (stat === undefined) throw await missingPath(path, context, notebook_path);
  if (stat.kind === "directory") {
    throw isDirectory(shown, "Name a notebook.");
  }
  if (stat.kind !== "file") {
    throw notRegularFile(shown, stat.kind, "Only regular files can be edited.");
  }
  const { documentBytes } = context.service(limits).read;
  if (stat.size > documentBytes) {
    throw new ToolError(
      "TOO_LARGE",
      `${shown} has ${byteSize(stat.size)}; NotebookEdit takes at most ${byteSize(documentBytes)}.`,
      {
        hint: "Clear its outputs first, for example with jupyter nbconvert --clear-output.",
        data: { size: stat.size },
      },
    );
  }
  const state = context.service(seenFiles);
  const view = state.view(path);
  if (view === undefined) throw notRead(shown, "Read it, then edit.");
  const file = await host.fs.readFile(path, { maxBytes: documentBytes, asCaptured: true, signal });
  if (view.hash !== file.hash && view.hash !== `version:${file.stat.version}`) {
    throw changedSinceRead(shown, "edit");
  }
  const text = decodeExactly(file.bytes);
  if (text === undefined) {
    throw new ToolError("BINARY_FILE", `${shown} is not UTF-8 text.`, {
      hint: "A notebook is JSON in UTF-8; convert it first.",
    });
  }
  const lastTold = lastShownNumber(state, { path, hash: file.hash });
  return { path, shown, file, view, notebook: parseNotebook(text, shown), lastTold };
}

function planned(target: Target, input: Input): NotebookChange {
  const { notebook, shown, view } = target;
  const change = wantedChange(target, input);
  if (change.cell !== undefined) {
    const unseen = firstUnseen(view, change.cell.lines);
    if (unseen !== undefined) {
      throw new ToolError("NOT_READ", `Cell ${change.cell.number} of ${shown} was not read.`, {
        hint: `Read it with pages "${change.cell.number}", then edit.`,
      });
    }
  }
  return changeNotebook(notebook, change);
}

function wantedChange(target: Target, input: Input): CellChange {
  const { edit_mode: mode = "replace", new_source: source, cell_type: type } = input;
  const cell = namedCell(target, input);
  if (mode === "insert") {
    if (type === undefined) throw missing("cell_type", "A new cell needs its type.");
    return { mode, after: cell, cell: undefined, type, source: required(source) };
  }
  if (cell === undefined) throw missing("cell_id", `To ${mode} a cell, name it.`);
  if (mode === "delete") return { mode, cell };
  const isSame = source === cell.source && (type === undefined || type === cell.type);
  if (isSame) {
    throw new ToolError(
      "NO_CHANGE",
      `Cell ${cell.number} of ${target.shown} already says exactly this.`,
      {
        hint: "Nothing to do.",
      },
    );
  }
  return { mode, cell, type: type ?? cell.type, source: required(source) };
}

function required(source: string | undefined): string {
  if (source === undefined) throw missing("new_source", "The new source of the cell is missing.");
  return source;
}

function missing(key: string, message: string): ToolError {
  return new ToolError("INVALID_INPUT", message, { hint: `Give ${key}.`, data: { key } });
}

function diffOf({ shown }: Target, { number, before, after }: NotebookChange) {
  const path = `${shown}#cell-${number}`;
  return unifiedDiff({ path, before: ended(before), after: ended(after) });
}

function ended(source: string): string {
  return source === "" || source.endsWith("\n") ? source : `${source}\n`;
}

function answer(target: Target, changed: NotebookChange) {
  const { path, shown } = target;
  const diff = diffOf(target, changed);
  return {
    content: `${changed.what} in ${shown}.${changed.note}`,
    title: `Edited ${shown}`,
    summary: `${changed.what}: ${diff.added} added, ${diff.removed} removed`,
    metadata: {
      path,
      cell: changed.number,
      ...(changed.id === undefined ? {} : { cellId: changed.id }),
      mode: changed.mode,
      cells: changed.cells,
      diff: diff.text,
      added: diff.added,
      removed: diff.removed,
      lines: lineCount(changed.after),
    },
  };
}
