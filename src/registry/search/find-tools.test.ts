import { describe, expect, test } from "vitest";
import { defineTool, ToolError, type HostOptions } from "../../core/index.ts";
import { createRegistry } from "../registry.ts";
import { findInSources, type FindOptions, type ToolSources } from "./find-tools.ts";

function nameOf(number: number): string {
  return `invoice_${String(number).padStart(3, "0")}`;
}

function numbers(tools: readonly { readonly name: string }[]): readonly number[] {
  return tools.map(({ name }) => Number(name.slice("invoice_".length)));
}

/** A registry, and servers that list their tools when the test says so. */
function world({ signal }: { readonly signal?: AbortSignal } = {}) {
  const registry = createRegistry();
  const time = Promise.withResolvers<void>();
  const starting: PromiseWithResolvers<void>[] = [];
  const waiting = Promise.withResolvers<void>();
  const waits: number[] = [];
  const waited: number[] = [];
  const register = (name: string): void => {
    registry.register(
      defineTool({
        name,
        description: `Uses ${name}.`,
        touches: [],
        input: { type: "object" },
        run: () => ({ content: "" }),
      }),
    );
  };
  register("invoices");
  const sources: ToolSources = {
    clock: {
      sleep: async (ms: number, options?: HostOptions): Promise<void> => {
        waits.push(ms);
        waiting.resolve();
        options?.signal?.addEventListener("abort", () => time.reject(new ToolError("ABORTED", "")));
        await time.promise;
      },
    },
    nextListed: () =>
      starting.length === 0 ? undefined : Promise.race(starting.map(({ promise }) => promise)),
    notes(_query, _isFound, waitedMs) {
      waited.push(waitedMs);
      return starting.map(() => "A server is starting.");
    },
  };
  const options = (): FindOptions => ({
    registry,
    tools: registry.getAll(),
    isDeferred: () => true,
    means: { signal },
  });
  return {
    /** Settles when a search begins to wait. */
    waiting: waiting.promise,
    waits,
    waited,
    passTime: time.resolve,
    /** A server begins to start; the returned function ends that, and its tool is there from then on, if it has one. */
    start: (): ((tool?: string) => void) => {
      const server = Promise.withResolvers<void>();
      starting.push(server);
      return (tool) => {
        if (tool !== undefined) register(tool);
        starting.splice(starting.indexOf(server), 1);
        server.resolve();
      };
    },
    find: async (query: string) => {
      const { found, notes } = await findInSources(query, options, sources);
      return { names: found.map(({ name }) => name), notes };
    },
  };
}

test("a search that finds a tool waits for no server", async () => {
  const { start, find, waits } = world();
  start();

  expect(await find("invoices")).toEqual({
    names: ["invoices"],
    notes: ["A server is starting."],
  });
  expect(waits).toEqual([]);
});

test("a search that finds nothing does not wait where no server is starting", async () => {
  const { find, waits } = world();

  expect(await find("weather")).toEqual({ names: [], notes: undefined });
  expect(waits).toEqual([]);
});

test("a search that finds nothing waits for the servers that are starting, one after the other", async () => {
  const { start, find, waiting, waits, waited } = world();
  const [listOne, listOther] = [start(), start()];

  const found = find("weather");
  await waiting;
  listOne("flights");
  listOther("weather");

  expect(await found).toEqual({ names: ["weather"], notes: undefined });
  expect(waits).toEqual([2000]);
  expect(waited).toEqual([0]);
});

test("a search ends its wait when the last server that is starting fails", async () => {
  const { start, find, waiting } = world();
  const fail = start();

  const found = find("select:weather");
  await waiting;
  fail();

  expect(await found).toEqual({ names: [], notes: undefined });
});

test("a search waits for two seconds in all", async () => {
  const { start, find, passTime, waiting, waits, waited } = world();
  const list = start();
  start();

  const found = find("weather");
  await waiting;
  list("flights");
  passTime();

  expect(await found).toEqual({ names: [], notes: ["A server is starting."] });
  expect(waits).toEqual([2000]);
  expect(waited).toEqual([2000]);
});

test("a search that is aborted does not wait", async () => {
  const controller = new AbortController();
  const { start, find, waiting } = world({ signal: controller.signal });
  start();

  const found = find("weather");
  await waiting;
  controller.abort();

  expect((await found).names).toEqual([]);
});

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
  const options = (): FindOptions => ({
    registry,
    tools: registry.getAll(),
    isDeferred: ({ name }) => !active.has(name),
  });
  const sources: ToolSources = {
    clock: { sleep: async () => await Promise.resolve() },
    nextListed: () => undefined,
    notes: () => [],
  };
  return async (query: string) => {
    const result = await findInSources(query, options, sources);
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
