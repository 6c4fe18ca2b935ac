import path from "node:path";

/** Session of the run that is killed. */
export const killedSession = "killed";

/** Branch of the agent that works in a checkout of its own. */
export const plannedBranch = "kill-work";

export interface PlannedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Running it twice leaves the same tree. False for a call with an effect outside the workspace. */
  readonly mayRepeat: boolean;
}

/** Agents by the name that begins their task; `main` talks to the user. */
export const roles = ["main", "sync-one", "sync-two", "back-one", "back-two", "tree-one"] as const;

export type Role = (typeof roles)[number];

/** Titles of the tasks in the list. */
export const plannedTasks = ["first task", "second task"];

/** Calls of each agent. */
export function planOf(role: Role, folder: string): readonly PlannedCall[] {
  if (role === "main") return mainPlan(folder);
  const commit = "git add -A && (git diff --cached --quiet || git commit -q -m work)";
  return [
    write(`${role}-a.txt`, role),
    publish(`${role} 1`),
    bash(`printf ${role} > ${role}-b.txt`),
    append(folder, `${role} 2`),
    ...(role === "tree-one" ? [bash(commit)] : [inBackground(role), publish(`${role} 3`)]),
  ];
}

function mainPlan(folder: string): readonly PlannedCall[] {
  return [
    ...plannedTasks.map((title) => call("TaskCreate", { title })),
    agent("back-one", "background"),
    agent("sync-one", "sync"),
    write("main-a.txt", "main"),
    publish("main 1"),
    agent("tree-one", "worktree"),
    agent("back-two", "background"),
    inBackground("main"),
    append(folder, "main 2"),
    agent("sync-two", "sync"),
    bash("printf main > main-b.txt"),
  ];
}

/** Files of the workspace after the plan, with their content. */
export function plannedTree(): Readonly<Record<string, string>> {
  const here = roles.filter((role) => role !== "tree-one");
  return Object.fromEntries(
    here.flatMap((role) => [
      [`${role}-a.txt`, role],
      [`${role}-b.txt`, role],
      [`${role}-bg.txt`, role],
    ]),
  );
}

/** Files on the branch of the agent in a worktree. */
export function plannedBranchFiles(): Readonly<Record<string, string>> {
  return { "tree-one-a.txt": "tree-one", "tree-one-b.txt": "tree-one" };
}

/** Lines that are written outside the workspace, each once. */
export function plannedLines(): readonly string[] {
  const children = roles.filter((role) => role !== "main");
  return [
    "main 1",
    "main 2",
    ...children.flatMap((role) => [
      `${role} 1`,
      `${role} 2`,
      ...(role === "tree-one" ? [] : [`${role} 3`]),
    ]),
  ];
}

function call(name: string, input: PlannedCall["input"], mayRepeat = true): PlannedCall {
  return { name, input, mayRepeat };
}

function write(file: string, content: string): PlannedCall {
  return call("Write", { file_path: file, content });
}

function bash(command: string): PlannedCall {
  return call("Bash", { command });
}

function inBackground(role: string): PlannedCall {
  return call("Bash", {
    command: `sleep 0.05; printf ${role} > ${role}-bg.txt`,
    run_in_background: true,
  });
}

function publish(line: string): PlannedCall {
  return call("Publish", { line }, false);
}

function append(folder: string, line: string): PlannedCall {
  return call(
    "Bash",
    { command: `echo '${line}' >> ${path.join(folder, "outside/log.txt")}` },
    false,
  );
}

function agent(role: Role, mode: string): PlannedCall {
  const branch = mode === "worktree" ? { branch_name: plannedBranch } : {};
  return call("Agent", { prompt: `${role}: do it all`, description: role, mode, ...branch });
}
