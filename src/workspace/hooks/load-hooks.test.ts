import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { loadHooks } from "./load-hooks.ts";

test("the line of a hook is found when it is shown, not when hooks are loaded", async () => {
  const asked: (readonly (string | number)[])[] = [];
  const host = memoryHost({ files: { "/project/check.sh": "" } });
  const handlers = [
    { type: "command", command: "./check.sh" },
    { type: "prompt", prompt: "Is it safe?", model: "openai:small" },
  ];

  const { set, problems } = await loadHooks({
    host,
    workspace: "/project",
    dataDirectory: "/data",
    trusted: true,
    recorded: undefined,
    sources: [
      {
        hooks: { PreToolUse: [{ hooks: handlers }] },
        disableAllHooks: false,
        scope: "project",
        file: "/project/.claude/settings.json",
        isForeign: true,
        needsTrust: false,
        lineOf(path) {
          asked.push(path);
          return 7;
        },
      },
    ],
  });

  expect(problems).toEqual([]);
  expect(asked).toEqual([]);
  expect(set.list().map(({ origin }) => origin.line)).toEqual([7, 7]);
  expect(asked).toEqual([0, 1].map((index) => ["PreToolUse", 0, "hooks", index]));
});
