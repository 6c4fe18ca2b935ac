import { expect, test } from "vitest";
import { missingText } from "./sandbox.ts";

test("what would help is a sentence of its own, so that another may follow", () => {
  const install = "apt-get install util-linux mount";

  expect(missingText({ reason: "mount is not installed.", install })).toBe(
    "mount is not installed. What would help: `apt-get install util-linux mount`.",
  );
  expect(missingText({ reason: "Overlays are for Linux." })).toBe("Overlays are for Linux.");
});
