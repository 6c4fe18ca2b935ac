import type { Effect } from "../../core/index.ts";
import { describeEffect, type Boundary } from "../../policy/index.ts";
import { visibleText } from "../../text/index.ts";
import type {
  FileProblem,
  HiddenText,
  PackagePart,
  ReviewedFile,
  ExplainedProgram,
} from "../../workspace/index.ts";

/** Contents of a plugin or skill, as shown to the user before it is installed. */
export interface Reviewed {
  readonly files: readonly ReviewedFile[];
  readonly hidden: readonly HiddenText[];
  readonly parts: readonly PackagePart[];
  readonly programs: readonly ExplainedProgram[];
  readonly problems: readonly (FileProblem & { readonly file?: string })[];
}

/** Maximum number of effects that are shown of one program; --json has all. */
const maxEffects = 12;

/** Lines of a review: parts and their tools, files, programs with their effects, hidden texts, problems. */
export function describeReview(review: Reviewed, boundary: Boundary): readonly string[] {
  const { files, hidden, parts, programs, problems } = review;
  const changes = files.filter(({ change }) => change !== "unchanged");
  const unchanged = files.length - changes.length;
  return [
    ...section("It contains:", parts.map(partLine)),
    ...section("Files:", [
      ...changes.map(({ change, path, size, isExecutable }) => {
        const run = isExecutable ? ", executable" : "";
        return `${change.padEnd(9)} ${visibleText(path)} (${size} bytes${run})`;
      }),
      ...(unchanged === 0 ? [] : [`${unchanged} unchanged`]),
    ]),
    ...section("Programs it brings, and what each would do:", programLines(programs, boundary)),
    ...section(
      "Text that is hidden when it is shown:",
      hidden.map(({ path, line, text }) => visibleText(`${path}:${line}: ${text}`)),
    ),
    ...section("Problems:", problems.map(problemLine)),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function partLine({ kind, name, tools, effects }: PackagePart): string {
  const limit = tools === undefined ? "" : `, with the tools ${tools.join(", ")}`;
  const may =
    effects === undefined
      ? ""
      : `, which may ${effects.length === 0 ? "only compute" : effects.join(", ")}`;
  return visibleText(`${kind} ${name}${limit}${may}`);
}

function programLines(
  programs: readonly ExplainedProgram[],
  boundary: Boundary,
): readonly string[] {
  return programs.flatMap(({ name, isNew, effects, decision }) => [
    visibleText(
      `${name}${isNew ? " (new)" : ""}${decision === undefined ? "" : `: ${says[decision]}`}`,
    ),
    ...effectLines(effects, boundary).map((line) => `  ${visibleText(line)}`),
  ]);
}

const says = {
  allow: "allowed as a command",
  ask: "asked about as a command",
  deny: "denied as a command",
};

function effectLines(effects: readonly Effect[], boundary: Boundary): readonly string[] {
  const lines = [...new Set(effects.map((effect) => describeEffect(effect, boundary)))];
  const more = lines.length - maxEffects;
  return more > 0 ? [...lines.slice(0, maxEffects), `and ${more} more`] : lines;
}

function problemLine({
  severity,
  message,
  hint,
  file,
  line,
}: Reviewed["problems"][number]): string {
  const place = [file ?? "", line ?? ""].filter((each) => each !== "").join(":");
  const at = place === "" ? "" : `${place}: `;
  return visibleText(`${severity}: ${at}${message}${hint === undefined ? "" : ` ${hint}`}`);
}
