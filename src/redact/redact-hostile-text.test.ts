import { describe, expect, test } from "vitest";
import { areLawsFull } from "../../test/support/law-runs.ts";
import { redact } from "./redact-text.ts";

describe("hostile text takes time by its length only", () => {
  // A quadratic algorithm takes minutes for the long text, and a tenth of that for the short one.
  const { size, limitMs } = areLawsFull
    ? { size: 2_000_000, limitMs: 5000 }
    : { size: 500_000, limitMs: 1000 };
  const filled = (unit: string): string => unit.repeat(Math.ceil(size / unit.length));

  test.each(
    [
      "eyJ-",
      "eyJaaaaaaaa.",
      "eyJaaaaaaaa.eyJ-",
      "sk-",
      "sk-a",
      "sk-ant-",
      "SG.aaaaaaaaaaaaaaaaaaaa",
      "://",
      "a://b:",
      "://b:cccccc",
      "-----BEGIN RSA PRIVATE KEY-----",
      "-----BEGIN RSA PRIVATE KEY-----\n",
      "-----BEGIN ",
      "-----END RSA PRIVATE KEY-----",
      "-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----",
      "AAAAAAAAAAAAAAAAAAAA\n-----END PRIVATE KEY-----",
      "-----BEGIN A B C D ",
      "Authorization: Bearer ",
      "authorization",
      "x-api-key: aaaaaaaaaaaaaaaa",
      ";Password=",
      "xoxb-",
      "github_pat_",
      "AKIA",
      "[redacted: ",
    ].map((unit) => [unit, filled(unit)] as const),
  )("%j again and again", (_unit, text) => {
    const before = process.cpuUsage();
    redact(text);

    expect(process.cpuUsage(before).user).toBeLessThan(limitMs * 1000);
  });

  test.each([
    ["eyJ", "a"],
    ["://", "a"],
    ["://a:", "b"],
    ["sk-", "a1"],
    ["github_pat_", "a"],
    ["-----BEGIN PRIVATE KEY-----", " "],
    ["-----BEGIN PRIVATE KEY-----\n", "A"],
    ["-----BEGIN PRIVATE KEY-----\n", "\n"],
    ["Authorization: Bearer ", "a"],
  ])("%j and then endless %j", (start, unit) => {
    const before = process.cpuUsage();
    redact(`${start}${filled(unit)}`);
    redact(`${filled(unit)}-----END PRIVATE KEY-----`);

    expect(process.cpuUsage(before).user).toBeLessThan(limitMs * 1000);
  });
});
