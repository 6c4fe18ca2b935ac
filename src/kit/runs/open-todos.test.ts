import { expect, test } from "vitest";
import { saying, storedKits } from "../../../test/support/stored-kits.ts";
import { scriptedModel } from "../../agent/index.ts";

const { open } = storedKits("open-todos");

const todos = [{ title: "write the report" }, { title: "read the log" }, { title: "ask Ada" }];

test("after a compaction the conversation has the open todos of the session, and what the caller keeps", async () => {
  const kit = await open({ mode: "acceptEdits" });
  const calls = todos.map((input) => ({ name: "TaskCreate", input }));
  const planning = scriptedModel({
    format: 1,
    name: "plans",
    turns: [{ calls }, { text: "I have a plan. ".repeat(500) }],
  });
  const { sessionId, result } = kit.run({ task: "plan it", model: planning });
  expect(await result).toMatchObject({ status: "done", calls: 3, denials: [] });
  const listed = await kit.tasks.list();
  const [report, log, ada] = todos.map(({ title }) => listed.find((task) => task.title === title));
  await kit.tasks.stop(ada?.id ?? "");
  await kit.run({
    task: "plan something else",
    model: scriptedModel({
      format: 1,
      name: "plans",
      turns: [{ calls: [{ name: "TaskCreate", input: { title: "elsewhere" } }] }, { text: "ok" }],
    }),
  }).result;
  const { model, requests } = saying("done");

  await kit.run({
    sessionId,
    task: "go on",
    model,
    backgroundModel: saying("The summary.").model,
    compaction: {
      atTokens: 1000,
      keepTurns: 1,
      keep: () => [{ name: "Branch", text: "main" }],
    },
  }).result;

  const sent = JSON.stringify(requests[0]?.messages);
  expect(sent).toContain("The summary.");
  expect(sent).toContain(String.raw`Branch:\nmain\n\nOpen todos:\n`);
  expect(sent).toContain(
    String.raw`- ${report?.id} (pending): write the report\n- ${log?.id} (pending): read the log`,
  );
  expect(sent).not.toContain("ask Ada");
  expect(sent).not.toContain("elsewhere");
  await kit.dispose();
});
