import { expect, test } from "vitest";
import { hasLimits, limited } from "./resource-limits.ts";

test.each([
  { limits: {}, is: [] },
  { limits: { processes: 10 }, is: ["/p", "--nproc=10", "--"] },
  { limits: { fileBytes: 20 }, is: ["/p", "--fsize=20", "--"] },
  { limits: { memoryBytes: 30 }, is: ["/p", "--as=30", "--"] },
  {
    limits: { processes: 10, fileBytes: 20, memoryBytes: 30 },
    is: ["/p", "--nproc=10", "--fsize=20", "--as=30", "--"],
  },
])("$limits are the arguments $is", ({ limits, is }) => {
  expect(limited(limits, "/p")).toEqual(is);
  expect(hasLimits(limits)).toBe(is.length > 0);
});

test("without the program that sets them there are none", () => {
  expect(limited({ processes: 10 }, undefined)).toEqual([]);
});
