import { expect, test } from "vitest";
import { withoutSqliteWarning, type Warner } from "./sqlite.ts";

const other = (): void => undefined;
const sqliteText = "SQLite is an experimental feature and might change at any time";

test.each([
  { args: [sqliteText, "ExperimentalWarning"], heard: false, because: "it is the one" },
  { args: [sqliteText, "DeprecationWarning"], heard: true, because: "another type" },
  { args: [sqliteText], heard: true, because: "no type" },
  { args: ["Fetch is experimental", "ExperimentalWarning"], heard: true, because: "another text" },
])("$args is heard: $heard, $because", async ({ args: [text = "", ...rest], heard }) => {
  const messages: unknown[] = [];
  const warner: Warner = { emitWarning: (message) => messages.push(message) };

  await withoutSqliteWarning(warner, async () =>
    Reflect.apply(warner.emitWarning, warner, [text, ...rest]),
  );

  expect(messages).toEqual(heard ? [text] : []);
});

test("afterwards warnings are as before, also when the work fails", async () => {
  const warner: Warner = { emitWarning: () => undefined };
  const { emitWarning } = warner;

  await expect(
    withoutSqliteWarning(warner, async () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");

  expect(warner.emitWarning).toBe(emitWarning);
});

test("a replacement made meanwhile stays", async () => {
  const warner: Warner = { emitWarning: () => undefined };

  await withoutSqliteWarning(warner, async () => {
    warner.emitWarning = other;
  });

  expect(warner.emitWarning).toBe(other);
});
