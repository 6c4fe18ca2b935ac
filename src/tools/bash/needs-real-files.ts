import type { CommandAnalysis } from "../../shell/index.ts";

/**
 * Programs that delegate work to a process which sees only the real files, or that other processes observe while they
 * run: containers, build daemons and watchers, persistent terminals, remote machines, service managers, servers.
 */
const programs: ReadonlySet<string> = new Set(
  [
    "docker podman nerdctl buildah kubectl minikube vagrant bazel bazelisk buck buck2 watchman gradle gradlew",
    "tmux screen systemctl service launchctl ssh mosh nohup setsid disown daemonize at crontab",
    "mount umount fusermount fusermount3 sshfs inotifywait entr fswatch watchexec nodemon ts-node-dev",
    "webpack-dev-server live-server http-server json-server uvicorn gunicorn hypercorn puma unicorn",
    "redis-server mongod postgres mysqld caddy nginx ngrok cloudflared",
  ].flatMap((names) => names.split(" ")),
);

/** Command lines that start servers and watchers, which run until they are stopped. */
const staying = [
  /\b(?:npm|pnpm|yarn|bun)(?:\s+-\S+)*(?:\s+run)?\s+(?:start|dev|develop|serve|watch|preview|storybook)\b/u,
  /\b(?:vite|next|nuxt|astro|remix|gatsby|parcel)\s+(?:dev|develop|start|serve|preview)\b/u,
  /(?:^|[;&|\n]|\bnpx\s)\s*vite\s*(?:$|[;&|\n-])/u,
  /\bpython[\d.]*\s+(?:-\S+\s+)*-m\s+(?:http\.server|flask|uvicorn|gunicorn)\b/u,
  /\b(?:flask|rails|django-admin|manage\.py|artisan)\s+(?:run|runserver|server|s|serve)\b/u,
  /\bphp\s+-S\b/u,
  /\bcargo\s+(?:watch|leptos\s+watch)\b/u,
  /\bmake\s+(?:\S+\s+)*(?:watch|dev|serve|server)\b/u,
  /\s--?(?:watch|watchAll|serve|daemon)\b(?!=false)/u,
  /\b(?:tsc|sass|tailwindcss|esbuild|rollup|webpack)\b[^\n;|&]*\s-w\b/u,
];

/** Ampersand that starts a background command, as opposed to `&&`, `&>`, `>&` and `|&`. */
const leaving = /(?<![&><|])&(?![&>])/gu;

/**
 * Whether a command may have to see and change the real files while it runs. A false positive only means that the
 * command cannot be undone; a false negative would run it on files that others no longer see.
 */
export function needsRealFiles({ input, invocations }: CommandAnalysis): boolean {
  return (
    leavesBehind(input, invocations) ||
    staying.some((form) => form.test(input)) ||
    invocations.some(({ name }) => name !== undefined && programs.has(name))
  );
}

/** Commands that end the shell before it reaches its `wait`, or may do so. */
const endings: ReadonlySet<string> = new Set(["exec", "exit", "return", "set"]);
const quoted = /'[^']*'|"(?:[^"\\]|\\[^])*"/gu;

/** Whether it leaves a process running without waiting for it. A shell waits only for its own children. */
function leavesBehind(input: string, invocations: CommandAnalysis["invocations"]): boolean {
  const all = [...input.matchAll(leaving)];
  const last = all.at(-1)?.index;
  if (last === undefined) return false;
  const plain = input.replaceAll(quoted, (each) => "x".repeat(each.length));
  if (plain.includes("`") || invocations.some(({ name }) => endings.has(name ?? ""))) return true;
  if (all.some(({ index }) => plain[index] !== "&" || depthAt(plain, index) !== 0)) return true;
  return !invocations.some(
    ({ name, argv, context, span }) =>
      name === "wait" &&
      argv.length === 1 &&
      context === "list" &&
      span.start > last &&
      /(?:[;\n]|(?<!&)&)\s*$/u.test(plain.slice(0, span.start)),
  );
}

/** Number of open parentheses before `end`. */
function depthAt(plain: string, end: number): number {
  let depth = 0;
  for (const character of plain.slice(0, end)) {
    if (character === "(") depth++;
    else if (character === ")") depth--;
  }
  return depth;
}
