import { expect, test } from "vitest";
import type { ProgressUpdate } from "../../core/index.ts";
import { memoryHost } from "../../testing/index.ts";
import { PacedOutput } from "./paced-output.ts";

function pacing() {
  const host = memoryHost();
  const written: string[] = [];
  const progress: ProgressUpdate[] = [];
  const context = {
    host,
    output: {
      write: (text: string, stream: "stdout" | "stderr" = "stdout") =>
        void written.push(`${stream}:${text}`),
    },
    progress: (update: ProgressUpdate) => void progress.push(update),
  };
  return {
    host,
    written,
    progress,
    paced: new PacedOutput(context, 100, () => ({ stream: "stdout", text: "" })),
  };
}

test("the first word is passed on at once, the next when a pause has passed", () => {
  const { host, paced, written } = pacing();
  paced.add("stdout", "a");
  paced.add("stdout", "b");
  paced.add("stderr", "c");
  paced.add("stderr", "d");
  expect(written).toEqual(["stdout:a"]);

  host.control.advance(99);
  expect(written).toEqual(["stdout:a"]);
  host.control.advance(1);

  expect(written).toEqual(["stdout:a", "stdout:b", "stderr:cd"]);
});

test("what waits is bounded, and progress is told no more often for it", () => {
  const { host, paced, written, progress } = pacing();
  for (let at = 0; at < 10; at += 1) paced.add("stdout", "x".repeat(40_000));

  expect(written).toHaveLength(10);
  expect(progress).toEqual([{ message: "40,000 characters printed", done: 40_000 }]);
  host.control.advance(100);
  paced.add("stdout", "y");
  expect(progress.at(-1)).toEqual({ message: "400,001 characters printed", done: 400_001 });
});

test("the end is not waited for, and no timer is left", () => {
  const { host, paced, written } = pacing();
  paced.add("stdout", "a");
  paced.add("stdout", "b");

  paced.flush();
  host.control.advance(1000);

  expect(written).toEqual(["stdout:a", "stdout:b"]);
});
