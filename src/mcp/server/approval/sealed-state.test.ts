import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSeals } from "./sealed-state.ts";

test("what was sealed opens once, as it was", () => {
  const seals = createSeals();
  const token = seals.seal({ a: [1, "é"] });

  expect(seals.open(token)).toEqual({ a: [1, "é"] });
  expect(seals.open(token)).toBeUndefined();
});

test("no other text opens", () => {
  const seals = createSeals();
  const token = seals.seal({ a: 1 });
  const [body = "", signature = ""] = token.split(".");
  const other = seals.seal({ a: 2 }).split(".")[0] ?? "";

  const opened = [
    "",
    ".",
    body,
    `${body}.`,
    `${other}.${signature}`,
    `${token}-TAMPERED`,
    `${token}.${signature}`,
    `${body}=.${signature}`,
    createSeals().seal({ a: 1 }),
  ].filter((forged) => seals.open(forged) !== undefined);

  expect(opened).toEqual([]);
  expect(seals.open(token)).toEqual({ a: 1 });
});

test("one changed character closes a seal", () => {
  const seals = createSeals();
  const token = seals.seal({ a: 1 });

  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom("A", "b", "0", "."), (at, put) => {
      const changed = token.slice(0, at) + put + token.slice(at + 1);
      fc.pre(changed !== token);
      expect(seals.open(changed)).toBeUndefined();
    }),
  );
});

test("a seal does not open after half an hour, nor once a thousand newer ones are open", () => {
  let now = 0;
  const seals = createSeals(() => now);
  const old = seals.seal(1);
  const young = seals.seal(2);

  now = 30 * 60_000;
  expect(seals.open(old)).toBeUndefined();
  now -= 1;
  expect(seals.open(young)).toBe(2);

  const first = seals.seal(3);
  const tokens = Array.from({ length: 1000 }, (_, index) => seals.seal(index));
  expect(seals.open(first)).toBeUndefined();
  expect(seals.open(tokens[0] ?? "")).toBe(0);
});

test("what has expired makes room, and what has not stays open", () => {
  let now = 0;
  const seals = createSeals(() => now);
  const old = Array.from({ length: 999 }, (_, index) => seals.seal(index));
  now = 30 * 60_000;
  const young = seals.seal("young");
  for (let count = 0; count < 999; count += 1) seals.seal(count);

  expect(seals.open(young)).toBe("young");
  expect(old.map((token) => seals.open(token)).filter((each) => each !== undefined)).toEqual([]);
});
