import { expect, test } from "vitest";
import { haft, settingsWorld } from "../../../../test/support/cli.ts";

const settings = JSON.stringify({
  hooks: {
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [{ type: "command", command: "grep -q 'rm -rf' && exit 2; exit 0" }],
      },
    ],
    Stopp: [],
  },
});
const files = { ".claude/settings.json": settings };

test("haft hooks lists hooks with their place, and says what needs trust", async () => {
  await using world = await settingsWorld(files);

  const untrusted = await haft(["hooks"], { world });
  const trusted = await haft(["hooks", "list", "--trust"], { world });

  expect(untrusted.out).toMatch(
    /^PreToolUse\(Bash\) {2}grep -q 'rm -rf' && exit 2; exit 0 .*needs trust/u,
  );
  expect(untrusted.err).toMatch(/no event "Stopp"\. Did you mean Stop\?/u);
  expect(trusted.out).toMatch(/settings\.json:1 \(on failure: block\)/u);
});

test("haft hooks test runs the hooks of an event with a sample", async () => {
  await using world = await settingsWorld(files);
  const run = async (...words: readonly string[]) =>
    await haft(["hooks", "test", "--trust", ...words], { world });

  expect(await run("PreToolUse", "Bash", "command=rm -rf x")).toMatchObject({ code: 1 });
  expect(await run("PreToolUse", "Bash", "command=ls")).toMatchObject({ code: 0 });
  expect((await run("PreToolUse", "Read")).err).toMatch(/No hook runs for PreToolUse/u);
  expect((await run("PreToolUze")).code).not.toBe(0);
});
