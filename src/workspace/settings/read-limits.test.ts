import { describe, expect, test } from "vitest";
import { defaultLimits } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { loadSettings } from "./load-settings.ts";
import { overLimits, readLimits } from "./read-limits.ts";

test("the defaults are limits", () => {
  expect(readLimits(defaultLimits).problems).toEqual([]);
});

test.each([
  { given: 7, message: "`limits` is an object of groups.", hint: "It is ignored." },
  { given: { bash: 7 }, message: "`limits.bash` is an object of numbers.", hint: "It is ignored." },
  {
    given: { bahs: {} },
    message: "There is no limit `limits.bahs`.",
    hint: 'It is ignored. Did you mean "bash"?',
  },
  {
    given: { bash: { timeoutMS: 1 } },
    message: "There is no limit `limits.bash.timeoutMS`.",
    hint: 'It is ignored. Did you mean "timeoutMs"?',
  },
  ...[0, -1, 1.5, "10", Number.NaN, Number.POSITIVE_INFINITY, null].map((value) => ({
    given: { read: { lines: value } },
    message: "`limits.read.lines` is a whole number above 0.",
    hint: "It is ignored.",
  })),
  {
    given: { shownChars: { Bash: 0 } },
    message: "`limits.shownChars.Bash` is a whole number above 0.",
    hint: "It is ignored.",
  },
])("$given is reported: $message", ({ given, message, hint }) => {
  const { values, problems } = readLimits(given);

  expect(problems.map((problem) => [problem.message, problem.hint])).toEqual([[message, hint]]);
  expect(values.size).toBe(0);
});

test("what is right beside what is wrong counts", () => {
  const { values } = readLimits({ read: { lines: 10, nothing: 1 }, shownChars: { MyTool: 5 } });

  expect(Object.fromEntries(values)).toEqual({ "read.lines": 10, "shownChars.MyTool": 5 });
});

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
      { severity: "error", file: user, message: "There is no limit `limits.raed`." },
    ]);
  });
});
