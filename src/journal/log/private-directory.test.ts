import { expect, test } from "vitest";
import { ToolError } from "../../core/call/errors.ts";
import { makeOwnFolder } from "./private-directory.ts";

test("a folder of haft's own is nobody else's", async () => {
  const made: unknown[] = [];

  await makeOwnFolder({ mkdir: async (...given) => void made.push(given) }, "/data/journal");

  expect(made).toEqual([["/data/journal", { mode: 0o700 }]]);
});

test("a failure keeps its code and data, and says how to have another folder", async () => {
  const refused = new ToolError("ACCESS_DENIED", "Not permitted.", { data: { path: "/data" } });

  await expect(
    makeOwnFolder({ mkdir: () => Promise.reject(refused) }, "/data"),
  ).rejects.toMatchObject({
    code: "ACCESS_DENIED",
    message: "What haft keeps for undo cannot be kept. Not permitted.",
    hint: expect.stringContaining("--data-dir"),
    data: { path: "/data" },
  });
});

test("an error that is not of the file system stays what it is", async () => {
  const fault = new RangeError("odd");

  await expect(makeOwnFolder({ mkdir: () => Promise.reject(fault) }, "/data")).rejects.toBe(fault);
});
