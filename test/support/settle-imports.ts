import { afterAll, vi } from "vitest";

// A call that a test aborts may still be loading its tool. Where test files share a process, an import that ends after
// its file has ended would fail, and fail for every later file too.
afterAll(async () => {
  await vi.dynamicImportSettled();
});
