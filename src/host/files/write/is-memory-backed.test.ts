import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { flushedFile, isInMemory } from "./is-memory-backed.ts";

const at = temporaryFolder("in-memory");

/** Device numbers that no system uses. */
let device = -1n;

test.for([
  { kind: 0x01021994, is: true, because: "it is tmpfs" },
  { kind: 0x858458f6, is: true, because: "it is ramfs" },
  { kind: 0xef53, is: false, because: "ext4 is on a disk" },
  { kind: 0x6969, is: false, because: "NFS is on another machine" },
  { kind: 0x794c7630, is: false, because: "an overlay lies on some other one" },
  { kind: 0, is: false, because: "where nothing is known a disk is waited for" },
  { kind: undefined, is: false, because: "where it cannot be asked a disk is waited for" },
])("a file system of kind $kind is in memory: $is, $because", ({ kind, is }) => {
  device -= 1n;
  const asked: string[] = [];
  const kindAt = (path: string): number | undefined => {
    asked.push(path);
    return kind;
  };

  expect(isInMemory(device, "/one", kindAt)).toBe(is);
  expect(isInMemory(device, "/other", kindAt)).toBe(is);
  expect(asked).toEqual(["/one"]);
});

test("what does not exist is on no file system in memory", () => {
  device -= 1n;

  expect(isInMemory(device, at("nowhere"))).toBe(false);
});

test.for([true, false])("a file is flushed, in memory: %s", async (inMemory) => {
  const descriptor = openSync(at("file"), "w");
  writeSync(descriptor, "text");

  await flushedFile(descriptor, inMemory);
  closeSync(descriptor);

  expect(readFileSync(at("file"), "utf8")).toBe("text");
  // Above the limit of open descriptors of any system.
  await expect(flushedFile(2 ** 31 - 1, inMemory)).rejects.toMatchObject({ code: "EBADF" });
});
