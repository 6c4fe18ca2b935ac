import {
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import {
  dropOverlay,
  dropStaging,
  leaveStaging,
  makeOverlayDirectory,
  markOwner,
} from "./staging.ts";

const at = temporaryFolder("staging");

/** Overlay with more files than are removed in one batch. */
function overlay(name: string): string {
  const directory = at(name);
  mkdirSync(`${directory}/u0/deep`, { recursive: true });
  mkdirSync(`${directory}/t0`);
  symlinkSync(at(""), `${directory}/l0`);
  for (let index = 0; index < 600; index += 1) writeFileSync(`${directory}/u0/deep/${index}`, "");
  markOwner(directory);
  return directory;
}

test("programs that remove one overlay at the same time do not fail", async () => {
  const directory = overlay("haft-overlay-a");

  const drops = [1, 2, 3].map(async () => dropOverlay(directory, { isQuiet: true }));

  await Promise.all(drops);
  expect(readdirSync(at(""))).toEqual([]);
});

test("an overlay that is being removed stays its owner's", async () => {
  const directory = overlay("haft-overlay-a");

  const dropped = dropOverlay(directory, { isQuiet: true });
  const isOwned = existsSync(`${directory}/owner`);
  await dropStaging(at(""));
  await dropped;

  expect(isOwned).toBe(true);
  expect(existsSync(directory)).toBe(false);
});

test("a new overlay has an owner from the first moment, and one without is removed", async () => {
  const names = ["haft-overlay-gone", "haft-draft-old", "haft-draft-new"];
  for (const name of names) mkdirSync(at(name));
  utimesSync(at("haft-draft-old"), 1, 1);
  const made = await makeOverlayDirectory(at(""));

  await dropStaging(at(""));

  expect(readdirSync(at("")).map(at)).toEqual([at("haft-draft-new"), made]);
});

test("a staging directory that another program removed is made again", async () => {
  const directory = await makeOverlayDirectory(at("staging"));

  expect(existsSync(directory)).toBe(true);
  await leaveStaging(at("staging"));
  expect(existsSync(directory)).toBe(true);
});

test("the staging directory of a data directory stays, for others may have it mounted", async () => {
  for (const name of ["overlay", "other"]) mkdirSync(at(name));

  for (const name of ["overlay", "other"]) await leaveStaging(at(name));

  expect(readdirSync(at(""))).toEqual(["overlay"]);
});
