import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Missing } from "../sandbox.ts";
import { rememberedOverlay, type RememberedOverlay } from "./probe-cache.ts";

let directory: string;
let looks: number;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "haft-remembered-"));
  looks = 0;
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

function opened(answer: Missing | undefined, at = directory): RememberedOverlay {
  const look = async (): Promise<Missing | undefined> => {
    looks += 1;
    return answer;
  };
  return rememberedOverlay(path.join(directory, "overlay.json"), { directory: at }, look);
}

test("that overlays work is found out once", async () => {
  expect(await opened(undefined).probe()).toBeUndefined();
  expect(await opened(undefined).probe()).toBeUndefined();
  expect(looks).toBe(1);
});

test("what is missing is looked for each time: it may have come", async () => {
  expect(await opened({ reason: "No." }).probe()).toEqual({ reason: "No." });
  expect(await opened(undefined).probe()).toBeUndefined();
  expect(looks).toBe(2);
});

test("another directory, and forgotten results, are tried again", async () => {
  await opened(undefined).probe();
  await opened(undefined, tmpdir()).probe();
  expect(looks).toBe(2);
  await opened(undefined, tmpdir()).forget();
  await opened(undefined, tmpdir()).probe();
  expect(looks).toBe(3);
});
