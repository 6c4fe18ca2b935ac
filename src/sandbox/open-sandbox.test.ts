import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { Sandboxes } from "./open-sandbox.ts";
import { drivers } from "./drivers/index.ts";
import { plainPolicy } from "./probe/cache.ts";

const at = temporaryFolder("open-sandbox");

test("the report of a driver has the version that its trial found, if it found one", async () => {
  const driver = drivers.find(({ name }) => name === "none");
  if (driver === undefined) throw new TypeError("There is no driver none.");
  const plain = driver.report(plainPolicy);
  const sandboxes = new Sandboxes({
    require: "best-effort",
    network: { kind: "none" },
    workspace: at(""),
    home: "/home/user",
    writable: [],
    words: [],
    probeFile: "/data/sandbox.json",
  });
  const report = await sandboxes.reportHere({ driver, report: plain, results: [] });

  expect(report).not.toHaveProperty("version");
  expect(
    await sandboxes.reportHere({ driver, report: { ...plain, version: "1.2" }, results: [] }),
  ).toEqual({ ...report, version: "1.2" });
});
