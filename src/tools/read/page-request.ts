import { ToolError, type Limits } from "../../core/index.ts";
import { counted } from "../files/paths/display-path.ts";
import type { Page, PageRequest } from "./page.ts";
import { wantedLines, type ReadInput } from "./read-input.ts";

/** Page that a call requests of a text, within the limits. */
export function pageRequest(input: ReadInput, read: Limits["read"]): PageRequest {
  return {
    ranges: wantedLines(input, read.lines),
    maxBytes: read.pageBytes,
    window: { column: Math.max(1, input.column ?? 1), chars: read.lineChars },
    countAll: true,
  };
}

/** Throws INVALID_INPUT if the whole request is past the end. */
export function requireLines({ shownLines, totalLines }: Page, shown: string): void {
  if (shownLines > 0 || totalLines === undefined || totalLines === 0) return;
  throw new ToolError("INVALID_INPUT", `${shown} has only ${counted(totalLines, "line")}.`, {
    hint: `Use an offset of at most ${totalLines}.`,
    data: { totalLines },
  });
}
