import { expect, test } from "vitest";
import { lockedWord } from "./refusals.ts";

test.each([
  {
    files: [{ path: "/ws/a.db", program: "sqlite3", process: 7 }],
    says: "a.db is locked by sqlite3 (process 7), which would continue with the old content.",
  },
  {
    files: [{ path: "/ws/a.db" }, { path: "/ws/b.db" }],
    says: "a.db, b.db are locked by another program, which would continue with the old content.",
  },
])("locked files are named with the program that holds them: $says", ({ files, says }) => {
  expect(lockedWord(files, "/ws")).toBe(says);
});
