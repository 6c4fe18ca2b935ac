import { describe, expect, test } from "vitest";
import type { HostFs, HostStat } from "../../../src/core/index.ts";
import { decode, encode, type World } from "./world.ts";

/** Attributes besides content: links, permission bits, times; and files that are kept open for appending. */
export function traitsContract(world: World): void {
  const fs = (): HostFs => world().host.fs;
  const statOf = (name: string): Promise<HostStat> => fs().stat(world().at(name));

  describe("links", () => {
    test.for(["a.txt", "missing", "../up", "/etc/hosts", "with space\n"])(
      "a link says exactly %j, whatever is there",
      async (target) => {
        await fs().makeLink?.(world().at("link"), target);

        expect(await fs().readLink(world().at("link"))).toBe(target);
        expect((await statOf("link")).kind).toBe("symlink");
      },
    );

    test.for(["file", "directory", "symlink"])("a %s in the way stays", async (kind) => {
      if (kind === "file") await world().put("at", "precious");
      if (kind === "directory") await fs().mkdir(world().at("at"));
      if (kind === "symlink") await world().link(world().at("at"), "elsewhere");

      await expect(fs().makeLink?.(world().at("at"), "other")).rejects.toMatchObject({
        code: "ALREADY_EXISTS",
      });
      expect(await world().names("")).toEqual([`at:${kind}`]);
    });

    test("the directory of a link must exist", async () => {
      await expect(fs().makeLink?.(world().at("none/link"), "a")).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });
  });

  describe("permission bits and times", () => {
    test.for([0o600, 0o644, 0o777, 0o4755, 0o400, 0])(
      "a file gets exactly mode %o",
      async (mode) => {
        await world().put("a.txt", "text");
        await fs().setMode?.(world().at("a.txt"), mode);

        expect((await statOf("a.txt")).mode).toBe(mode);
      },
    );

    test("a directory gets exactly the mode, whatever the umask", async () => {
      await fs().mkdir(world().at("d"));
      await fs().setMode?.(world().at("d"), 0o777);

      expect((await statOf("d")).mode).toBe(0o777);
    });

    test.for([0, 1, 1_700_000_000_123, 1_700_000_000_123.456, 1_700_000_000_999.999])(
      "a file was last modified exactly at %d",
      async (mtimeMs) => {
        await world().put("a.txt", "text");
        await fs().setModified?.(world().at("a.txt"), mtimeMs);

        expect((await statOf("a.txt")).mtimeMs).toBe(mtimeMs);
        expect(await world().read("a.txt")).toBe("text");
      },
    );

    test("what one stat says of the time, setting it brings back", async () => {
      await world().put("a.txt", "one");
      const { mtimeMs } = await statOf("a.txt");
      await fs().setModified?.(world().at("a.txt"), 5);
      await fs().setModified?.(world().at("a.txt"), mtimeMs);

      expect((await statOf("a.txt")).mtimeMs).toBe(mtimeMs);
    });

    test("both change the version and are dated by a time nobody sets", async () => {
      await world().put("a.txt", "text");
      const before = await statOf("a.txt");
      await fs().setModified?.(world().at("a.txt"), 5);
      const dated = await statOf("a.txt");
      await fs().setMode?.(world().at("a.txt"), 0o640);
      const after = await statOf("a.txt");

      expect(new Set([before.version, dated.version, after.version]).size).toBe(3);
      expect(after.mtimeMs).toBe(5);
      expect(after.ctimeMs).toBeGreaterThanOrEqual(before.ctimeMs ?? Number.NaN);
    });

    test("a FIFO and what is missing are refused", async () => {
      await world().fifo(world().at("fifo"));

      for (const [name, code] of [
        ["fifo", "NOT_A_FILE"],
        ["none", "NOT_FOUND"],
      ] as const) {
        await expect(fs().setMode?.(world().at(name), 0o600)).rejects.toMatchObject({ code });
        await expect(fs().setModified?.(world().at(name), 5)).rejects.toMatchObject({ code });
      }
    });
  });

  describe("flushing", () => {
    test.for([0, 1, 100])("%d files keep what they hold", async (count) => {
      const names = Array.from({ length: count }, (_, index) => `${index}.txt`);
      for (const name of names) await world().put(name, name);

      await fs().flush?.(names.map((name) => world().at(name)));

      expect(await Promise.all(names.map((name) => world().read(name)))).toEqual(names);
    });

    test.for([
      ["fifo", "NOT_A_FILE"],
      ["none", "NOT_FOUND"],
      ["d", "IS_DIRECTORY"],
    ] as const)("%s is refused, alone and among many", async ([name, code]) => {
      await world().fifo(world().at("fifo"));
      await fs().mkdir(world().at("d"));
      const names = Array.from({ length: 100 }, (_, index) => `${index}.txt`);
      for (const each of names) await world().put(each, each);
      const many = [...names, name].map((each) => world().at(each));

      await expect(fs().flush?.([world().at(name)])).rejects.toMatchObject({ code });
      await expect(fs().flush?.(many)).rejects.toMatchObject({ code });
    });

    test("a file that nobody may read is flushed too", async () => {
      await world().put("closed", "x");
      await fs().setMode?.(world().at("closed"), 0);

      await fs().flush?.([world().at("closed")]);

      expect((await statOf("closed")).size).toBe(1);
    });
  });

  describe("a file kept open for appending", () => {
    test("is created if missing, and appends at its end", async () => {
      const appender = await fs().appender?.(world().at("log"));
      await appender?.append(encode("one\n"), { durable: true });
      await fs().append(world().at("log"), encode("two\n"));
      await appender?.append(encode("three\n"));
      await appender?.close();

      expect(await world().read("log")).toBe("one\ntwo\nthree\n");
      expect((await statOf("log")).mode).toBe(0o600);
    });

    test("takes what several write at once, each in one piece and in their order", async () => {
      const one = await fs().appender?.(world().at("log"));
      const two = await fs().appender?.(world().at("log"));
      const lines = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(3000, "-"));
      await Promise.all(
        lines.map(async (line, index) =>
          (index % 2 === 0 ? one : two)?.append(
            encode(`${line}
`),
            { durable: index % 3 > 0 },
          ),
        ),
      );
      await Promise.all([one?.close(), two?.close()]);

      expect((await world().read("log")).trimEnd().split("\n")).toEqual(lines);
    });

    test("is closed once, and then takes nothing", async () => {
      const appender = await fs().appender?.(world().at("log"));
      const last = appender?.append(encode("kept"), { durable: true });
      await appender?.close();
      await appender?.close();

      await expect(appender?.append(encode("lost"))).rejects.toThrow(TypeError);
      await last;
      expect(decode((await fs().readFile(world().at("log"))).bytes)).toBe("kept");
    });

    test.for(["directory", "fifo", "none/log"])("a %s is refused", async (kind) => {
      if (kind === "directory") await fs().mkdir(world().at(kind));
      if (kind === "fifo") await world().fifo(world().at(kind));

      await expect(fs().appender?.(world().at(kind))).rejects.toMatchObject({
        code: { directory: "IS_DIRECTORY", fifo: "NOT_A_FILE" }[kind] ?? "NOT_FOUND",
      });
    });

    test("is closed with its host", async () => {
      const appender = await fs().appender?.(world().at("log"));
      await appender?.append(encode("kept"));
      await world().host[Symbol.asyncDispose]();

      await appender?.close();
    });
  });
}
