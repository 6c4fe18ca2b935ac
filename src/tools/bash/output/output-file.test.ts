import { expect, test } from "vitest";
import { memoryArtifacts } from "../../../testing/bench-services.ts";
import { OutputFile } from "./output-file.ts";

test("a short output is kept nowhere", async () => {
  const store = memoryArtifacts();
  const kept = new OutputFile(store, "c", 10);

  await kept.add("12345");
  await kept.add("67890");

  expect([kept.stream, kept.held, kept.bytes, store.texts()]).toEqual([
    undefined,
    "1234567890",
    10,
    {},
  ]);
});

test("a long one is kept from its first character on, as it comes", async () => {
  const store = memoryArtifacts();
  const kept = new OutputFile(store, "c", 10);
  await kept.add("12345");
  await kept.add("678901");
  expect(Object.values(store.texts())).toEqual(["12345678901"]);

  await kept.add("\u00E9");

  expect(Object.values(store.texts())).toEqual(["12345678901\u00E9"]);
  expect([kept.held, kept.bytes]).toEqual([undefined, 13]);
});

test("without a place to keep it, a long one is only counted", async () => {
  const kept = new OutputFile(undefined, "c", 10);
  for (let at = 0; at < 100; at += 1) await kept.add("abc");

  expect([kept.stream, kept.held, kept.bytes]).toEqual([undefined, undefined, 300]);
});
