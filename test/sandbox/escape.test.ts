import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";
import { isHeld } from "./escape.ts";
import { attempt } from "./escape-world.ts";
import { fileEscapes } from "./escapes-files.ts";
import { systemEscapes } from "./escapes-system.ts";

const escapes = [...fileEscapes, ...systemEscapes];
const tried = drivers.filter(({ name }) => name !== "none" && name !== "srt");
const probed = new Map(
  await Promise.all(tried.map(async (driver) => [driver.name, await probeDriver(driver)] as const)),
);

test("the suite is no smaller than it promises, and tells its attempts apart", () => {
  expect(escapes.length).toBeGreaterThanOrEqual(60);
  expect(new Set(escapes.map(({ name }) => name)).size).toBe(escapes.length);
});

describe.each(tried)("out of $name", (driver) => {
  const result = probed.get(driver.name);
  const report = result?.report;
  const hasPerl = existsSync("/usr/bin/perl");
  const shown = new Set<string>();
  const listed = new Set<string>();
  const held = escapes.filter(({ concern }) => report !== undefined && isHeld(report, concern));
  let ran = 0;

  if (report === undefined || !hasPerl) {
    test.skip(
      `not tried here: ${hasPerl ? JSON.stringify(result?.missing ?? result?.probes) : "perl is missing"}`,
    );
    return;
  }

  test.for(held)("$concern: $name, because $because", async (escape) => {
    const { evidence, gaps, output } = await attempt(escape, driver);

    ran += 1;
    for (const gap of gaps) listed.add(gap);
    const admitted = escape.gaps.filter((gap) => gaps.includes(gap));
    if (evidence.length > 0) for (const gap of admitted) shown.add(gap);
    expect(admitted.length > 0 ? [] : evidence, output).toEqual([]);
  });

  afterAll(() => {
    // Some were left out by a filter on their names: nothing can be said.
    if (ran < held.length) return;
    // A gap that no attempt gets through is a gap that was closed, or never was: the report should not list it.
    const claimed = new Set(held.flatMap((escape) => escape.gaps));
    const untrue = [...listed].filter((gap) => claimed.has(gap) && !shown.has(gap));
    expect(untrue).toEqual([]);
  });
});
