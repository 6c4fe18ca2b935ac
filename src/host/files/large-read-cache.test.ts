import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import type { HostFile } from "../../core/index.ts";
import { LargeReadCache } from "./read-cache.ts";
import { LocalFs } from "./local-fs.ts";

const changedAt = { ctimeMs: 1000n };

test.for([
  { bytes: 999_999, age: 500, kept: false, because: "it is small" },
  { bytes: 1_000_000, age: 19, kept: false, because: "one more change might not show" },
  { bytes: 1_000_000, age: 20, kept: true, because: "any other change would show" },
])("$bytes bytes changed $age ms ago: $because", ({ bytes, age, kept }) => {
  const last = new LargeReadCache();
  const content = { bytes: new Uint8Array(bytes), hash: "sha256:a" };

  last.keep(content, "version 1", { stats: changedAt, beganMs: 1000 + age });

  expect(last.of("version 1")?.bytes).toBe(kept ? content.bytes : undefined);
  expect(last.of("version 1")?.hash).toBe(kept ? content.hash : undefined);
  expect(last.of("version 2")).toBeUndefined();
});

test("a large file that is held is not read again until it changes", async () => {
  const root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-last-large-"));
  try {
    const fs = new LocalFs();
    const file = path.join(root, "large");
    writeFileSync(file, "a".repeat(1_000_000));
    let held: HostFile = await fs.readFile(file);
    let again: HostFile = await fs.readFile(file);
    // Right after the change, each read reads the file again.
    while (again.bytes !== held.bytes) {
      held = again;
      again = await fs.readFile(file);
    }
    const small = fs.readFile(file, { maxBytes: 999_999 });
    await expect(small).rejects.toMatchObject({ code: "TOO_LARGE" });
    expect(again.hash).toBe(held.hash);
    expect(again.stat).toEqual(held.stat);

    appendFileSync(file, "b");
    const changed = await fs.readFile(file);

    expect(changed.bytes.length).toBe(1_000_001);
    expect(changed.hash).not.toBe(held.hash);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
