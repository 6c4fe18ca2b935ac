import { expect, test } from "vitest";
import { freshScan } from "./process-scan.ts";

test("all callers of one turn share one scan, and a later caller scans again", async () => {
  const scans = await Promise.all(Array.from({ length: 200 }, async () => await freshScan()));
  const later = await freshScan();

  expect(new Set(scans).size).toBe(1);
  expect(later).not.toBe(scans[0]);
});
