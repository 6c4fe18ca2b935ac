import { storeAreas, type Store, type StoreArea } from "../../core/index.ts";
import type { ContractCheck } from "../tool-contract.ts";
import { decoded, encoded, refused, requireTrue, same } from "./requirements.ts";

/**
 * Requirements on every store. `open` opens an empty one for each check. For a store that processes share, return a
 * function that opens the same one again as `again`: the laws of sharing are checked between both.
 *
 * @example
 * const checks = storeContract("memory", async () => ({ store: memoryStore() }));
 * for (const { name, run } of checks) test(name, run);
 */
export function storeContract(
  name: string,
  open: () => Promise<{ readonly store: Store; readonly again?: () => Promise<Store> }>,
): readonly ContractCheck[] {
  return laws.map((law) => ({
    name: `${name}: ${law.name}`,
    run: async () => {
      const { store, again = async () => store } = await open();
      await law.check(store, again);
    },
  }));
}

interface Law {
  readonly name: string;
  readonly check: (store: Store, again: () => Promise<Store>) => Promise<void>;
}

/** Long enough that no check expires it. */
const leaseMs = 60_000;

const laws: readonly Law[] = [
  {
    name: "a file that was never written is not there",
    async check(store) {
      for (const area of storeAreas) {
        same(await store.area(area).read("never"), undefined, `read in ${area}`);
        same(await namesIn(store.area(area)), [], `names in ${area}`);
        await store.area(area).remove("never");
      }
    },
  },
  {
    name: "what was replaced is read, also by another process",
    async check(store, again) {
      const written = await store.area("trust").replace("a/b.json", encoded("one"));
      const read = await (await again()).area("trust").read("a/b.json");
      same(decoded(read?.bytes), "one", "content");
      same(read?.hash, written.hash, "hash");
      requireTrue(/^sha256:[\da-f]{64}$/u.test(written.hash), "the hash is not sha256:…");
    },
  },
  {
    name: "a file is replaced only if it is what was read",
    async check(store, again) {
      const [here, there] = [store.area("settings"), (await again()).area("settings")];
      const first = await here.replace("rules", encoded("1"), { ifMatch: null });
      await refused(here.replace("rules", encoded("2"), { ifMatch: null }), ["ALREADY_EXISTS"]);
      await there.replace("rules", encoded("3"), { ifMatch: first.hash, durable: true });
      await refused(here.replace("rules", encoded("4"), { ifMatch: first.hash }), ["STALE_READ"]);
      await here.remove("rules");
      await refused(here.replace("rules", encoded("5"), { ifMatch: first.hash }), ["STALE_READ"]);
    },
  },
  {
    name: "of several that create one file, one succeeds",
    async check(store, again) {
      const areas = [store.area("tasks"), (await again()).area("tasks")];
      const tries = [...areas, ...areas].map(async (area, at) => {
        return await area.replace("one", encoded(String(at)), { ifMatch: null }).then(
          () => true,
          () => false,
        );
      });
      const ends = await Promise.all(tries);
      same(ends.filter(Boolean).length, 1, "number of successes");
    },
  },
  {
    name: "records that several append stay whole",
    async check(store, again) {
      const appenders = [
        await store.area("journal").append("log"),
        await (await again()).area("journal").append("log"),
      ];
      const expected: string[] = [];
      await Promise.all(
        appenders.flatMap((appender, writer) =>
          Array.from({ length: 50 }, async (_, at) => {
            const record = `${writer}-${at}-${"x".repeat(at * 20)}`;
            expected.push(record);
            await appender.append(encoded(`${record}\n`), { durable: at === 49 });
          }),
        ),
      );
      for (const appender of appenders) await appender.close();
      const text = decoded((await store.area("journal").read("log"))?.bytes) ?? "";
      same(text.trimEnd().split("\n").toSorted(), expected.toSorted(), "records");
    },
  },
  {
    name: "a list has the files with a prefix and those of no other area",
    async check(store) {
      const area = store.area("artifacts");
      for (const each of ["a", "b/c", "b/d/e", "bc"]) await area.replace(each, encoded(each));
      await store.area("tasks").replace("b/other", encoded("x"));
      await (await area.lock("b/c", { leaseMs })).release();
      same((await namesIn(area)).toSorted(), ["a", "b/c", "b/d/e", "bc"], "all names");
      same((await namesIn(area, "b/")).toSorted(), ["b/c", "b/d/e"], "names below b/");
      same((await namesIn(area, "b")).toSorted(), ["b/c", "b/d/e", "bc"], "names from b");
      await area.remove("b/c");
      same((await namesIn(area, "b/")).toSorted(), ["b/d/e"], "names after a removal");
    },
  },
  {
    name: "names that leave the area are refused",
    async check(store) {
      const area = store.area("tasks");
      for (const each of ["", "/a", "a/", "a//b", ".", "..", "../trust/x", "a/../../b", "a\0b"]) {
        const bad = ["INVALID_INPUT"];
        await refused(area.read(each), bad);
        await refused(area.replace(each, encoded("x")), bad);
        await refused(area.append(each), bad);
        await refused(area.remove(each), bad);
        await refused(area.lock(each, { leaseMs }), bad);
      }
    },
  },
  {
    name: "one holder has a lock, and the next gets it once it is released",
    async check(store, again) {
      const first = await store.area("journal").lock("turn", { leaseMs });
      const order: string[] = [];
      const waiting = (await again())
        .area("journal")
        .lock("turn", { leaseMs })
        .then((lease) => {
          order.push("second has it");
          return lease;
        });
      requireTrue(await first.renew(), "the holder cannot renew");
      order.push("first releases it");
      await first.release();
      const second = await waiting;
      same(order, ["first releases it", "second has it"], "order");
      same(await first.renew(), false, "renewal of a released lock that another has");
      await second.release();
    },
  },
  {
    name: "an abandoned lock is taken over, and its holder learns that",
    async check(store, again) {
      const abandoned = await store.area("journal").lock("turn", { leaseMs: 1 });
      const next = await (await again()).area("journal").lock("turn", { leaseMs });
      same(await abandoned.renew(), false, "renewal of a lock that was lost");
      await abandoned.release();
      requireTrue(await next.renew(), "the lock was released by a holder that had lost it");
      await next.release();
    },
  },
  {
    name: "waiting for a lock ends when it is aborted",
    async check(store) {
      const held = await store.area("journal").lock("turn", { leaseMs });
      const ending = new AbortController();
      const { signal } = ending;
      const waiting = store.area("journal").lock("turn", { leaseMs, signal });
      ending.abort();
      await refused(waiting, ["ABORTED"]);
      await held.release();
    },
  },
];

async function namesIn(area: StoreArea, prefix?: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of area.list(prefix)) names.push(name);
  return names;
}
