import type { CorpusSize } from "./corpus.ts";
import type { Goal } from "./rows.ts";

/** Figure of one subject in one row. */
export type Figure =
  | {
      readonly kind: "figure";
      /** Medians over the rounds. */
      readonly ms: number;
      /** Of each round to the floor of that round. */
      readonly ratio: number;
      /** Fastest by the floor's fastest, which a busy machine disturbs least. */
      readonly fastest: number;
      readonly bytes: number;
      readonly peakMb: number | undefined;
    }
  | { readonly kind: "failed"; readonly because: string };

export interface RowReport {
  readonly name: string;
  readonly goal: Goal;
  readonly figures: ReadonlyMap<string, Figure>;
}

/**
 * All rows in one table: what each subject reached as the median of its ratios and, in brackets, its fastest round by
 * the floor's, then the goal, whether haft reached it, and whether it was ahead of every peer.
 */
export function reportTable(
  rows: readonly RowReport[],
  { subjects, size }: { readonly subjects: readonly string[]; readonly size: CorpusSize },
): string {
  const header = ["row", ...subjects, "goal", "reached", "ahead of peers"];
  const lines = rows.map(({ name, goal, figures }) => [
    name,
    ...subjects.map((subject) => cell(subject, figures.get(subject))),
    goalText(goal, size),
    reachedText(goal, figures, size),
    aheadText(figures),
  ]);
  return [header, header.map(() => "---"), ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function cell(subject: string, figure: Figure | undefined): string {
  if (figure === undefined || figure.kind === "failed") return "-";
  const peak = figure.peakMb === undefined ? "" : `, ${figure.peakMb.toFixed(0)} MiB`;
  return subject === "floor" || Number.isNaN(figure.ratio)
    ? `${figure.ms.toFixed(2)} ms${peak}`
    : `${figure.ratio.toFixed(2)}x (${figure.fastest.toFixed(2)})${peak}`;
}

function goalText(goal: Goal, size: CorpusSize): string {
  const { ms, peakMb, overFloorMb, bytes } = goal;
  const ratio = ratioGoal(goal, size);
  return [
    ratio === undefined ? [] : [`${ratio}x`],
    ms === undefined ? [] : [`${ms} ms`],
    peakMb === undefined ? [] : [`${peakMb} MiB`],
    overFloorMb === undefined ? [] : [`floor + ${overFloorMb} MiB`],
    bytes === undefined ? [] : [`${bytes} B`],
  ]
    .flat()
    .join(", ");
}

function ratioGoal({ ratio, bigRatio }: Goal, size: CorpusSize): number | undefined {
  return size === "big" ? (bigRatio ?? ratio) : ratio;
}

function reachedText(goal: Goal, figures: ReadonlyMap<string, Figure>, size: CorpusSize): string {
  const ours = figures.get("haft");
  if (ours === undefined || ours.kind === "failed") return "no answer";
  const floor = figures.get("floor");
  const floorPeak = floor?.kind === "figure" ? floor.peakMb : undefined;
  const ratio = ratioGoal(goal, size) ?? Infinity;
  const most =
    goal.peakMb ??
    (goal.overFloorMb === undefined ? Infinity : (floorPeak ?? 0) + goal.overFloorMb);
  const missed = [
    ours.ratio > ratio ? [ours.fastest > ratio ? "time" : "time, but not the fastest round"] : [],
    ours.ms > (goal.ms ?? Infinity) ? ["time"] : [],
    (ours.peakMb ?? 0) > most ? ["memory"] : [],
    ours.bytes > (goal.bytes ?? Infinity) ? ["size"] : [],
  ].flat();
  return missed.length === 0 ? "yes" : `no: ${missed.join(", ")}`;
}

/** Behind by the median and by the fastest round: on a busy machine one of them alone says little. */
function isFaster(one: Took, other: Took): boolean {
  return one.ms < other.ms && one.fastest < other.fastest;
}

type Took = Pick<Extract<Figure, { readonly kind: "figure" }>, "ms" | "fastest">;

function aheadText(figures: ReadonlyMap<string, Figure>): string {
  const ours = figures.get("haft");
  if (ours === undefined || ours.kind === "failed") return "no";
  const faster = [...figures].flatMap(([name, figure]) =>
    !name.startsWith("floor") &&
    name !== "haft" &&
    figure.kind === "figure" &&
    isFaster(figure, ours)
      ? [name]
      : [],
  );
  return faster.length === 0 ? "yes" : `behind ${faster.join(", ")}`;
}
