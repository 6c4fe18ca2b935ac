import { beforeEach, describe, expect, test } from "vitest";
import { narrowHost } from "../../src/grant/index.ts";
import { CapturedWrites } from "../../src/journal/capture/captured-writes.ts";
import {
  ToolError,
  type Host,
  type WriteDraft,
  type WriteTransaction,
} from "../../src/core/index.ts";
import type { MemoryHost } from "../../src/host/index.ts";
import { encode, grantOf, narrowedWorld, unknown } from "./narrowed-world.ts";

let base: MemoryHost;
const draft: WriteDraft = { path: "/project/.draft", flush: async () => undefined };

beforeEach(() => {
  base = narrowedWorld();
});

describe("what has to be done before anything is changed", () => {
  const changes: readonly (readonly [string, (host: Host) => Promise<unknown>])[] = [
    ["writing", ({ fs }) => fs.writeAtomic("/project/a.txt", encode("x"))],
    [
      "writing what is as it was",
      async ({ fs }) => {
        const { hash } = await base.fs.readFile("/project/a.txt");
        await fs.writeAtomic("/project/a.txt", encode("x"), { ifMatch: hash });
      },
    ],
    ["making", ({ fs }) => fs.writeAtomic("/project/made.txt", encode("x"), { ifMatch: null })],
    ["appending", ({ fs }) => fs.append("/project/a.txt", encode("x"))],
    ["making a directory", ({ fs }) => fs.mkdir("/project/made")],
    ["removing", ({ fs }) => fs.remove("/project/a.txt")],
    ["moving", ({ fs }) => fs.move("/project/a.txt", "/project/c.txt")],
  ];
  test.each(changes)("%s waits for it", async (_name, change) => {
    const before = await present();
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const changing = change(
      holding(base, async () => {
        reached.resolve();
        await gate.promise;
      }),
    );
    await reached.promise;
    expect(await present()).toEqual(before);

    gate.resolve();
    await changing;
    expect(await present()).not.toEqual(before);
  });

  test.each(changes)("%s is not done where that fails", async (_name, change) => {
    const before = await present();
    const failing = holding(base, () => Promise.reject(new ToolError("NO_SPACE", "Full.")));

    await expect(change(failing)).rejects.toMatchObject({ code: "NO_SPACE" });
    expect(await present()).toEqual(before);
  });

  test("looking does not call for it", async () => {
    let calls = 0;
    const host = holding(base, async () => (calls += 1));
    await host.fs.readFile("/project/a.txt");
    await host.fs.stat("/project/a.txt");

    expect(calls).toBe(0);
  });

  test.each([true, false])(
    "a host that waits by itself is left to (heldWrites %s)",
    async (heldWrites) => {
      const asked: boolean[] = [];
      let calls = 0;
      const info = { ...base.info, capabilities: { ...base.info.capabilities, heldWrites } };
      const fs = new Proxy(base.fs, {
        get(target, key) {
          if (key !== "writeAtomic") {
            const method: unknown = Reflect.get(target, key);
            return typeof method === "function" ? method.bind(target) : method;
          }
          return async (...given: Parameters<typeof target.writeAtomic>) => {
            asked.push(calls === 0 && given[2]?.hold !== undefined);
            await given[2]?.hold?.(draft);
            return await target.writeAtomic(...given);
          };
        },
      });
      const host = new Proxy(base, {
        get: (target, key) =>
          key === "fs" ? fs : key === "info" ? info : Reflect.get(target, key),
      });
      const own: string[] = [];

      await holding(host, async () => (calls += 1)).fs.writeAtomic("/project/a.txt", encode("x"), {
        hold: async () => own.push("called"),
      });

      expect({ asked, calls }).toEqual({ asked: [heldWrites], calls: 1 });
      expect(own).toEqual(["called"]);
    },
  );
});

test("a host that waits by itself makes nothing visible once the call has ended", async () => {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const beforeChange = async (): Promise<void> => {
    reached.resolve();
    await gate.promise;
  };
  const info = { ...base.info, capabilities: { ...base.info.capabilities, heldWrites: true } };
  const fs = new Proxy(base.fs, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (key !== "writeAtomic") {
        return typeof method === "function" ? method.bind(target) : method;
      }
      return async (...given: Parameters<typeof target.writeAtomic>) => {
        await given[2]?.hold?.(draft);
        return await target.writeAtomic(given[0], given[1]);
      };
    },
  });
  const { host, revoke } = narrowHost(
    new Proxy(base, {
      get: (target, key) => (key === "fs" ? fs : key === "info" ? info : Reflect.get(target, key)),
    }),
    { grant: grantOf([unknown]), cwd: "/project", transaction: waitingFor(beforeChange) },
  );
  const before = await present();
  const begun = host.fs.writeAtomic("/project/a.txt", encode("late"));
  await reached.promise;
  revoke();
  gate.resolve();

  await expect(begun).rejects.toMatchObject({ code: "ABORTED" });
  expect(await present()).toEqual(before);
});

async function present(): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name } of base.fs.list("/project")) found.push(name);
  return [...found.toSorted(), base.control.texts()["/project/a.txt"] ?? "gone"];
}

function holding(host: Host, beforeChange: () => Promise<unknown>): Host {
  const transaction = waitingFor(beforeChange);
  return narrowHost(host, { grant: grantOf([unknown]), cwd: "/project", transaction }).host;
}

function waitingFor(beforeChange: () => Promise<unknown>): WriteTransaction {
  return new CapturedWrites([], beforeChange);
}
