import { expect, test } from "vitest";
import { settled, testKit } from "../../../test/support/kit.ts";
import type { UserNotification } from "../../core/index.ts";
import { memoryHost, showOnDesktop, type MemoryHostOptions } from "../../host/index.ts";
import { scriptedModel } from "../../agent/index.ts";

const call = { name: "Notify", input: { title: "Tests are green", body: "Tag it; now" } };

test("a notification reaches the user, also in plan mode", async () => {
  const shown: UserNotification[] = [];
  const { kit } = await testKit({
    mode: "plan",
    notify: { show: (each) => void shown.push(each) },
  });

  const { text } = await kit.call(call);

  expect(text).toBe("Shown to the user.");
  expect(shown).toEqual([{ title: "Tests are green", body: "Tag it; now" }]);
  await kit.dispose();
});

test("without a user the tool is not offered, and a notification that cannot be shown is not an error", async () => {
  const { kit: alone } = await testKit();
  const { kit: broken } = await testKit({
    notify: {
      show: () => {
        throw new Error("no screen");
      },
      desktop: true,
    },
  });

  expect(alone.listings().some(({ name }) => name === "Notify")).toBe(false);
  expect((await broken.call(call)).text).toBe("Nothing here can show a notification.");
  await alone.dispose();
  await broken.dispose();
});

test.each([
  ["linux", "notify-send", ["--app-name=haft", "--", "-x", "$(id)"]],
  [
    "darwin",
    "osascript",
    ["-e", expect.stringContaining("display notification"), "--", "-x", "$(id)"],
  ],
  ["windows", "powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", expect.any(String)]],
] as const)("on %s it is a call of %s, with the texts as data", async (os, program, expected) => {
  const ran: (readonly string[])[] = [];
  const programs: NonNullable<MemoryHostOptions["programs"]> = {
    [program]: (args) => {
      ran.push(args);
      return 0;
    },
  };

  const isShown = await showOnDesktop(memoryHost({ os, programs }), { title: "-x", body: "$(id)" });

  expect(isShown).toBe(true);
  expect(ran.map((args) => args.slice(-expected.length))).toEqual([expected]);
  expect(ran.flat().filter((each) => each.includes("$(id)") && each !== "$(id)")).toEqual([]);
});

test("a desktop program that is missing or fails shows nothing", async () => {
  const note = { title: "a", body: "b" };

  expect(await showOnDesktop(memoryHost(), note)).toBe(false);
  expect(await showOnDesktop(memoryHost({ programs: { "notify-send": () => 1 } }), note)).toBe(
    false,
  );
});

test("questions and completions are notified of where that is asked for", async () => {
  const shown: UserNotification[] = [];
  const { kit } = await testKit({
    onAsk: async () => ({ kind: "deny" }),
    notify: { show: (each) => void shown.push(each), on: ["question", "completion"] },
  });
  const model = scriptedModel({
    format: 1,
    name: "writes",
    turns: [
      { calls: [{ name: "Write", input: { file_path: "a", content: "b" } }] },
      { text: "I could not.\nSorry." },
    ],
  });

  await kit.run({ task: "go", model }).result;
  await settled();

  expect(shown).toEqual([
    { title: "haft asks", body: "Create a?" },
    { title: "haft is done", body: "I could not." },
  ]);
  await kit.dispose();
});
