import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { contentText } from "../../src/core/index.ts";
import { openSessionStore, repairMessages, type Message } from "../../src/session/index.ts";
import {
  killedSession,
  plannedBranch,
  plannedBranchFiles,
  plannedLines,
  plannedTasks,
  plannedTree,
} from "./kill-agents-plan.ts";
import { runOnce, treeProblems, type Ended, type Killed, type KillPoint } from "./kill-points.ts";

const program = path.join(import.meta.dirname, "kill-agents-run.ts");

/** Number of conversations of the plan, each of which has at most two calls at once. */
const conversations = 6;

/** Kills a tree of agents at a point, continues its session, and checks what is left. */
export async function killAgentsAndContinue(point: KillPoint | undefined): Promise<Killed> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-killed-")));
  try {
    await prepare(folder);
    const first = await runOnce({ program, folder }, point);
    const problems: string[] = [];
    let last: Ended = first;
    if (first.wasKilled) {
      last = await runOnce({ program, folder }, undefined);
      if (!last.isDone) problems.push(`continuing failed: ${last.errors}`);
    } else if (!first.isDone) problems.push(`the run failed: ${first.errors}`);
    problems.push(...(await treeProblems(folder, plannedTree())));
    problems.push(...branchProblems(folder));
    problems.push(...(await lineProblems(folder, first.wasKilled)));
    problems.push(...todoProblems(last));
    problems.push(...(await conversationProblems(folder)));
    return { wasKilled: first.wasKilled, events: first.lines.length, problems };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function prepare(folder: string): Promise<void> {
  for (const name of ["work", "outside", "home"]) await mkdir(path.join(folder, name));
  const git = (...words: readonly string[]): void => {
    execFileSync("git", ["-C", path.join(folder, "work"), ...words], { stdio: "ignore" });
  };
  git("init", "-q", "-b", "main");
  git("config", "user.name", "t");
  git("config", "user.email", "t@example.invalid");
  git("commit", "-q", "--allow-empty", "-m", "first");
}

function branchProblems(folder: string): readonly string[] {
  return Object.entries(plannedBranchFiles()).flatMap(([name, content]) => {
    try {
      const words = ["-C", path.join(folder, "work"), "show", `${plannedBranch}:${name}`];
      const found = execFileSync("git", words, { encoding: "utf8", stdio: "pipe" });
      return found === content ? [] : [`${name} on the branch is ${found}`];
    } catch (error) {
      return [`${name} is not on the branch: ${String(error)}`];
    }
  });
}

async function lineProblems(folder: string, wasKilled: boolean): Promise<readonly string[]> {
  const text = await readFile(path.join(folder, "outside/log.txt"), "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  const twice = lines.filter((line, index) => lines.indexOf(line) !== index);
  const missing = plannedLines().filter((line) => !lines.includes(line));
  const isTooMany = missing.length > (wasKilled ? 2 * conversations : 0);
  return [
    ...twice.map((line) => `line ${line} was published twice`),
    ...(isTooMany ? [`lines ${missing.join(", ")} are missing`] : []),
  ];
}

function todoProblems({ lines }: Ended): readonly string[] {
  const found = lines.find((line) => line.startsWith("todos ")) ?? "";
  return found === `todos ${JSON.stringify(plannedTasks)}` ? [] : [`the task list is ${found}`];
}

async function conversationProblems(folder: string): Promise<readonly string[]> {
  const store = await openSessionStore({ file: path.join(folder, "data/sessions.db") });
  try {
    const problems: string[] = [];
    for (const agentId of [undefined, ...(await store.agents(killedSession))]) {
      const messages = await store.messages(killedSession, agentId);
      const isLegal = JSON.stringify(repairMessages(messages)) === JSON.stringify(messages);
      if (!isLegal) problems.push(`the conversation of ${agentId ?? "the user"} is not legal`);
    }
    const status = (await store.get(killedSession))?.status;
    if (status !== "done") problems.push(`the session is ${status}`);
    problems.push(...endProblems(await store.messages(killedSession)));
    return problems;
  } finally {
    await store.close();
  }
}

/** Every start of an agent has exactly one end that its parent got; the last one says that it is done. */
function endProblems(messages: readonly Message[]): readonly string[] {
  const names = ["sync-one", "sync-two", "back-one", "back-two", "tree-one"];
  return names.flatMap((name) => {
    const calls = messages.flatMap((message) =>
      message.role === "assistant"
        ? message.content.flatMap((part) =>
            part.type === "tool-call" &&
            part.name === "Agent" &&
            JSON.parse(part.input).description === name
              ? [part.id]
              : [],
          )
        : [],
    );
    const results = messages.flatMap((message) =>
      message.role === "tool"
        ? message.content.flatMap(({ callId, content }) =>
            calls.includes(callId) ? [contentText(content)] : [],
          )
        : [],
    );
    const started = results.filter((text) => !text.includes("It may or may not"));
    const mail = messages.flatMap((message) =>
      message.role === "user" &&
      contentText(message.content).includes(`(general: ${name}) has ended`)
        ? [contentText(message.content)]
        : [],
    );
    const shown = started.filter((text) =>
      /has ended: |: (?:done|interrupted|aborted|failed); /u.test(text),
    );
    const done = [...mail, ...shown].filter((text) => /has ended: done|: done; /u.test(text));
    return [
      ...(mail.length + shown.length === started.length
        ? []
        : [
            `${name}: ${started.length} starts, ${mail.length} messages, ${shown.length} results: ${JSON.stringify(results)}`,
          ]),
      ...(done.length === 1 ? [] : [`${name} was reported as done ${done.length} times`]),
    ];
  });
}
