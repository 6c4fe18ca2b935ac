import assert from "node:assert/strict";
import { test } from "node:test";
import { House } from "../src/house.js";
import { createStay } from "../src/stay.js";

function smallHouse() {
  return new House([
    { name: "garden", price: 80 },
    { name: "attic", price: 60 },
  ]);
}

test("a stay costs its nights", () => {
  assert.equal(smallHouse().book("garden", createStay("Ada", "2026-05-01", "2026-05-04")), 240);
});

test("a room is not booked twice for the same night", () => {
  const house = smallHouse();
  house.book("garden", createStay("Ada", "2026-05-01", "2026-05-04"));

  assert.throws(
    () => house.book("garden", createStay("Ben", "2026-05-03", "2026-05-05")),
    /taken by Ada until 2026-05-04/,
  );
});

test("a guest may arrive on the day another leaves", () => {
  const house = smallHouse();
  house.book("garden", createStay("Ada", "2026-05-01", "2026-05-04"));

  assert.equal(house.book("garden", createStay("Ben", "2026-05-04", "2026-05-05")), 80);
});

test("free rooms come with the cheapest first", () => {
  assert.deepEqual(smallHouse().freeRooms(createStay("Ada", "2026-05-01", "2026-05-02")), [
    "attic",
    "garden",
  ]);
});

test("nobody leaves before the first night", () => {
  assert.throws(() => createStay("Ada", "2026-05-04", "2026-05-04"), RangeError);
});
