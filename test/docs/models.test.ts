import { expect, test } from "vitest";
import { callIdRules } from "../../src/agent/models/ai-sdk/call-ids.ts";
import { providerNamed, providerNames } from "../../src/agent/models/ai-sdk/provider-table.ts";
import { textOf } from "./markdown.ts";

const rows = textOf("docs/models.md")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

test("docs/models.md has a row for every provider, and no other", () => {
  expect(rows.map(([, name]) => name)).toEqual(providerNames.map((name) => `\`${name}\``));
});

test.each(providerNames)("docs/models.md says of %s what the table says", (name) => {
  const provider = providerNamed(name);
  const [, , packageName, key, address, ids, reasoning, marks] =
    rows.find(([, first]) => first === `\`${name}\``) ?? [];

  const [scope = "", base = ""] = (provider?.packageName ?? "").split("/");
  expect(packageName).toContain(`\`${scope}/${base}\``);
  const keys = [...(key ?? "").matchAll(/`(\w+)`/gu)].map((match) => match[1]);
  expect(keys).toEqual(provider?.keys ?? []);
  expect(address).toBe((provider?.baseUrls ?? []).map((variable) => `\`${variable}\``).join(", "));
  const rule = Object.entries(callIdRules).find(([, each]) => each === provider?.callIds)?.[0];
  expect(ids).toBe(rule);
  expect(reasoning).toBe(provider?.reasoning);
  const mark = provider?.cacheMark;
  expect(marks).toBe(mark === undefined ? "" : mark.models === undefined ? "yes" : "some models");
});
