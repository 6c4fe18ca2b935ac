import { describe, expect, test } from "vitest";
import { localHost, memoryHost } from "./index.ts";

const wrong = (value: unknown): never => value as never;

describe("localHost", () => {
  test.each([
    [{ rigrep: "none" }, 'localHost has no option "rigrep". Did you mean "ripgrep"?'],
    [
      { launching: { helper: "sometimes" } },
      'localHost: launching.helper must be one of auto, always, never, not "sometimes".',
    ],
    [
      { patience: { terminate: Number.NaN } },
      "localHost: patience.terminate must be a number, 0 or more, not NaN.",
    ],
    [
      { environment: { A: 1 } },
      "localHost: environment must be an object of texts by name, not an object.",
    ],
    [
      { launcher: {} },
      "localHost: launcher must be a launcher, an object with start and dispose, not an object.",
    ],
    [null, "localHost takes an object of options, not null."],
  ])("refuses %j", async (options, message) => {
    await expect(localHost(wrong(options))).rejects.toThrow(new TypeError(message));
  });

  test("takes what may be without limit, and the environment of this process", async () => {
    const patience = { terminate: Number.POSITIVE_INFINITY, kill: 0 };
    const options = { patience, environment: process.env, launching: { confined: { max: 0 } } };

    await using host = await localHost(options);

    expect(host.id).toMatch(/^local-/u);
  });

  test("reads the environment when the first program starts", async () => {
    const environment: Record<string, string> = { PATH: "/usr/bin:/bin" };
    await using host = await localHost({ environment });

    environment["HAFT_SECRET_TOKEN"] = "x";

    expect(host.withheldEnvironment).toContain("HAFT_SECRET_TOKEN");
  });
});

describe("memoryHost", () => {
  test.each([
    [{ file: {} }, 'memoryHost has no option "file". Did you mean "files"?'],
    [{ files: { "a.txt": 1 } }, "memoryHost: files.a.txt must be a text or bytes, not 1."],
    [
      { now: "reel" },
      'memoryHost: now must be "real" or a number of milliseconds, not "reel". Did you mean "real"?',
    ],
    [{ os: "mac" }, 'memoryHost: os must be one of linux, darwin, windows, not "mac".'],
    [{ programs: { ls: "x" } }, 'memoryHost: programs.ls must be a function, not "x".'],
    [
      { responses: { "https://a.example/": 404 } },
      "memoryHost: responses.https://a.example/ must be a response or a function, not 404.",
    ],
  ])("refuses %j", (options, message) => {
    expect(() => memoryHost(wrong(options))).toThrow(new TypeError(message));
  });
});
