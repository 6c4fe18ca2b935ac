import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { ToolError, type WriteDraft } from "../../../core/index.ts";
import { LocalFs } from "../local-fs.ts";

const fs = new LocalFs();
const at = temporaryFolder("held");

test("a file is replaced after the awaited promise resolves, and its content is written by then", async () => {
  writeFileSync(at("waited"), "old");
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const writing = fs.writeAtomic(at("waited"), new TextEncoder().encode("new"), {
    hold: async () => {
      reached.resolve();
      await gate.promise;
    },
  });
  await reached.promise;

  const drafts = readdirSync(at("")).filter((name) => name.endsWith(".draft"));
  expect(drafts.map((name) => readFileSync(at(name), "utf8"))).toEqual(["new"]);
  expect(readFileSync(at("waited"), "utf8")).toBe("old");
  gate.resolve();
  await writing;
  expect(readFileSync(at("waited"), "utf8")).toBe("new");
});

test.each([null, undefined])(
  "where what a content waits for is rejected nothing is changed (ifMatch %s)",
  async (ifMatch) => {
    const name = ifMatch === null ? "never" : "kept";
    if (ifMatch !== null) writeFileSync(at(name), "old");
    const writing = fs.writeAtomic(at(name), new Uint8Array(3), {
      ...(ifMatch === null ? { ifMatch } : {}),
      hold: () => Promise.reject(new ToolError("NO_SPACE", "The disk is full.")),
    });

    await expect(writing).rejects.toMatchObject({ code: "NO_SPACE" });
    expect(existsSync(at(name)) ? readFileSync(at(name), "utf8") : null).toBe(
      ifMatch === null ? null : "old",
    );
    expect(readdirSync(at("")).filter((each) => each.endsWith(".draft"))).toEqual([]);
  },
);

test("a path is located as canonical does it, and what exists is known where every part of it does", async () => {
  writeFileSync(at("located"), "");
  symlinkSync("located", at("to-located"));
  symlinkSync("nowhere", at("to-nowhere"));

  expect(await fs.locate("to-located", { base: at("") })).toEqual({
    path: at("located"),
    exists: true,
    isFolder: false,
  });
  expect(await fs.locate(".", { base: at("") })).toMatchObject({ exists: true, isFolder: true });
  for (const [named, known] of [
    ["nowhere", false],
    ["to-nowhere", false],
    ["located/x", undefined],
  ] as const) {
    const { path: found, exists } = await fs.locate(named, { base: at("") });
    expect({ found, exists }).toEqual({
      found: await fs.canonical(named, { base: at("") }),
      exists: known,
    });
  }
});

test.each(["there", "missing"])(
  "a content that its caller makes safe takes its place then, and not at all where that fails: the file is %s",
  async (which) => {
    if (which === "there") writeFileSync(at("file"), "old");
    const before = which === "there" ? "old" : undefined;
    const seen = (): string | undefined =>
      existsSync(at("file")) ? readFileSync(at("file"), "utf8") : undefined;
    const write = async (hold: (draft: WriteDraft) => Promise<void>): Promise<unknown> =>
      await fs.writeAtomic(at("file"), new TextEncoder().encode("new"), {
        hold,
        ...(which === "there" ? {} : { ifMatch: null }),
      });

    const failing = write(async () => {
      throw new Error("The disk is broken.");
    });
    await expect(failing).rejects.toMatchObject({ code: "INTERNAL" });
    expect([seen(), readdirSync(at("")).length]).toEqual([before, before === undefined ? 0 : 1]);

    const told: unknown[] = [];
    await write(async ({ path }) => {
      await fs.flush([path]);
      told.push(path.startsWith(at(".file.")), readFileSync(path, "utf8"), seen());
    });
    expect(told).toEqual([true, "new", before]);
    expect([seen(), readdirSync(at(""))]).toEqual(["new", ["file"]]);
  },
);

test("no two drafts bear the same name, and none tells that of the next", async () => {
  const drafts: string[] = [];
  const data = new TextEncoder().encode("new");
  const hold = async ({ path }: WriteDraft): Promise<void> => void drafts.push(path);

  for (let count = 0; count < 200; count += 1) await fs.writeAtomic(at("f"), data, { hold });

  const tokens = drafts.map(
    (draft) => /\.f\.[0-9a-f]{6}(?<token>[0-9a-f]{12})\.draft$/u.exec(draft)?.[1],
  );
  expect(new Set(tokens).size).toBe(200);
  expect(tokens).not.toContain(undefined);
  // With a counter, most of the digits would stay the same.
  const digits = Array.from({ length: 12 }, (_, at12) => tokens.map((token) => token?.[at12]));
  for (const each of digits) expect(new Set(each).size).toBeGreaterThan(10);
});
