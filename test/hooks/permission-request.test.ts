import { expect, test } from "vitest";
import { answering, hookWorld } from "./hook-world.ts";

const rewriting = (input: string) =>
  `cat > /dev/null; cat <<JSON\n{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":${input}}}}\nJSON`;

test("a PermissionRequest hook that rewrites the input differently each time does not loop without end", async () => {
  const input = '{"file_path":"f-$RANDOM$RANDOM.txt","content":"x"}';
  await using world = await hookWorld({ PermissionRequest: rewriting(input) });
  let asked = 0;
  await using kit = await world.open({
    onAsk: async () => {
      asked += 1;
      return { kind: "deny" };
    },
  });

  const outcome = await kit.call({ name: "Write", input: { file_path: "a.txt", content: "x" } });

  expect(outcome.isError).toBe(true);
  expect(outcome.error?.message).toMatch(/rewrit|changed/u);
  expect(asked).toBeLessThanOrEqual(1);
}, 60_000);

test("one that rewrites it once is judged again, and the call runs with the new input", async () => {
  await using world = await hookWorld({
    PermissionRequest: rewriting('{"file_path":"b.txt","content":"y"}'),
  });
  await using kit = await world.open();

  const outcome = await kit.call({ name: "Write", input: { file_path: "a.txt", content: "x" } });

  expect(outcome.status).toBe("ok");
  expect(await world.read("b.txt")).toBe("y");
  expect(await world.read("a.txt")).toBeUndefined();
});

test("an answer that is not one leaves the question to the user", async () => {
  await using world = await hookWorld({
    PermissionRequest: answering({ hookSpecificOutput: { hookEventName: "PermissionRequest" } }),
  });
  await using kit = await world.open({ onAsk: async () => ({ kind: "deny" }) });

  const outcome = await kit.call({ name: "Write", input: { file_path: "a.txt", content: "x" } });

  expect(outcome.error?.code).toBe("DENIED_BY_USER");
});
