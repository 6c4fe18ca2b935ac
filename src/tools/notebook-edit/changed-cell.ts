import { findNodeAtLocation, parseTree, type Node } from "jsonc-parser";
import { isJsonObject, joinedText } from "../files/notebook/notebook.ts";
import { writeJson, type JsonStyle } from "./json-style.ts";

export interface CellContent {
  readonly type: string;
  readonly source: string;
  readonly style: JsonStyle;
}

/** Depth of a cell in a notebook: in the list of cells, which is in the object. */
const cellDepth = 2;

/**
 * Text of a cell with another source. Only the values that change are rewritten: the source and, for code, the outputs,
 * which no longer belong to it. Another type has other keys, so such a cell is rewritten completely.
 */
export function changedCell(cell: string, content: CellContent): string {
  const root = parseTree(cell);
  const before: unknown = JSON.parse(cell);
  if (root === undefined || !isJsonObject(before)) return cell;
  if (before["cell_type"] !== content.type) return retyped(before, content);
  const isCode = content.type === "code";
  const changed = withValues(cell, root, {
    ...(isCode ? { execution_count: null, outputs: [] } : {}),
    source: sourceValue(before["source"], content.source),
    style: content.style,
  });
  // A cell without the key, or with two of them, has no single position for the source.
  return sourceOf(changed) === content.source ? changed : retyped(before, content);
}

function sourceOf(cell: string): string | undefined {
  const value: unknown = JSON.parse(cell);
  return isJsonObject(value) && "source" in value ? joinedText(value["source"]) : undefined;
}

interface Values {
  readonly execution_count?: null;
  readonly outputs?: readonly unknown[];
  readonly source: unknown;
  readonly style: JsonStyle;
}

function withValues(cell: string, root: Node, { style, ...values }: Values): string {
  const places = Object.entries(values)
    .map(([key, value]) => ({ value, node: findNodeAtLocation(root, [key]) }))
    .toSorted((one, other) => (other.node?.offset ?? 0) - (one.node?.offset ?? 0));
  let text = cell;
  for (const { value, node } of places) {
    if (node === undefined) continue;
    const written = writeJson(value, style, cellDepth + 1);
    text = text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
  }
  return text;
}

function retyped(before: Readonly<Record<string, unknown>>, content: CellContent): string {
  const { type, source, style } = content;
  const { execution_count: _count, outputs: _outputs, attachments, ...kept } = before;
  const cell = {
    ...kept,
    ...(type === "code" ? { execution_count: null, outputs: [] } : {}),
    // Images pasted into Markdown have no meaning in code.
    ...(type === "code" || attachments === undefined ? {} : { attachments }),
    cell_type: type,
    source: sourceValue(before["source"], source),
  };
  const sorted = Object.entries(cell).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return writeJson(Object.fromEntries(sorted), style, cellDepth);
}

/** Source in the form that the cell uses: one string, or a list of lines. */
function sourceValue(before: unknown, source: string): unknown {
  if (typeof before === "string") return source;
  return source.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}
