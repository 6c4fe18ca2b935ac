import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { createToolkit } from "./index.ts";

test("the log on disk holds no secret that a call was given", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "haft-log-"));
  const secret = `ghp_${"a1".repeat(18)}`;
  const kit = await createToolkit({
    workspace: folder,
    dataDirectory: `${folder}-data`,
    eventLog: "file",
  });
  await kit.call({ name: "Write", input: { file_path: "a.txt", content: `key ${secret}` } });
  await kit.dispose();

  const log = await readFile(path.join(`${folder}-data`, "events.db"), "latin1");
  const wal = await readFile(path.join(`${folder}-data`, "events.db-wal"), "latin1").catch(
    () => "",
  );

  expect(log + wal).toContain("[redacted: GitHub token]");
  expect(log + wal).not.toContain(secret);
  await rm(folder, { recursive: true });
  await rm(`${folder}-data`, { recursive: true });
});

test("a log that cannot be opened is reported once, holds nothing, and calls run", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "haft-log-"));
  await mkdir(`${folder}-data/events.db`, { recursive: true });
  const kit = await createToolkit({
    workspace: folder,
    dataDirectory: `${folder}-data`,
    eventLog: "file",
  });

  const outcomes = [];
  for (const file_path of ["a.txt", "b.txt"]) {
    const input = { file_path, content: "1" };
    outcomes.push(
      await kit.call({ name: "Write", input }, { onAsk: async () => ({ kind: "once" }) }),
    );
  }

  expect(outcomes.map(({ status }) => status)).toEqual(["ok", "ok"]);
  expect(kit.events.file).toBeUndefined();
  expect(kit.workspace.problems).toEqual([
    {
      severity: "warning",
      message: expect.stringMatching(
        /^Events are not stored, calls run as before\. The event log .*events\.db cannot be opened/u,
      ),
      hint: "Check that it is a file you may write, or move it away to start a new one.",
    },
  ]);
  const { checks } = await kit.doctor();
  expect(checks.filter(({ text }) => text.startsWith("Events are not stored"))).toHaveLength(1);
  await kit.dispose();
  await rm(folder, { recursive: true });
  await rm(`${folder}-data`, { recursive: true });
});
