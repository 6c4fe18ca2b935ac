import type { CheckedFile } from "../../../index.ts";
import { visibleText } from "../../print/visible-text.ts";
import type { Terminal } from "../../terminal.ts";

/** Describes a problem in one line: `error: skills/a/SKILL.md:2: …`, or `error: line 2: …` for what is checked itself. */
export function describeProblem(
  { severity, message, hint, file = "", line }: CheckedFile["problems"][number],
  terminal: Terminal,
): string {
  const place = [file, line ?? ""].filter((each) => each !== "").join(":");
  const shown = file === "" && line !== undefined ? `line ${line}` : place;
  const text = [shown === "" ? message : `${shown}: ${message}`, hint ?? ""].join(" ").trimEnd();
  const mark = terminal.style(severity === "error" ? "red" : "yellow", severity, "out");
  return `${mark}: ${visibleText(text)}`;
}
