import * as fc from "fast-check";
import type { OverlayForm } from "../../src/sandbox/overlay/mount/namespace-form.ts";
import { describe, expect, test } from "vitest";
import { applied, forms, listed, OverlayWorld } from "./overlay-world.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { runs } from "../support/law-runs.ts";

leaveNothing();

/** Few names, so that steps meet each other's work. */
const names = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "n", "n/a", "n/e"];
const name = fc.constantFrom(...names);
const mode = fc.constantFrom("600", "644", "755", "700");
const date = fc.integer({ min: 1, max: 1_000_000_000 });

const fileSteps = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(name, date).map(([at, text]) => `printf ${text} > ${at}`) },
  { weight: 2, arbitrary: name.map((at) => `printf more >> ${at}`) },
  name.map((at) => `: > ${at}`),
  name.map((at) => `dd if=/dev/null of=${at} bs=1 seek=2 conv=nocreat`),
  { weight: 2, arbitrary: name.map((at) => `rm ${at}`) },
  name.map((at) => `rm -r ${at}`),
  { weight: 2, arbitrary: name.map((at) => `mkdir ${at}`) },
  name.map((at) => `mkdir -p ${at}`),
  name.map((at) => `rmdir ${at}`),
  fc.tuple(name, name).map(([from, to]) => `ln -s ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `ln -sfn ${from} ${to}`),
  fc.tuple(name, mode).map(([at, bits]) => `chmod ${bits} ${at}`),
  fc.tuple(name, date).map(([at, seconds]) => `touch -c -d @${seconds} ${at}`),
  name.map((at) => `rm -rf ${at}; mkdir ${at}; printf inside > ${at}/a`),
  name.map((at) => `rm -rf ${at}; printf instead > ${at}`),
  fc.tuple(name, name).map(([from, to]) => `cp -p ${from} ${to}`),
  // By way of another name: what a tree copied into itself holds depends on the order of a directory.
  fc.tuple(name, name).map(([from, to]) => `cp -rp ${from} kept; mv kept ${to}; rm -rf kept`),
  // A file that was rewritten as it was: nothing has changed.
  name.map((at) => `cp -p ${at} kept && cat kept > ${at} && touch -r kept ${at}; rm -f kept`),
);
const moves = fc.tuple(name, name).map(([from, to]) => `mv ${from} ${to}`);
const fileMoves = fc
  .tuple(name, name)
  .map(([from, to]) => `test -f ${from} && ! test -L ${from} && mv ${from} ${to}`);
const links = (form: OverlayForm) => {
  // In an ordinary user's overlay a real file with a second name may be read short, so the steps link what is new.
  const remake = (from: string) =>
    form === "mount" ? "" : `test ! -h ${from} && cp -p ${from} kept && mv kept ${from} && `;
  return fc.oneof(
    fc.tuple(name, name).map(([from, to]) => `${remake(from)}ln ${from} ${to}`),
    fc.tuple(name, name).map(([from, to]) => `${remake(from)}ln -f ${from} ${to}`),
  );
};

const start = [
  "mkdir -p d/e empty",
  "for at in a d/a d/b d/e/a; do printf $at > $at; done",
  "ln -s a link",
  "chmod 750 d",
  "touch -d @1000000000 a d/a d/b d/e/a",
].join("; ");
const tied = `${start}; ln a tied; ln d/a d/tied; touch -d @900000000 tied d/tied`;

async function check(
  steps: readonly string[],
  { form, before }: { readonly form: OverlayForm; readonly before: string },
): Promise<void> {
  const world = new OverlayWorld();
  try {
    world.runStraight(before);
    const now = Date.now();
    const untouched = listed(world.root);
    const script = steps.map((step) => `{ ${step}; } 2>/dev/null`).join("\n");
    const overlay = await world.overlay({ form });
    await world.run(overlay, script);
    expect(listed(world.root)).toEqual(untouched);

    const staged = await overlay.changes();
    const target = world.copy("real", "applied");
    applied(staged, { root: world.root, target });
    world.runStraight(script);

    expect(listed(target, { now })).toEqual(listed(world.root, { now }));
    expect(staged.refused).toEqual([]);
  } finally {
    await world.end();
  }
}

const numRuns = Number(process.env["HAFT_LAW_RUNS"] ?? runs(40));

describe.each(forms)("the change set of an overlay of the form %s", (form) => {
  test("applied to a copy gives what the same steps give, with moved trees", async () => {
    expect.hasAssertions();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 4, arbitrary: fileSteps }, moves), { maxLength: 12 }),
        async (steps) => check(steps, { form, before: start }),
      ),
      { numRuns },
    );
  }, 120_000);

  test("applied to a copy gives what the same steps give, with files of several names", async () => {
    // An ordinary user's overlay does not keep the names of a real file together once it is written.
    const before = form === "mount" ? tied : start;
    expect.hasAssertions();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: fileSteps }, fileMoves, links(form)), {
          maxLength: 12,
        }),
        async (steps) => check(steps, { form, before }),
      ),
      { numRuns },
    );
  }, 120_000);
});
