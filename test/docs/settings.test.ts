import { expect, test } from "vitest";
import { publishedSchema, storedSchema } from "../../scripts/settings-schema.ts";

test("settings.schema.json is what the table of settings says", () => {
  expect(storedSchema(), "run node scripts/settings-schema.ts and npx oxfmt").toEqual(
    JSON.parse(JSON.stringify(publishedSchema())),
  );
});
