import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { localStore } from "../../src/host/store/index.ts";
import { moduleFlags } from "../support/from-source.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = temporaryFolder("two-processes");
const rounds = 25;

/** Counts in one file under a lock, and appends a long record for each number it took. */
const program = (name: string, directory: string): string => `
  const { localStore } = await import(${JSON.stringify(path.resolve("src/host/store/index.ts"))});
  const store = await localStore(${JSON.stringify(directory)});
  const area = store.area("tasks");
  const appender = await store.area("journal").append("records");
  for (let round = 0; round < ${rounds}; round += 1) {
    const lease = await area.lock("count", { leaseMs: 60_000 });
    const before = await area.read("count");
    const count = before === undefined ? 0 : Number(new TextDecoder().decode(before.bytes));
    await area.replace("count", new TextEncoder().encode(String(count + 1)), {
      ifMatch: before?.hash ?? null,
    });
    await lease.release();
    const record = JSON.stringify({ name: ${JSON.stringify(name)}, count, rest: "x".repeat(5000) });
    await appender.append(new TextEncoder().encode(record + "\\n"), { durable: round % 5 === 0 });
  }
  await appender.close();
`;

async function run(name: string): Promise<number | null> {
  const child = spawn(process.execPath, [...moduleFlags, program(name, at("data"))], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await once(child, "exit");
  return child.exitCode;
}

test(
  "two processes count in one local store and lose neither a number nor a record",
  { timeout: 120_000 },
  async () => {
    const codes = await Promise.all([run("a"), run("b")]);

    const count = (await (await localStore(at("data"))).area("tasks").read("count"))?.bytes;
    const records = readFileSync(at("data/journal/records"), "utf8").trimEnd().split("\n");
    const counts = records.map((line) => Number(/"count":(\d+)/u.exec(line)?.[1]));
    expect(codes).toEqual([0, 0]);
    expect(new TextDecoder().decode(count)).toBe(String(2 * rounds));
    expect(counts.toSorted((one, other) => one - other)).toEqual([...Array(2 * rounds).keys()]);
    expect(records.every((line) => line.endsWith('x"}'))).toBe(true);
    expect(readdirSync(at("data/tasks/.count.lock"))).toHaveLength(1);
  },
);
