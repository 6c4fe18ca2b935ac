import type { CommandAnalysis } from "../../shell/index.ts";

/**
 * Programs that hand the work to another one, which sees only the real files, or that others look at while they run:
 * containers, daemons that build and watch, terminals that stay, remote machines, service managers, servers.
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

/** Servers and watchers by what they are asked for, which end when somebody ends them. */
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

/** An ampersand that leaves a command running, and is no part of `&&`, `&>`, `>&` or `|&`. */
const leaving = /(?<![&><|])&(?![&>])/gu;

/**
 * Whether a command may have to see and change the real files while it runs: one that is taken for such by mistake only
 * cannot be taken back, one that is not would run beside the files that others change.
 */
export function worksLive({ input, invocations }: CommandAnalysis): boolean {
  return (
    leavesBehind(input, invocations) ||
    staying.some((form) => form.test(input)) ||
    invocations.some(({ name }) => name !== undefined && programs.has(name))
  );
}

/** What ends a shell before it comes to its wait, or may. */
const endings: ReadonlySet<string> = new Set(["exec", "exit", "return", "set"]);
const quoted = /'[^']*'|"(?:[^"\\]|\\[^])*"/gu;

/** Whether it leaves something running that it does not wait for. A shell waits only for what it started itself. */
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

/** How many parentheses are open. */
function depthAt(plain: string, end: number): number {
  let depth = 0;
  for (const character of plain.slice(0, end)) {
    if (character === "(") depth++;
    else if (character === ")") depth--;
  }
  return depth;
}
