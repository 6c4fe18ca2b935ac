import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { HaftEvent } from "../core/index.ts";
import type { Model } from "../agent/index.ts";
import { createToolkit } from "./index.ts";

const secret = ["gh", "p_", "Zk3vQm8XtR5wLp2NcY7bHs9JdF4gAe6uVx1T"].join("");

/** A model that says the text in pieces of this size. */
function saying(text: string, size: number): Model {
  return {
    id: "fake:m",
    async *stream() {
      for (let at = 0; at < text.length; at += size) {
        yield { type: "text", text: text.slice(at, at + size) };
      }
      yield { type: "finish", reason: "stop" };
    },
  };
}

test.each([1, 6, 1000])(
  "a secret that a model says in pieces of %s is neither shown nor stored",
  async (size) => {
    const folder = await mkdtemp(path.join(tmpdir(), "haft-hidden-"));
    const dataDirectory = `${folder}-data`;
    const kit = await createToolkit({ workspace: folder, dataDirectory, eventLog: "file" });
    const live: HaftEvent[] = [];
    kit.events.subscribe((event) => live.push(event));

    const task = `push with ${secret}`;
    await kit.run({ task, model: saying(`use ${secret} now`, size) }).result;
    await kit.dispose();

    const database = new DatabaseSync(path.join(dataDirectory, "events.db"));
    const rows = database.prepare("SELECT body FROM events ORDER BY position").all();
    database.close();
    const stored = rows.map(({ body }): HaftEvent => JSON.parse(String(body)));
    for (const events of [live, stored]) {
      expect(JSON.stringify(events)).not.toContain(secret);
      expect(spoken(events)).toBe("use [redacted: GitHub token] now");
    }
    expect(stored.filter(({ type }) => type === "model-text")).toHaveLength(1);
    await rm(folder, { recursive: true });
    await rm(dataDirectory, { recursive: true });
  },
);

function spoken(events: readonly HaftEvent[]): string {
  return events.map((event) => (event.type === "model-text" ? event.text : "")).join("");
}
