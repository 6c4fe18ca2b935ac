import { expect, test } from "vitest";
import { readSettings } from "./read-settings.ts";

test.each([
  ["defaultMode", "It is ignored. It belongs inside `permissions`."],
  ["deny", "It is ignored. It belongs inside `permissions`."],
  ["permision", 'It is ignored. Did you mean "permissions"?'],
])("%s at the top of the settings is told where it belongs", (key, hint) => {
  const { problems } = readSettings({ [key]: [] });

  expect(problems).toMatchObject([{ severity: "error", hint }]);
});
