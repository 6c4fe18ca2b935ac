import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { systemProgram } from "../../programs/index.ts";
import { bwrap } from "../drivers/bwrap.ts";
import { landlock } from "../drivers/landlock.ts";
import { probe } from "./probe.ts";
import type { ProbeResult } from "./probe-driver.ts";
import { keep, machineKey, plainPolicy, rememberedProbe } from "./cache.ts";
import type { SandboxDriver } from "../sandbox.ts";
import { unshare } from "../drivers/unshare.ts";

const at = temporaryFolder("remembered-probe");
const drivers = [bwrap, landlock, unshare];

/** Drivers of which the given ones work, and the names of those tried. */
function trial(working: readonly string[]) {
  const tried: string[] = [];
  const look = async (driver: SandboxDriver): Promise<ProbeResult> => {
    tried.push(driver.name);
    const works = working.includes(driver.name);
    const report = { ...driver.report(plainPolicy), version: "1.0" };
    return { driver: driver.name, works, probes: [], ...(works ? { report } : { isLack: true }) };
  };
  return { tried, remembered: rememberedProbe(at("sandbox.json"), look) };
}

async function chosen({ remembered }: ReturnType<typeof trial>): Promise<string> {
  const { driver } = await probe({ require: "best-effort", drivers, probe: remembered.probe });
  return driver.name;
}

test("a driver that worked is not tried again", async () => {
  await chosen(trial(["bwrap"]));
  const next = trial(["bwrap"]);

  expect(await chosen(next)).toBe("bwrap");
  expect(next.tried).toEqual([]);
});

test("a stronger driver that failed is tried again by the next program", async () => {
  expect(await chosen(trial(["unshare"]))).toBe("unshare");
  const next = trial(["bwrap", "unshare"]);

  expect(await chosen(next)).toBe("bwrap");
  expect(next.tried).toEqual(["bwrap"]);
});

test("whatever is written there, nothing weaker is chosen, nor reported as stronger", async () => {
  await chosen(trial(["bwrap", "unshare"]));
  const { key }: { key: string } = JSON.parse(readFileSync(at("sandbox.json"), "utf8"));
  const enforcing = { ...bwrap.report(plainPolicy), provider: "unshare" };
  const forged = {
    key,
    works: [["unshare", "1"]],
    failed: [["bwrap", "broken"]],
    results: [
      ["bwrap", { driver: "bwrap", works: false, probes: [] }],
      ["unshare", { driver: "unshare", works: true, report: enforcing, probes: [] }],
    ],
    strongest: "unshare",
  };
  writeFileSync(at("sandbox.json"), JSON.stringify(forged));

  expect(await chosen(trial(["bwrap", "unshare"]))).toBe("bwrap");
  const { remembered } = trial([]);
  expect((await remembered.probe(unshare)).report?.filesystem).toBe("none");
});

test("a weaker driver than before is named as such, also after all are tried again", async () => {
  await chosen(trial(["bwrap", "unshare"]));
  const { remembered } = trial(["unshare"]);
  expect(await remembered.strongerBefore("bwrap")).toBeUndefined();

  await remembered.forget();

  const next = trial(["unshare"]);
  expect(await chosen(next)).toBe("unshare");
  expect(await next.remembered.strongerBefore("unshare")).toBe("bwrap");
});

test("a driver that worked before and fails once is tried a second time", async () => {
  await chosen(trial(["bwrap"]));
  let count = 0;
  const remembered = rememberedProbe(at("sandbox.json"), async (driver) => {
    count += 1;
    const report = driver.report(plainPolicy);
    return { driver: driver.name, works: count > 1, report, probes: [] };
  });
  await remembered.forget();

  expect((await remembered.probe(bwrap)).works).toBe(true);
});

/** Chooses after all drivers were forgotten, where bwrap worked before and now fails. */
async function chosenAgain(isLack: boolean): Promise<string> {
  await chosen(trial(["bwrap", "unshare"]));
  const look = async ({ name }: SandboxDriver): Promise<ProbeResult> => {
    const report = unshare.report(plainPolicy);
    return { driver: name, works: name === "unshare", isLack, probes: [], report };
  };
  await rememberedProbe(at("sandbox.json"), look).forget();
  const { probe: next } = rememberedProbe(at("sandbox.json"), look);
  const { driver } = await probe({ require: "best-effort", drivers, probe: next });
  return driver.name;
}

test("a driver that worked and suddenly fails is not replaced by a weaker one", async () => {
  await expect(chosenAgain(false)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    retryable: true,
    message:
      "The sandbox bwrap worked before and does not work now, so no command was started with less protection.",
  });
});

test("a driver that worked and now lacks something is replaced by a weaker one", async () => {
  expect(await chosenAgain(true)).toBe("unshare");
});

test("a driver that worked before another start of the machine may fail", async () => {
  await chosen(trial(["bwrap", "unshare"]));
  const kept: object = JSON.parse(readFileSync(at("sandbox.json"), "utf8"));
  writeFileSync(at("sandbox.json"), JSON.stringify({ ...kept, key: "other" }));
  const remembered = rememberedProbe(at("sandbox.json"), async ({ name }) => ({
    driver: name,
    works: name === "unshare",
    probes: [],
    report: unshare.report(plainPolicy),
  }));

  const { driver } = await probe({ require: "best-effort", drivers, probe: remembered.probe });

  expect([driver.name, await remembered.strongerBefore(driver.name)]).toEqual(["unshare", "bwrap"]);
});

test("a trial that cannot be made once is made a second time where the driver worked", async () => {
  await chosen(trial(["bwrap"]));
  let count = 0;
  const remembered = rememberedProbe(at("sandbox.json"), async ({ name }) => {
    count += 1;
    if (count === 1) throw new Error("It was killed.");
    return { driver: name, works: true, report: bwrap.report(plainPolicy), probes: [] };
  });
  await remembered.forget();

  expect((await remembered.probe(bwrap)).works).toBe(true);
});

test.each(["", "[]", "null", '{"key":1,"works":{}}', '{"works":[["x","1"],["bwrap",2],3]}'])(
  "a file that holds %j is ignored",
  async (text) => {
    writeFileSync(at("sandbox.json"), text);
    const first = trial(["bwrap"]);

    expect(await chosen(first)).toBe("bwrap");
    expect(first.tried).toEqual(["bwrap"]);
  },
);

test("a driver that failed is not tried again by the same program, until all are forgotten", async () => {
  const { remembered, tried } = trial([]);
  await remembered.probe(bwrap);
  await remembered.probe(bwrap);
  expect(tried).toEqual(["bwrap"]);

  await remembered.forget();
  await remembered.probe(bwrap);
  expect(tried).toEqual(["bwrap", "bwrap"]);
});

test("one that never worked here is not tried a second time, nor one that works", async () => {
  const { remembered, tried } = trial(["landlock"]);

  await remembered.probe(bwrap);
  await remembered.probe(landlock);
  expect(tried).toEqual(["bwrap", "landlock"]);
  await remembered.forget();
  await remembered.probe(landlock);
  expect(tried).toEqual(["bwrap", "landlock", "landlock"]);
});

test("a weaker driver that works as well does not replace the strongest", async () => {
  const first = trial(["bwrap", "unshare"]);
  await first.remembered.probe(bwrap);
  await first.remembered.probe(unshare);

  expect(await first.remembered.strongerBefore("unshare")).toBe("bwrap");
});

test("a stronger driver that works now is the strongest", async () => {
  const { remembered } = trial(["bwrap", "unshare"]);
  await remembered.probe(unshare);
  await remembered.probe(bwrap);

  expect(await remembered.strongerBefore("unshare")).toBe("bwrap");
});

test("where nothing worked, nothing is left of what is forgotten", async () => {
  writeFileSync(at("sandbox.json"), "{}");

  await trial([]).remembered.forget();

  expect(readdirSync(at(""))).toEqual([]);
});

test("a version is remembered with the driver, and none where there was none", async () => {
  await chosen(trial(["bwrap"]));
  const silent = rememberedProbe(at("other.json"), async (driver) => ({
    driver: driver.name,
    works: true,
    probes: [],
    report: driver.report(plainPolicy),
  }));
  await silent.probe(bwrap);

  const report = bwrap.report(plainPolicy);
  expect((await trial([]).remembered.probe(bwrap)).report).toEqual({ ...report, version: "1.0" });
  expect((await rememberedProbe(at("other.json")).probe(bwrap)).report).toEqual(report);
});

test.each([
  { why: "of another machine start", change: { key: "other" }, tried: ["bwrap"] },
  { why: "without a key", change: { key: undefined }, tried: ["bwrap"] },
  { why: "with an odd version", change: { works: [["bwrap", "<b>"]] }, tried: ["bwrap"] },
  { why: "as it was written", change: {}, tried: [] },
])("what is remembered $why has $tried tried", async ({ change, tried }) => {
  await chosen(trial(["bwrap"]));
  const stored: object = JSON.parse(readFileSync(at("sandbox.json"), "utf8"));
  writeFileSync(at("sandbox.json"), JSON.stringify({ ...stored, ...change }));
  const next = trial(["bwrap"]);

  await chosen(next);

  expect(next.tried).toEqual(tried);
});

test("what is remembered is for this user alone, and whole", async () => {
  await keep(at("own/deep/kept.json"), { key: "1" });

  expect(readFileSync(at("own/deep/kept.json"), "utf8")).toBe('{"key":"1"}');
  expect(readdirSync(at("own/deep"))).toEqual(["kept.json"]);
  const modes = ["own/deep", "own/deep/kept.json"].map((name) => statSync(at(name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
});

test("the key of a machine has the start, the namespaces, the rights and the programs", async () => {
  const key: unknown[] = JSON.parse(await machineKey());

  expect(await machineKey()).toBe(JSON.stringify(key));
  expect(key).toHaveLength(8);
  expect(key[6]).toBe(process.version);
  const stamps = ["bwrap", "unshare"].map((name) => {
    const program = systemProgram(name);
    if (program === undefined) return [null, null, null];
    const { size, mtimeMs } = statSync(program);
    return [program, size, mtimeMs];
  });
  expect(key[7]).toEqual(stamps);
});
