import { describe, expect, test } from "vitest";
import { artifactStore } from "../core/index.ts";
import { memoryHost } from "../host/index.ts";
import { directory, hourMs, store, texts } from "../../test/support/artifact-world.ts";
import { simpleTool, testKit } from "../../test/support/kit.ts";
import { sessionDirectory } from "./artifact-directory.ts";
import { artifacts } from "./store.ts";

const old = (size: number, ageMs: number) => ({
  kind: "file" as const,
  content: "x".repeat(size),
  mtimeMs: memoryHost().clock.now() - ageMs,
});

test("what is written to, here or by a task that runs, stays however long it is silent", async () => {
  const { host } = store();
  const kept = artifacts({
    host,
    directory,
    quota: { days: 1 },
    inUse: async () => new Set([`${directory}/task.txt`]),
  });
  const stream = kept.open("c1");
  await stream.write("one");
  const { bytes } = await host.fs.readFile(stream.path);
  const longAgo = { ...old(3, 48 * hourMs), content: new TextDecoder().decode(bytes) };
  for (const path of [stream.path, `${directory}/task.txt`, `${directory}/over.txt`]) {
    host.control.plant(path, longAgo);
  }

  expect(await kept.collect()).toMatchObject({ files: 1 });
  expect(Object.keys(texts(host)).toSorted()).toEqual(
    [stream.path, `${directory}/task.txt`].toSorted(),
  );

  await stream.end();
  expect(await kept.collect()).toMatchObject({ files: 1 });
});

test("those of a session are in its directory, and are collected with all others", async () => {
  const { host, store: kept } = store({ days: 1 });
  const ref = await kept.of("s").keep("c1", "of s");
  const stream = kept.of("t").open("c1");
  await stream.write("of t");
  await stream.end();
  kept.share("child", "s");
  const shared = await kept.of("child").keep("c1", "of the child");

  expect(ref?.path).toBe(`${directory}/${sessionDirectory("s")}/c1.txt`);
  expect(stream.path).toMatch(`${directory}/${sessionDirectory("t")}/c1-`);
  expect(shared?.path).toBe(`${directory}/${sessionDirectory("s")}/c1-2.txt`);
  expect((await kept.of(undefined).keep("c1", "of none"))?.path).toBe(`${directory}/c1.txt`);
  expect(kept.taken("c1")?.path).toBe(stream.path);

  for (const path of Object.keys(texts(host))) host.control.plant(path, old(3, 48 * hourMs));
  expect(await kept.collect({ dryRun: true })).toMatchObject({ files: 4, left: 0 });
  expect(await kept.collect()).toMatchObject({ files: 4, left: 0 });
  expect(texts(host)).toEqual({});
});

describe("a text kept whole", () => {
  test("is never replaced by one of the same call", async () => {
    const { host, store: kept } = store();

    const refs = await Promise.all(["one", "two", "three"].map((text) => kept.keep("c1", text)));

    expect(new Set(refs.map((ref) => ref?.path)).size).toBe(3);
    expect(Object.values(texts(host)).toSorted()).toEqual(["one", "three", "two"]);
  });
});

describe("what is kept", () => {
  test("is swept before the first artifact: what is too old, then the oldest until the rest fits", async () => {
    const { host, store: kept } = store({ totalBytes: 100, days: 7 });
    host.control.plant(`${directory}/ancient.txt`, old(1, 8 * 24 * hourMs));
    host.control.plant(`${directory}/older.txt`, old(60, 3 * hourMs));
    host.control.plant(`${directory}/newer.txt`, old(60, 2 * hourMs));

    await kept.keep("c1", "new");

    const names = Object.keys(texts(host)).map((path) => path.slice(directory.length + 1));
    expect(names.toSorted()).toEqual(["c1.txt", "newer.txt"]);
  });

  test("is left alone while another process may be using it, and then nothing more is taken", async () => {
    const { host, store: kept } = store({ totalBytes: 100 });
    host.control.plant(`${directory}/busy.txt`, old(200, hourMs / 2));

    expect(await kept.keep("c1", "new")).toBeUndefined();
    expect(Object.keys(texts(host))).toEqual([`${directory}/busy.txt`]);

    host.control.advance(hourMs);
    expect(await kept.keep("c2", "new")).toMatchObject({ chars: 3 });
    expect(Object.keys(texts(host))).toEqual([`${directory}/c2.txt`]);
  });

  test("goes by hand as well, and a dry run only counts", async () => {
    const { host, store: kept } = store({ days: 1 });
    host.control.plant(`${directory}/old.txt`, old(5, 25 * hourMs));
    host.control.plant(`${directory}/folder/deep.txt`, old(5, 25 * hourMs));

    expect(await kept.collect({ dryRun: true })).toEqual({ files: 1, bytes: 5, left: 0 });
    expect(texts(host)).toHaveProperty([`${directory}/old.txt`]);
    expect(await kept.collect()).toEqual({ files: 1, bytes: 5, left: 0 });
    expect(Object.keys(texts(host))).toEqual([`${directory}/folder/deep.txt`]);
  });

  test("is nothing where there is no folder yet", async () => {
    expect(await store().store.collect()).toEqual({ files: 0, bytes: 0, left: 0 });
  });
});

test("a tool that keeps what it prints has no second artifact, and its outcome names the first", async () => {
  const tool = simpleTool(
    "Prints",
    async (_input, context) => {
      const stream = context.service(artifactStore).open(context.callId);
      await stream.write("y\n".repeat(5000));
      await stream.end();
      return { content: "y\n".repeat(2000) };
    },
    { maxChars: 1000 },
  );
  const { kit, host } = await testKit({ tools: { extra: [tool] }, dataDirectory: "/data" });

  const outcome = await kit.call({ id: "c1", name: "Prints" });

  expect(outcome.artifact).toMatchObject({ chars: 10_000, lines: 5000 });
  expect(outcome.text).toContain(outcome.artifact?.path);
  expect(Object.keys(texts(host))).toEqual([outcome.artifact?.path]);
});

test("a secret printed in pieces is in no artifact, no event and no answer", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const seen: string[] = [];
  const tool = simpleTool("Prints", async (_input, context) => {
    const stream = context.service(artifactStore).open(context.callId);
    for (const piece of ["token gh", token.slice(2, 20), token.slice(20), "\nover"]) {
      context.output.write(piece);
      await stream.write(piece);
    }
    await stream.end();
    return { content: `token ${token}\nover` };
  });
  const options = { tools: { extra: [tool] }, dataDirectory: "/data" };
  const { kit, host } = await testKit({
    ...options,
    onEvent: (event) => {
      if (event.type === "call-output") seen.push(event.text);
    },
  });

  const outcome = await kit.call({ name: "Prints" });

  const hidden = "token [redacted: GitHub token]\nover";
  expect(outcome.text).toBe(hidden);
  expect(seen.join("")).toBe(hidden);
  expect(texts(host)[outcome.artifact?.path ?? ""]).toBe(hidden);

  const open = await testKit({ ...options, redactSecrets: false });
  const shown = await open.kit.call({ name: "Prints" });
  expect(texts(open.host)[shown.artifact?.path ?? ""]).toContain(token);
});

test("a folder that could not be made is made for the next artifact", async () => {
  const host = memoryHost({ files: { "/data": "in the way" } });
  const { store: kept } = store({}, host);

  expect(await kept.keep("c1", "lost")).toBeUndefined();
  await host.fs.remove("/data");
  const ref = await kept.keep("c2", "kept");

  expect(ref?.path).toBe(`${directory}/c2.txt`);
});
