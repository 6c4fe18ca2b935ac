import { mkdtemp, readFile, rm } from "node:fs/promises";
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
