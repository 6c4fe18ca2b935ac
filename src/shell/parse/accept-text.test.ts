import { expect, test } from "vitest";
import { gate } from "./accept-text.ts";

test("64 kB of assignments are refused before they are parsed", () => {
  expect(gate("a=b ".repeat(16_384))?.because).toBe("there are too many commands inside commands");
  expect(gate("a=b ".repeat(1000))).toBeUndefined();
});
