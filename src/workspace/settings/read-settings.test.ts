import { expect, test } from "vitest";
import { readSettings } from "./read-settings.ts";

test.each([
  ["defaultMode", "It is ignored. It belongs inside `permissions`."],
  ["deny", "It is ignored. It belongs inside `permissions`."],
  ["permision", 'It is ignored. Did you mean "permissions"?'],
])("%s at the top of the settings is reported with the key it belongs to", (key, hint) => {
  const { problems } = readSettings({ [key]: [] });

  expect(problems).toMatchObject([{ severity: "error", hint }]);
});

test.each([
  { settings: { deny: ["Read"] }, because: "it stands outside of `permissions`" },
  { settings: { permissions: { deni: "Read" } }, because: "an invalid list is not an empty one" },
  { settings: { permission: { ask: ["Read"] } }, because: "`permissions` is mistyped" },
])("$settings asks about every call: $because", ({ settings }) => {
  const { rules, problems } = readSettings(settings);

  expect(rules.ask).toMatchObject([{ rule: "*" }]);
  expect(problems[0]?.hint).toMatch(/^Until it is corrected every call is asked about\./u);
});

test.each([
  { settings: { deny: [] }, because: "it names nothing" },
  { settings: { permission: { allow: ["Read"], deny: [] } }, because: "what it allows is ignored" },
  { settings: { permission: ["deny"] }, because: "it holds no lists" },
  { settings: { permissions: { alow: ["Read"] } }, because: "it allows" },
  { settings: { permissions: { zzzz: ["Read"] } }, because: "it is like none" },
])("$settings asks about nothing: $because", ({ settings }) => {
  expect(readSettings(settings).rules.ask).toEqual([]);
});
