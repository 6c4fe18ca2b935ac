import { describe, expect, test } from "vitest";
import type { ProcessChunk } from "../../../src/core/index.ts";
import type { World } from "./world.ts";

/**
 * Reading parts of a program's output: a reader that leaves is released at once, and the output stays the program's.
 */
export function outputReadingContract(world: World): void {
  const iterator = (id: string, afterSeq = 0): AsyncIterator<ProcessChunk> =>
    world().host.proc.output(id, afterSeq)[Symbol.asyncIterator]();
  const over = { done: true, value: undefined };

  describe("reading what a program prints", () => {
    test("who breaks off ends the reading, not the program, and may begin again", async () => {
      await world().start("a", ["cat"], { stdin: "pipe" });
      await world().host.proc.write("a", new TextEncoder().encode("one\n"));
      let seen = 0;
      for await (const chunk of world().host.proc.output("a", 0)) {
        seen = chunk.seq;
        break;
      }

      expect(await world().host.proc.list()).toHaveLength(1);
      await world().host.proc.write("a", new TextEncoder().encode("two\n"));
      await world().host.proc.write("a", "eof");
      expect((await world().finish("a", seen)).stdout).toBe("two\n");
    });

    test("who leaves while nothing is printed is let go at once, with all that was asked for", async () => {
      await world().start("a", ["sleep", "30"]);
      const reading = iterator("a");
      const asked = [reading.next(), reading.next()];
      // Begun, so that it is the program that is waited for.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });

      expect(await reading.return?.()).toEqual(over);
      expect(await Promise.all(asked)).toEqual([over, over]);
      expect(await reading.next()).toEqual(over);
      expect(await world().host.proc.list()).toHaveLength(1);
    });

    test("who leaves in the moment of asking is let go too", async () => {
      await world().start("a", ["sleep", "30"]);
      const reading = iterator("a");
      const asked = reading.next();

      expect(await reading.return?.()).toEqual(over);
      expect(await asked).toEqual(over);
    });

    test("who leaves before asking has read nothing, and leaving twice is leaving", async () => {
      await world().start("a", ["echo", "hello"]);
      const reading = iterator("a");

      expect(await reading.return?.()).toEqual(over);
      expect(await reading.return?.()).toEqual(over);
      expect(await reading.next()).toEqual(over);
      expect((await world().finish("a")).stdout).toBe("hello\n");
    });

    test("who asks several times at once is answered in order, and after the exit it is over", async () => {
      await world().start("a", ["echo", "hello"]);
      const reading = iterator("a");
      const [printed, ended, after] = await Promise.all([
        reading.next(),
        reading.next(),
        reading.next(),
      ]);

      expect(printed).toMatchObject({ done: false, value: { stream: "stdout" } });
      expect(ended).toMatchObject({ done: false, value: { exit: { code: 0 } } });
      expect(after).toEqual(over);
    });

    test("an error that a reader throws ends its reading and nothing else", async () => {
      await world().start("a", ["echo", "hello"]);
      const read = async (): Promise<void> => {
        for await (const chunk of world().host.proc.output("a", 0)) {
          throw new Error(`at ${chunk.seq}`);
        }
      };

      await expect(read()).rejects.toThrow("at 6");
      // There is nothing in a reading that an error could be thrown into.
      expect("throw" in iterator("a")).toBe(false);
      expect((await world().finish("a")).stdout).toBe("hello\n");
    });
  });
}
