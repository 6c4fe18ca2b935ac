import type { CodeFinding, EditFindings } from "../../core/index.ts";
import { pathBelow, visibleText } from "../../text/index.ts";

/** Maximum number of problems that a model sees after an edit, and of characters of each. */
const maxLines = 10;
const maxChars = 300;

/** Lines for the model, errors first; undefined where there are none. */
export function describeFindings(
  found: readonly CodeFinding[],
  workspace: string,
): EditFindings | undefined {
  if (found.length === 0) return undefined;
  const findings = [...found].toSorted(
    (one, other) => Number(one.severity === "warning") - Number(other.severity === "warning"),
  );
  const lines = findings.slice(0, maxLines).map((each) => `- ${lineOf(each, workspace)}`);
  const more = findings.length - lines.length;
  const rest = more > 0 ? [`(${more} more)`] : [];
  return { text: ["New since this edit:", ...lines, ...rest].join("\n"), findings };
}

/** One problem in a line. */
export function lineOf(finding: CodeFinding, workspace: string): string {
  const { path, line, column, severity, message, code, source } = finding;
  const shown = visibleText(pathBelow(workspace, path) ?? path);
  const kind = code === undefined ? severity : `${severity} ${code}`;
  return `${shown}:${line}:${column} ${kind}: ${message} (${source})`.slice(0, maxChars);
}
