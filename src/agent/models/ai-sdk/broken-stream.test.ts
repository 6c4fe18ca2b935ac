import { createServer, type ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { eventsOf, quickClock } from "../../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { loadModel } from "../load-model.ts";
import { startRun } from "../../loop/run.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** OpenAI-style server that replies to each request with the next of `answers`. */
async function serve(
  ...answers: readonly ((response: ServerResponse) => void)[]
): Promise<{ baseUrl: string; requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    answers[Math.min(requests, answers.length - 1)]?.(response);
    requests += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requests: () => requests };
}

function chunk(delta: unknown, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices })}\n\n`;
}

const text = chunk({ role: "assistant", content: "I will write it. " });
const callBegins = chunk({
  tool_calls: [
    {
      index: 0,
      id: "w",
      type: "function",
      function: { name: "Write", arguments: '{"content":"half' },
    },
  ],
});

async function runAgainst(...answers: readonly ((response: ServerResponse) => void)[]): Promise<{
  result: Awaited<ReturnType<typeof startRun>["result"]>;
  written: number;
  requests: number;
}> {
  let written = 0;
  const { baseUrl, requests } = await serve(...answers);
  const toolkit = fakeToolkit({
    Write: {
      writes: true,
      run: () => {
        written += 1;
        return "written";
      },
    },
  });
  const model = await loadModel("openai-compatible:m", { baseUrl, env: {} });
  const run = startRun({ toolkit, model, task: "go", clock: quickClock() });
  await eventsOf(run.events);
  return { result: await run.result, written, requests: requests() };
}

const finished = (response: ServerResponse): void => {
  response.end(`${chunk({ content: "Done." })}${chunk({}, "stop")}data: [DONE]\n\n`);
};

test("an answer whose connection breaks inside a call is asked for again, and the call is never run", async () => {
  const { result, written, requests } = await runAgainst((response) => {
    response.write(text);
    response.write(callBegins, () => response.destroy());
  });

  expect(result).toMatchObject({ status: "failed", error: { code: "MODEL_FAILED" } });
  expect(result.text).toBe("Stopped: openai-compatible:m failed: terminated");
  expect({ written, requests }).toEqual({ written: 0, requests: 5 });
});

test("an answer that ends inside a call without saying so is asked for again, and the call is never run", async () => {
  const { result, written, requests } = await runAgainst((response) => {
    response.end(text + callBegins);
  }, finished);

  expect(result).toMatchObject({ status: "done", text: "Done.", calls: 0 });
  expect(result.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect({ written, requests }).toEqual({ written: 0, requests: 2 });
});

test("an answer cut inside a call by the output limit is handed on as incomplete", async () => {
  const { result, written, requests } = await runAgainst((response) => {
    response.end(`${text}${callBegins}${chunk({}, "length")}data: [DONE]\n\n`);
  }, finished);

  expect(result).toMatchObject({ status: "done", text: "Done." });
  expect(result.messages[2]?.content[0]).toMatchObject({
    callId: "call-1",
    isError: true,
    content: [{ text: "Write: INCOMPLETE_CALL" }],
  });
  expect({ written, requests }).toEqual({ written: 0, requests: 2 });
});

test("an error in the middle of the stream fails the run with its reason", async () => {
  const { result } = await runAgainst((response) => {
    response.end(`${text}data: ${JSON.stringify({ error: { message: "out of memory" } })}\n\n`);
  });

  expect(result).toMatchObject({ status: "failed", error: { code: "MODEL_FAILED" } });
  expect(result.error?.message).toContain("out of memory");
});

test("a server that is not there is asked five times", async () => {
  const clock = quickClock();
  const model = await loadModel("openai-compatible:m", {
    baseUrl: "http://127.0.0.1:1/v1",
    env: {},
  });

  const result = await startRun({ toolkit: fakeToolkit(), model, task: "go", clock }).result;

  expect(result).toMatchObject({
    status: "failed",
    error: {
      code: "MODEL_FAILED",
      hint: "The provider cannot be reached or is busy: try again later.",
    },
  });
  expect(clock.waits).toHaveLength(4);
});

test("abort leaves a server that never answers", async () => {
  const { baseUrl } = await serve((response) => {
    response.write(text, () => run.abort());
  });
  const model = await loadModel("openai-compatible:m", { baseUrl, env: {} });
  const run = startRun({ toolkit: fakeToolkit(), model, task: "go" });

  expect(await run.result).toMatchObject({ status: "aborted" });
});
