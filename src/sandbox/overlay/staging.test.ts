import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import {
  dropOverlay,
  dropStaging,
  leaveStaging,
  makeOverlayDirectory,
  markOwner,
  stagingFor,
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

test.runIf(process.platform === "linux")(
  "files in the places for staging are an error, not a machine without overlays",
  async () => {
    const { TMPDIR } = process.env;
    for (const name of ["tmp", "data", "around/work"]) mkdirSync(at(name), { recursive: true });
    process.env["TMPDIR"] = at("tmp");
    try {
      const options = { workspace: at("around/work"), dataDirectory: at("data") };
      const places: (string | undefined)[] = [];
      for (let count = 0; count < 3; count += 1) {
        const place = await stagingFor(options);
        places.push(place);
        rmdirSync(place ?? "");
        writeFileSync(place ?? "", "");
      }

      const last = stagingFor(options);

      expect(places.map((place) => path.dirname(place ?? ""))).toEqual(
        ["data", "tmp", "around"].map(at),
      );
      await expect(last).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: `${at("data/overlay")} is not a private directory of this user.`,
      });
    } finally {
      process.env["TMPDIR"] = TMPDIR;
    }
  },
);

test.runIf(process.platform === "linux")(
  "a data directory that cannot be made is an error where it would be used",
  async () => {
    const { TMPDIR } = process.env;
    process.env["TMPDIR"] = "/dev";
    try {
      writeFileSync(at("file"), "");
      mkdirSync(at("around/work"), { recursive: true });
      const options = { workspace: at("around/work"), roots: [at("around")] };

      const here = stagingFor({ ...options, dataDirectory: at("file/data") });

      await expect(here).rejects.toMatchObject({ code: "ENOTDIR" });
      expect(await stagingFor({ ...options, dataDirectory: "/dev/null/data" })).toBeUndefined();
    } finally {
      process.env["TMPDIR"] = TMPDIR;
    }
  },
);

test("a workspace that cannot be read is an error, not a machine without overlays", async () => {
  const staging = stagingFor({ workspace: at("gone"), dataDirectory: at("data") });

  await expect(staging).rejects.toMatchObject({ code: "ENOENT" });
});

test("an overlay directory without space for its owner leaves nothing behind", async () => {
  mkdirSync(at("staging"));
  const journal = Object.assign(Object.create(null), {
    toString: () => {
      throw Object.assign(new Error("Full."), { code: "ENOSPC" });
    },
  });

  await expect(makeOverlayDirectory(at("staging"), journal)).rejects.toMatchObject({
    code: "ENOSPC",
  });
  expect(readdirSync(at("staging"))).toEqual([]);
});
