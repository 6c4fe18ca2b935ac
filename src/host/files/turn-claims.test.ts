import { expect, test } from "vitest";
import { claimToGiveUp, type Claim, type KnownClaim } from "./turn-claims.ts";

function known(name: string, claim: Partial<Claim>): KnownClaim {
  return { file: `/turns/${name}`, claim: { by: "p", what: "Bash", paths: [], ...claim } };
}

/** A call that holds some paths in the directory of its number, and waits for the directory of another one. */
function call(index: number, waitsFor: number, count = 1): readonly KnownClaim[] {
  const callId = `${index}`;
  const by = `p ${index}`;
  const held = Array.from({ length: count }, (_, path) =>
    known(`held-${index}-${path}`, { by, callId, paths: [`/w/${index}/${path}`] }),
  );
  const waits = { by, callId, paths: [`/w/${waitsFor}`], isWaiting: true } as const;
  return [...held, known(`wait-${index}`, waits)];
}

const own = known("wait-0", { by: "p 0", callId: "0", paths: ["/w/1"], isWaiting: true });

test("the latest of a circle gives up, wherever the search begins", () => {
  const claims = [...call(0, 1), ...call(1, 2), ...call(2, 0)];
  const waits = claims.filter(({ claim }) => claim.isWaiting === true);

  const found = waits.map((each) =>
    claimToGiveUp(
      each,
      claims.filter((other) => other !== each),
    ),
  );

  expect(found.map((each) => each?.file)).toEqual(Array(3).fill("/turns/wait-2"));
});

test("a wait for a circle of others is in none", () => {
  expect(claimToGiveUp(own, [...call(1, 2), ...call(2, 1)])).toBeUndefined();
});

test("calls with many paths each are followed once", () => {
  const chain = Array.from({ length: 20 }, (_, index) => call(index + 1, index + 2, 8)).flat();

  expect(claimToGiveUp(own, chain)).toBeUndefined();
});
