import { describe, expect, test } from "vitest";
import { defineTool } from "../../core/index.ts";
import { createRegistry } from "../registry.ts";
import { findTools, type FindOptions } from "./find-tools.ts";

function nameOf(number: number): string {
  return `invoice_${String(number).padStart(3, "0")}`;
}

function numbers(tools: readonly { readonly name: string }[]): readonly number[] {
  return tools.map(({ name }) => Number(name.slice("invoice_".length)));
}

/** Tools for invoices, of which the model sees those of these numbers already. */
function invoices(seen: readonly number[]) {
  const registry = createRegistry();
  for (let number = 0; number < 100; number += 1) {
    registry.register(
      defineTool({
        name: nameOf(number),
        description: number % 2 === 0 ? "Sends an invoice." : "Prints an invoice.",
        touches: [],
        input: { type: "object" },
        run: () => ({ content: "" }),
      }),
    );
  }
  const active = new Set(seen.map(nameOf));
  const options: FindOptions = {
    registry,
    tools: registry.getAll(),
    isDeferred: ({ name }) => !active.has(name),
  };
  return async (query: string) => {
    const result = await findTools(query, options);
    return { ...result, found: numbers(result.found), active: numbers(result.active) };
  };
}

describe("a search that many tools match", () => {
  test("names the best, and counts the others", async () => {
    const find = invoices([1, 30, 40, 50, 95]);

    expect(await find("invoice")).toMatchObject({
      found: [0, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      more: 85,
      active: [1, 30, 40],
    });
  });

  test("counts only those with the required word", async () => {
    const find = invoices([1, 40, 81]);

    expect(await find("+prints invoice")).toMatchObject({
      found: [3, 5, 7, 9, 11, 13, 15, 17, 19, 21],
      more: 38,
      active: [1, 81],
    });
  });

  test("finds those that come after many in the list", async () => {
    const find = invoices(Array.from({ length: 70 }, (_, number) => number));

    expect(await find("invoice")).toMatchObject({
      found: [70, 71, 72, 73, 74, 75, 76, 77, 78, 79],
      more: 20,
      active: [0, 1, 2],
    });
  });
});
