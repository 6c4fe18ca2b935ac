import { expect, test } from "vitest";
import { hiddenUpdate } from "./redact-event.ts";

const key = `ghp_${"aB3dEf7GhJ1kLmN5pQrS".repeat(2)}`;

test("progress keeps its title and its message, each without its secret", () => {
  expect(hiddenUpdate({ title: `Log in with ${key}`, message: key, done: 1, total: 2 })).toEqual({
    title: "Log in with [redacted: GitHub token]",
    message: "[redacted: GitHub token]",
    done: 1,
    total: 2,
  });
});

test.each([
  [{ title: key }, { title: "[redacted: GitHub token]" }],
  [{ message: key }, { message: "[redacted: GitHub token]" }],
])("facts that JSON cannot hold are left out of progress, and %j is not", (told, shown) => {
  const metadata = { bytes: 10n, user: key };
  expect(hiddenUpdate({ ...told, metadata })).toEqual({
    ...shown,
    metadata: { user: "[redacted: GitHub token]" },
  });
});
