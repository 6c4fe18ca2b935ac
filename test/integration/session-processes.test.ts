import { spawn } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { openSessionStore, userMessage } from "../../src/session/index.ts";
import { typeScriptFlags } from "../support/from-source.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = temporaryFolder("session-processes");
const program = path.join(import.meta.dirname, "../support/write-sessions.ts");

interface Written {
  readonly sessions: readonly string[];
  readonly errors: string;
}

async function write(file: string, prefix: string, count: number): Promise<Written> {
  const child = spawn(
    process.execPath,
    [...typeScriptFlags, program, file, prefix, String(count)],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  await new Promise((resolve) => child.on("close", resolve));
  return { sessions: output.split("\n").filter((line) => line !== ""), errors };
}

test("200 sessions by 4 processes at once: nothing is lost, and no process finds the file locked", async () => {
  const file = at("data/sessions.db");

  const written = await Promise.all(["a", "b", "c", "d"].map((name) => write(file, name, 50)));

  expect(written.map(({ errors }) => errors)).toEqual(["", "", "", ""]);
  const store = await openSessionStore({ file });
  const sessions = await store.list();
  expect(sessions.map(({ sessionId }) => sessionId).toSorted()).toEqual(
    written.flatMap(({ sessions: ids }) => ids).toSorted(),
  );
  expect(sessions).toHaveLength(200);
  for (const { sessionId, status } of sessions) {
    expect(status).toBe("done");
    const turns = [1, 2, 3, 4, 5];
    expect(await store.messages(sessionId)).toEqual(
      turns.map((turn) => userMessage(`${sessionId} ${turn}`)),
    );
    expect(await store.callRecords(sessionId, "c")).toHaveLength(1);
  }
  await store.close();
});
