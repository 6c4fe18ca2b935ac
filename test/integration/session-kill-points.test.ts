import { expect, test } from "vitest";
import { killAgentsAndContinue } from "../support/kill-agents.ts";
import { killAndContinue, type KillPoint } from "../support/kill-points.ts";
import { areLawsFull, tried } from "../support/law-runs.ts";

/** A developer's run kills at each second point, thus early and late. */
const every = areLawsFull ? 1 : 2;

// `npm run kill-points` kills at 100 random points.
const points: readonly KillPoint[] = [
  { event: 3, delayMs: 0 },
  { event: 40, delayMs: 3 },
  { event: 77, delayMs: 1 },
  { event: 121, delayMs: 6 },
];

test.each(tried(points, every))(
  "killed after event $event and $delayMs ms, a run continues to the same tree, and nothing outside runs twice",
  async (point) => {
    const { wasKilled, problems } = await killAndContinue(point);

    expect(problems).toEqual([]);
    expect(wasKilled).toBe(true);
  },
);

// `npm run kill-points -- 60 1 agents` kills at 60 random points.
const treePoints: readonly KillPoint[] = [
  { event: 30, delayMs: 4 },
  { event: 137, delayMs: 8 },
  { event: 210, delayMs: 2 },
];

test.each(tried(treePoints, every))(
  "killed after event $event and $delayMs ms, a tree of agents continues, and each end is reported once",
  async (point) => {
    const { wasKilled, problems } = await killAgentsAndContinue(point);

    expect(problems).toEqual([]);
    expect(wasKilled).toBe(true);
  },
);
