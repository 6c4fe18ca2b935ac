import { expect, test } from "vitest";
import type { ProgressUpdate } from "../../../core/index.ts";
import { memoryHost } from "../../../testing/index.ts";
import { PacedOutput } from "./throttle.ts";

function pacing() {
  const host = memoryHost();
  const written: string[] = [];
  const progress: ProgressUpdate[] = [];
  const latest: number[] = [];
  const show = (chars: number) => {
    latest.push(chars);
    return { stream: "stdout", text: "l".repeat(chars) } as const;
  };
  const context = {
    host,
    output: {
      write: (text: string, stream: "stdout" | "stderr" = "stdout") =>
        void written.push(`${stream}:${text}`),
    },
    progress: (update: ProgressUpdate) => void progress.push(update),
  };
  return { host, written, progress, latest, paced: new PacedOutput(context, 100, show) };
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

test("what waits is bounded, and does not make progress reports more frequent", () => {
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

test("of a flood the latest is passed on at each pause, and more of it at its end", () => {
  const { host, paced, written, latest } = pacing();
  paced.add("stdout", "x".repeat(999_999));
  expect(paced.isFlood).toBe(false);
  paced.add("stdout", "y");
  expect(paced.isFlood).toBe(true);
  paced.flush();
  const before = written.length;
  paced.count(5000);
  paced.add("stdout", "z".repeat(5000));
  expect(written).toHaveLength(before);
  host.control.advance(100);
  expect(written.slice(before)).toEqual([
    `stdout:\n[… 5,904 characters left out here …]\n${"l".repeat(4096)}`,
  ]);
  paced.count(100_000);
  paced.flush();
  paced.count(7);
  paced.flush();

  expect(written.slice(before + 1).map((text) => text.replaceAll("l", "").length)).toEqual([
    "stdout:\n[… 67,232 characters eft out here …]\n".length,
    "stdout:".length,
  ]);
  expect(latest).toEqual([4096, 32_768, 7]);
});
