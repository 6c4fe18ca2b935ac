import { describe, expect, test } from "vitest";
import { memoryHost } from "../../../host/index.ts";
import { loadSettings } from "../load-settings.ts";
import { overLimits } from "./limits.ts";

test("the upper of two limits stands, and the lower where it says nothing", () => {
  const lower = { read: { lines: 1, lineChars: 2 }, shownChars: { A: 1 } };

  expect(overLimits(lower, { read: { lines: 3 }, shownChars: { B: 2 } })).toEqual({
    read: { lines: 3, lineChars: 2 },
    shownChars: { A: 1, B: 2 },
  });
  expect(overLimits(lower, undefined)).toBe(lower);
});

async function load(files: Readonly<Record<string, unknown>>, trusted: boolean) {
  const host = memoryHost({
    files: Object.fromEntries(
      Object.entries(files).map(([path, limits]) => [path, JSON.stringify({ limits })]),
    ),
  });
  return await loadSettings({ host, workspace: "/project", home: "/home/user", trusted });
}
describe("limits in settings files", () => {
  const project = "/project/.haft/settings.json";
  const local = "/project/.haft/settings.local.json";
  const user = "/home/user/.haft/settings.json";

  test("the most particular place decides, number by number", async () => {
    const files = {
      [user]: { read: { lines: 100, lineChars: 10 } },
      [project]: { read: { lines: 5000 } },
      [local]: { read: { lines: 4000 } },
    };

    expect((await load(files, true)).limits).toEqual({ read: { lines: 4000, lineChars: 10 } });
  });

  test("a workspace that is not trusted lowers what holds without it, and raises nothing", async () => {
    const { limits, withheld } = await load(
      {
        [user]: { read: { lines: 3000 } },
        [project]: {
          read: { lines: 3001 },
          bash: { timeoutMs: 1000, maxTimeoutMs: 600_001 },
          shownChars: { Bash: 1 },
          artifacts: { days: 1 },
        },
        [local]: { read: { lines: 2999 } },
      },
      false,
    );

    expect(limits).toEqual({ read: { lines: 2999 }, bash: { timeoutMs: 1000 } });
    expect(withheld).toEqual([
      `${project}: limit read.lines 3001`,
      `${project}: limit bash.maxTimeoutMs 600001`,
      `${project}: limit shownChars.Bash 1`,
      `${project}: limit artifacts.days 1`,
    ]);
  });

  test("another program's file has no say, and a mistake is reported with its file", async () => {
    const { limits, problems } = await load(
      { "/project/.claude/settings.json": { read: { lines: 1 } }, [user]: { raed: {} } },
      true,
    );

    expect(limits).toEqual({});
    expect(problems).toMatchObject([
      { severity: "error", file: user, message: "There is no setting `limits.raed`." },
    ]);
  });
});
