import { expect, test } from "vitest";
import { defineTool, ToolError, type HostOptions } from "../core/index.ts";
import { findInSources, type ToolSources } from "./find-in-sources.ts";
import { createRegistry } from "./registry.ts";
import type { FindOptions } from "./search/find-tools.ts";

/** A registry, and servers that list their tools when the test says so. */
function world({ signal }: { readonly signal?: AbortSignal } = {}) {
  const registry = createRegistry();
  const time = Promise.withResolvers<void>();
  const starting: PromiseWithResolvers<void>[] = [];
  const waiting = Promise.withResolvers<void>();
  const waits: number[] = [];
  const timeouts: (number | undefined)[] = [];
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
    notes({ timedOutAfterMs }) {
      timeouts.push(timedOutAfterMs);
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
    timeouts,
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
  const { start, find, waiting, waits, timeouts } = world();
  const [listOne, listOther] = [start(), start()];

  const found = find("weather");
  await waiting;
  listOne("flights");
  listOther("weather");

  expect(await found).toEqual({ names: ["weather"], notes: undefined });
  expect(waits).toEqual([2000]);
  expect(timeouts).toEqual([undefined]);
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
  const { start, find, passTime, waiting, waits, timeouts } = world();
  const list = start();
  start();

  const found = find("weather");
  await waiting;
  list("flights");
  passTime();

  expect(await found).toEqual({ names: [], notes: ["A server is starting."] });
  expect(waits).toEqual([2000]);
  expect(timeouts).toEqual([2000]);
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
