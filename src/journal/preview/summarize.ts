import { pathBelow } from "../../text/index.ts";
import { type PreviewChange } from "../../core/index.ts";

/** Maximum number of changes that a summary names. */
const maxNamed = 3;
/** Maximum number of characters of all diffs together. */
const maxDiffChars = 200_000;

/** One-sentence summary of the changes. */
export function summaryOfChanges(
  changes: readonly PreviewChange[],
  { cwd, more = 0 }: { readonly cwd: string; readonly more?: number },
): string {
  if (changes.length + more === 0) return "Would change nothing.";
  if (changes.length + more <= maxNamed) {
    return `Would ${changes.map((change) => nameOf(change, cwd)).join(", ")}.`;
  }
  const counts = new Map<string, number>();
  for (const { change } of changes) counts.set(verbs[change], (counts.get(verbs[change]) ?? 0) + 1);
  const parts = [...counts].map(([verb, count]) => `${verb} ${count}`);
  const rest = more === 0 ? "" : `, and ${more} more`;
  return `Would ${parts.join(", ")} paths${rest}.`;
}

function nameOf(
  { change, path, below, added = 0, removed = 0 }: PreviewChange,
  cwd: string,
): string {
  const shown = pathBelow(cwd, path) ?? path;
  const lines = added + removed === 0 ? "" : ` (${added} added, ${removed} removed)`;
  const all = below === undefined ? "" : ` with the ${below.entries} entries below`;
  return `${verbs[change]} ${shown}${all}${lines}`;
}

const verbs = {
  created: "create",
  modified: "change",
  deleted: "delete",
  mode: "change the mode of",
  replaced: "replace",
  unknown: "write to",
} as const satisfies Record<PreviewChange["change"], string>;

/** All changes, each with its diff, or on one line if it has none. */
export function textOfChanges(
  changes: readonly PreviewChange[],
  { cwd, more = 0 }: { readonly cwd: string; readonly more?: number },
): string {
  const parts: string[] = [];
  let chars = 0;
  for (const [index, change] of changes.entries()) {
    const part = partOf(change, cwd);
    chars += part.length;
    if (chars > maxDiffChars) {
      parts.push(`(${changes.length - index + more} more changes are not shown)\n`);
      return parts.join("");
    }
    parts.push(part);
  }
  if (more > 0) parts.push(`(${more} more changes are not shown)\n`);
  return parts.join("");
}

function partOf(change: PreviewChange, cwd: string): string {
  const facts = factsOf(change);
  if (change.diff === undefined || facts !== "") {
    return `${pathBelow(cwd, change.path) ?? change.path}: ${words[change.change]}${facts}\n${change.diff ?? ""}`;
  }
  return change.diff;
}

/** Facts that a diff does not show. */
function factsOf({
  kind,
  change,
  mode,
  target,
  below,
  because,
  isProtected,
  size,
}: PreviewChange): string {
  const facts: string[] = [];
  if (kind !== "file" && kind !== undefined) facts.push(kindWords[kind]);
  if (mode !== undefined && change !== "created") facts.push(`mode ${mode.toString(8)}`);
  if (target !== undefined) facts.push(`to ${target}`);
  if (below !== undefined) facts.push(`${below.entries} entries, ${below.bytes} bytes`);
  if (because !== undefined) facts.push(`${size ?? 0} bytes; ${because.replace(/\.$/u, "")}`);
  if (isProtected === true) facts.push("protected");
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}

const kindWords = {
  directory: "a directory",
  symlink: "a link",
  special: "neither file, directory nor link",
} as const;

const words = {
  created: "created",
  modified: "changed",
  deleted: "deleted",
  mode: "mode changed",
  replaced: "replaced",
  unknown: "written to",
} as const satisfies Record<PreviewChange["change"], string>;
