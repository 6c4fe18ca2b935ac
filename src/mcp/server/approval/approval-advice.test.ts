import { expect, test } from "vitest";
import { testKit } from "../../../../test/support/kit.ts";
import { approvalAdvice } from "./approval-advice.ts";

const start = "This client cannot show permission questions. The user who runs the server can";

test.each([
  {
    call: { name: "Bash", input: { command: "echo 'a' | app" } },
    says: `allow this call with the rule Bash(app) under permissions.allow, or by starting the server with --allow 'Bash(app)'.`,
    because: "one command is no reason for a mode that allows everything",
  },
  {
    call: { name: "Write", input: { file_path: "a.txt", content: "" } },
    says: `allow this call with the rule Edit(/a.txt) under permissions.allow, or by starting the server with --allow 'Edit(/a.txt)', or by starting the server with --mode acceptEdits.`,
    because: "a change has a mode of its own",
  },
  {
    call: { name: "Write", input: { file_path: "/srv/a.txt", content: "" } },
    says: `allow this call with the rules Read(//srv/a.txt) and Edit(//srv/a.txt) under permissions.allow, or by starting the server with --allow 'Read(//srv/a.txt)' --allow 'Edit(//srv/a.txt)'.`,
    because: "two rules are two options",
  },
  {
    call: { name: "Bash", input: { command: `app "it's"` } },
    says: String.raw`allow this call with the rule Bash(app "it's") under permissions.allow, or by starting the server with --allow 'Bash(app "it'\''s")'.`,
    because: "a quote ends no option",
  },
])("$call.name: $because", async ({ call, says }) => {
  const { kit } = await testKit({}, { files: { "src/a.txt": "" } });

  const outcome = await kit.call(call);

  expect(approvalAdvice(outcome)).toBe(`${start} ${says}`);
});
