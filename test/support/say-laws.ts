import { areLawsFull } from "./law-runs.ts";

/** Prints how many cases of each law this run draws. */
export function setup(): void {
  const text = areLawsFull
    ? "all their cases (HAFT_LAWS=full)"
    : "a tenth of their cases; HAFT_LAWS=full draws all";
  process.stdout.write(`Laws draw ${text}.\n`);
}
