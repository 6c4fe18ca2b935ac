import { expect, test } from "vitest";
import { fetched, frames, opened } from "../../test/support/http.ts";
import { asking, nextNamed, post, risky, serving } from "../../test/support/serving.ts";

test("nothing is approved without a reader of the events", async () => {
  const { tool, runs } = asking();
  const { server } = await serving([tool]);

  const { json } = await fetched(server, "/call", post(risky));

  expect(json).toMatchObject({ success: false, error: { code: "APPROVAL_REQUIRED" } });
  expect(runs()).toBe(0);
});

test("a reader of the events answers a question once", async () => {
  const { tool, runs } = asking();
  const { server } = await serving([tool]);
  const { answer } = await opened(server, "/events");
  const call = fetched(server, "/call", post(risky));
  const { data } = await nextNamed(answer, "permission-ask");

  const first = await fetched(server, "/answer", post({ id: data["id"], answer: "once" }));
  const result = await call;
  const second = await fetched(server, "/answer", post({ id: data["id"], answer: "once" }));

  expect(first.json).toEqual({ success: true });
  expect(result.json).toMatchObject({ success: true, result: { text: "ran" } });
  expect(second.status).toBe(404);
  expect(runs()).toBe(1);
});

test.each([1, "maybe", { kind: "save" }, { kind: "answer", choices: ["Yes"] }])(
  "a question stays open after %j, which does not answer it",
  async (wrong) => {
    const { tool, runs } = asking();
    const { server } = await serving([tool]);
    const { answer } = await opened(server, "/events");
    const call = fetched(server, "/call", post(risky));
    const { data } = await nextNamed(answer, "permission-ask");

    const first = await fetched(server, "/answer", post({ id: data["id"], answer: wrong }));
    const second = await fetched(server, "/answer", post({ id: data["id"], answer: "once" }));

    expect(first.status).toBe(400);
    expect(first.json).toMatchObject({ error: { code: "INVALID_INPUT" } });
    expect(second.json).toEqual({ success: true });
    expect((await call).json).toMatchObject({ success: true });
    expect(runs()).toBe(1);
  },
);

test("a denied question runs nothing", async () => {
  const { tool, runs } = asking();
  const { server } = await serving([tool]);
  const { answer } = await opened(server, "/events");
  const call = fetched(server, "/call", post(risky));
  const { data } = await nextNamed(answer, "permission-ask");

  await fetched(server, "/answer", post({ id: data["id"], answer: { kind: "deny" } }));

  expect((await call).json).toMatchObject({ error: { code: "DENIED_BY_USER" } });
  expect(runs()).toBe(0);
});

test("a question is refused when its last reader has gone", async () => {
  const { tool, runs } = asking();
  const { server } = await serving([tool], { answerGraceMs: 0 });
  const { request, answer } = await opened(server, "/events");
  const call = fetched(server, "/call", post(risky));
  await nextNamed(answer, "permission-ask");

  request.destroy();

  expect((await call).json).toMatchObject({
    error: { code: "APPROVAL_REQUIRED", message: expect.stringContaining("is gone") },
  });
  expect(runs()).toBe(0);
});

test("a question is refused when the time for an answer is over", async () => {
  const { tool } = asking();
  const { server } = await serving([tool], { askTimeoutMs: 1 });
  await opened(server, "/events");

  const { json } = await fetched(server, "/call", post(risky));

  expect(json).toMatchObject({ error: { code: "APPROVAL_REQUIRED" } });
});

test("calls of two sessions with questions at once get each its own answer", async () => {
  const { tool } = asking();
  const { server } = await serving([tool]);
  const { answer } = await opened(server, "/events");
  const calls = ["one", "two"].map((sessionId) =>
    fetched(server, "/call", post({ ...risky, sessionId })),
  );
  const ids = new Map<unknown, unknown>();

  for await (const { name, data } of frames(answer)) {
    if (name !== "permission-ask") continue;
    ids.set(data["sessionId"], data["id"]);
    const kind = data["sessionId"] === "one" ? "once" : "deny";
    await fetched(server, "/answer", post({ id: data["id"], answer: kind }));
    if (ids.size === 2) break;
  }

  const [one, two] = await Promise.all(calls);
  expect(one?.json).toMatchObject({ success: true });
  expect(two?.json).toMatchObject({ success: false, error: { code: "DENIED_BY_USER" } });
  expect(new Set(ids.values()).size).toBe(2);
});
