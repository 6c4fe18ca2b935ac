import { expect, test } from "vitest";
import { world } from "./world.ts";

const programs = { bash: () => 0 };
const shell = { name: "Bash", input: { command: "npm test" } };
const personal = "/home/user/.haft/settings.json";

test.each([
  { link: ".haft/settings.local.json", target: personal, scope: "local" },
  { link: ".haft/settings.json", target: personal, scope: "project" },
  { link: ".haft", target: "/home/user/.haft", scope: "local" },
] as const)(
  "a yes whose rule cannot be saved because $link leads out of the workspace is a yes to this call",
  async ({ link, target, scope }) => {
    const { host, kit, asked } = await world(
      { settings: "load", answers: [{ kind: "save", rule: "Bash(npm test)", scope }] },
      { programs, files: { [personal]: "{}\n" } },
    );
    host.control.plant(`/project/${link}`, { kind: "symlink", target });

    const outcome = await kit.call(shell);
    const repeated = await kit.call(shell);
    await kit.dispose();

    expect(outcome).toMatchObject({
      status: "ok",
      decision: { kind: "ask", answeredBy: "user" },
    });
    expect(outcome.metadata["unsaved"]).toMatch(
      /^The rule was not saved, so the yes counts for this call only\. .* outside the workspace, .*\. Save it for the session, /u,
    );
    expect(outcome.text).not.toContain("not saved");
    expect(repeated.status).toBe("ok");
    expect(asked).toHaveLength(2);
    expect(host.control.texts()[personal]).toBe("{}\n");
  },
);

test.each([
  { because: "its file is not JSON", text: "{", said: "is not a JSON object" },
  { because: "its file holds rules elsewhere", text: '{"permissions":[]}', said: "does not hold" },
])("a rule that cannot be saved because $because leaves the yes", async ({ text, said }) => {
  const file = "/project/.haft/settings.local.json";
  const { host, kit } = await world(
    {
      settings: "load",
      answers: [{ kind: "save", rule: "Bash(npm test)", scope: "local" }],
    },
    { programs },
  );
  await host.fs.mkdir("/project/.haft");
  await host.fs.writeAtomic(file, new TextEncoder().encode(text));

  const outcome = await kit.call(shell);
  await kit.dispose();

  expect(outcome.status).toBe("ok");
  expect(outcome.metadata["unsaved"]).toContain(said);
  expect(host.control.texts()[file]).toBe(text);
});

test("a rule that cannot be written leaves the yes, and one that can says nothing", async () => {
  const { host, kit } = await world(
    {
      settings: "load",
      answers: [{ kind: "save", rule: "Bash(npm test)", scope: "local" }],
    },
    { programs },
  );
  const path = "/project/.haft/settings.local.json";
  const stop = host.control.fail({ path, operation: "writeAtomic", fails: "EROFS" });

  const outcome = await kit.call(shell);
  stop();
  const next = await kit.call(shell);
  await kit.dispose();

  expect(outcome.status).toBe("ok");
  expect(outcome.metadata["unsaved"]).toBe(
    `The rule was not saved, so the yes counts for this call only. The operating system does not permit this on ${path}.`,
  );
  expect(next.metadata).not.toHaveProperty("unsaved");
  expect(host.control.texts()[path]).toContain("Bash(npm test)");
});
