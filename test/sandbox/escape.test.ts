import { existsSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";
import { isHeld } from "./escape.ts";
import { confinedHost } from "../support/confined-host.ts";
import { attempt, patienceMs, type RunIn } from "./escape-world.ts";
import { fileEscapes } from "./escapes-files.ts";
import { protectedEscapes } from "./escapes-protected.ts";
import { systemEscapes } from "./escapes-system.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { stride, tried } from "../support/law-runs.ts";

leaveNothing();

const all = [...fileEscapes, ...protectedEscapes, ...systemEscapes];
/** A run tries at least each fourth; HAFT_ESCAPE_EVERY=N tries every Nth. */
const every = Number(process.env["HAFT_ESCAPE_EVERY"] ?? Math.min(4, stride));
const escapes = tried(all, every);
/** The drivers tried: all of them, unless HAFT_ESCAPE_DRIVERS names some. */
const wanted = process.env["HAFT_ESCAPE_DRIVERS"]?.split(",");
const hasPerl = existsSync("/usr/bin/perl");
// `none` holds nothing, srt is another's to test, and sandbox-exec is a program of macOS alone.
const elsewhere = process.platform === "darwin" ? [] : ["sandbox-exec"];
const results = await Promise.all(
  drivers
    .filter(({ name }) => !["none", "srt", ...elsewhere].includes(name))
    .filter(({ name }) => wanted?.includes(name) ?? true)
    .map(async (driver) => ({ ...(await probeDriver(driver)), driver })),
);
const here = results.flatMap(({ driver, report }) =>
  report === undefined || !hasPerl
    ? []
    : [{ driver, name: driver.name, held: escapes.filter((one) => isHeld(report, one.concern)) }],
);
let host: Awaited<ReturnType<typeof confinedHost>> | undefined;
afterEach(async () => {
  await host?.dispose();
  host = undefined;
});
const runHelped: RunIn = async (sandbox, argv, options) => {
  host ??= await confinedHost();
  const limits = { timeoutMs: patienceMs };
  return await host.run(argv, { ...options, confinement: sandbox, limits });
};
/** Once by a wrapper for each, and once more where a process that stays starts them. */
const ways: readonly (Omit<(typeof here)[number], "name"> & { name: string; run?: RunIn })[] = [
  ...here,
  ...here
    .filter(({ name }) => name === "landlock")
    .map((one) => ({ ...one, name: `${one.name}'s helper`, run: runHelped })),
];
const untried = results
  .filter(({ report }) => report === undefined || !hasPerl)
  .map(({ driver, missing, probes }) => ({
    name: driver.name,
    why: hasPerl ? (missing?.reason ?? JSON.stringify(probes)) : "perl is missing.",
  }));

test("the suite is as large as promised, and its attempts have distinct names", () => {
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(escapes.length).toBeGreaterThanOrEqual(all.length / 4);
});

test.for(untried)("$name is not tried here: $why", ({ name }, { skip }) => {
  skip();
  expect(name).toBe("tried");
});

describe.each(ways)("out of $name", ({ driver, held, run: runIn }) => {
  const shown = new Set<string>();
  const listed = new Set<string>();
  let ran = 0;

  test.for(held)("$concern: $name, because $because", async (escape) => {
    const { evidence, gaps, output } = await attempt(escape, driver, runIn);

    ran += 1;
    for (const gap of gaps) listed.add(gap);
    const admitted = escape.gaps.filter((gap) => gaps.includes(gap));
    if (evidence.length > 0) for (const gap of admitted) shown.add(gap);
    const unexpected = admitted.length > 0 ? [] : evidence;
    expect({ unexpected, output }).toEqual({ unexpected: [], output });
  });

  test("every gap it lists is one that an attempt gets through", () => {
    const claimed = new Set(held.flatMap(({ gaps }) => gaps));
    const untrue = [...listed].filter((gap) => claimed.has(gap) && !shown.has(gap));

    // When some were left out, here or by a filter on their names, nothing can be said.
    expect(ran < held.length || every > 1 ? [] : untrue).toEqual([]);
  });
});
