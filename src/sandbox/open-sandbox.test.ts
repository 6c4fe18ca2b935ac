import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { Sandboxes } from "./open-sandbox.ts";
import { drivers } from "./drivers/index.ts";
import { emptyRequest } from "./policy/sandbox-request.ts";
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
    statusDirectories: [],
    probeFile: "/data/sandbox.json",
  });
  const report = await sandboxes.reportHere({ driver, report: plain, results: [] });

  expect(report).not.toHaveProperty("version");
  expect(
    await sandboxes.reportHere({ driver, report: { ...plain, version: "1.2" }, results: [] }),
  ).toEqual({ ...report, version: "1.2" });
});

test("sandboxes are disposed after the trial of a driver that an aborted call began", async () => {
  const none = drivers.find(({ name }) => name === "none");
  if (none === undefined) throw new TypeError("There is no driver none.");
  const trial = Promise.withResolvers<{ reason: string }>();
  const steps: string[] = [];
  const sandboxes = new Sandboxes({
    require: "best-effort",
    driver: { ...none, name: "slow", missing: async () => await trial.promise },
    network: { kind: "none" },
    workspace: at(""),
    home: "/home/user",
    writable: [],
    statusDirectories: [],
    probeFile: at("sandbox.json"),
  });

  const probing = sandboxes.probed().catch(() => steps.push("tried"));
  const disposing = sandboxes.dispose().then(() => steps.push("disposed"));
  trial.resolve({ reason: "It is slow." });
  await Promise.all([probing, disposing]);

  expect(steps).toEqual(["tried", "disposed"]);
  await expect(sandboxes.probed()).rejects.toMatchObject({ code: "ABORTED" });
});

test("an aborted call prepares nothing once the sandboxes are disposed", async () => {
  const none = drivers.find(({ name }) => name === "none");
  if (none === undefined) throw new TypeError("There is no driver none.");
  const asked = Promise.withResolvers<void>();
  const trial = Promise.withResolvers<undefined>();
  const after: string[] = [];
  let isDisposed = false;
  const sandboxes = new Sandboxes({
    require: "best-effort",
    driver: {
      ...none,
      name: "slow",
      missing: async () => {
        asked.resolve();
        return await trial.promise;
      },
      prepare: async (policy) => {
        if (isDisposed) after.push("prepared");
        return await none.prepare(policy);
      },
    },
    network: { kind: "none" },
    workspace: at(""),
    home: "/home/user",
    writable: [],
    statusDirectories: [],
    probeFile: at("sandbox.json"),
  });

  const opening = sandboxes.open(emptyRequest).then(
    () => after.push("opened"),
    () => undefined,
  );
  await asked.promise;
  const disposing = sandboxes.dispose().then(() => (isDisposed = true));
  trial.resolve(undefined);
  await Promise.all([opening, disposing]);

  expect(after).toEqual([]);
});

test.each([
  { code: "EMFILE", because: "it only failed this time", isRejected: true },
  { code: "unknown", because: "it does not work here", isRejected: false },
])("whether all drivers can be tried where one fails: $because", async ({ code, isRejected }) => {
  const none = drivers.find(({ name }) => name === "none");
  if (none === undefined) throw new TypeError("There is no driver none.");
  const prepare = async (): Promise<never> => {
    throw Object.assign(new Error("It failed."), { code });
  };
  const sandboxes = new Sandboxes({
    require: "best-effort",
    driver: { ...none, name: "broken", prepare },
    network: { kind: "none" },
    workspace: at(""),
    home: "/home/user",
    writable: [],
    statusDirectories: [],
    probeFile: at("sandbox.json"),
  });

  const [survey] = await Promise.allSettled([sandboxes.survey()]);
  await sandboxes.dispose();

  expect(survey.status).toBe(isRejected ? "rejected" : "fulfilled");
});
