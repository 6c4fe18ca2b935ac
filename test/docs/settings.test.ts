import { expect, expectTypeOf, test } from "vitest";
import {
  documentedSettings,
  publishedSchema,
  readSettingsPage,
  storedSchema,
} from "../../scripts/settings-schema.ts";
import type { Settings } from "../../src/index.ts";
import type { SettingValues } from "../../src/workspace/index.ts";

test("settings.schema.json is what the table of settings says", () => {
  expect(storedSchema(), "run node scripts/settings-schema.ts and npx oxfmt").toEqual(
    JSON.parse(JSON.stringify(publishedSchema())),
  );
});

test("the type Settings has the names and values of the table", () => {
  expectTypeOf<keyof Settings | "$schema">().toEqualTypeOf<keyof SettingValues>();
  expectTypeOf<Omit<SettingValues, "$schema" | "permissions" | "hooks">>().toExtend<Settings>();
  expect(Object.keys(publishedSchema())).toContain("properties");
});

test("docs/settings.md has every setting with its sentence", () => {
  const page = readSettingsPage();

  expect(
    documentedSettings().filter(
      ({ name, meaning }) => !page.includes(`\`${name}\``) || !page.includes(meaning),
    ),
  ).toEqual([]);
});
