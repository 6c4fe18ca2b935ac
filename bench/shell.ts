/**
 * How fast commands are understood: `npm run bench:shell`. Prints the first use (import included),
 * the warm median and p95 over everyday commands, and the slowest hostile texts of 64 kB, each explained once, in
 * processor time of the thread, which other programs change less than the time of the clock.
 */
import type * as HaftShell from "../src/entries/shell.ts";

const start = performance.now();
// The published build is measured; the types are those of the source.
const built = new URL("../dist/entries/shell.js", import.meta.url).href;
const { explainCommand } = (await import(built)) as typeof HaftShell;
const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };
explainCommand("git status && ls -la | head", place);
const firstUse = performance.now() - start;

const everyday = [
  "ls -la",
  "cat package.json",
  "git status",
  "git diff --stat HEAD~1",
  "git log --oneline -20",
  "grep -rn 'createToolkit' src --include='*.ts'",
  "rg -n 'foo|bar' src | head -50",
  "find . -name '*.ts' -not -path './node_modules/*' | head -100",
  "sed -n '1,200p' src/index.ts",
  "npm test",
  "npm run build 2>&1 | tail -40",
  "cd packages/core && npm test -- --run",
  "mkdir -p dist/assets && cp -r public/* dist/assets",
  "rm -rf node_modules/.cache",
  'echo "$(date) $USER"',
  'for f in src/*.ts; do wc -l "$f"; done',
  "python3 -c 'print(1)'",
  "docker ps --format '{{.Names}}'",
  "curl -s https://example.com/api | jq '.items[] | .name'",
  "git add -A && git commit -m 'Fix the thing' && git push",
];
const commands = Array.from({ length: 200 }, (_, index) => {
  const command = everyday[index % everyday.length] ?? "ls";
  return index < everyday.length ? command : `${command} # ${index}`;
});

const times: number[] = [];
for (let round = 0; round < 60; round++) {
  for (const command of commands) {
    const before = performance.now();
    explainCommand(command, place);
    if (round >= 20) times.push((performance.now() - before) * 1000);
  }
}
times.sort((one, other) => one - other);
const at = (part: number): number => times[Math.floor(times.length * part)] ?? 0;

const size = 65_536;
const fill = (part: string): string => part.repeat(Math.floor(size / part.length));
const hostile: Readonly<Record<string, string>> = {
  words: `echo ${fill("word ")}`.slice(0, size),
  quotes: `echo ${fill("'a' ")}`.slice(0, size),
  commands: fill("ls;"),
  pipes: fill("ls|").slice(0, -1),
  substitutions: fill("$(ls) "),
  open: fill("$("),
  backticks: fill("`"),
  braces: fill("{"),
  parameters: fill("${a:-"),
  heredocs: fill("<<E "),
  arithmetic: `echo $((${fill("1+")
    .slice(0, -1)
    .slice(0, size - 20)}))`,
  tests: fill("[[ a ]] && "),
  globs: fill("*[a-z]"),
  sed: `sed '${fill("s/a/b/;").slice(0, size - 10)}' f`,
  awk: `awk '${fill("{print $1}").slice(0, size - 10)}' f`,
  heredocBody: `cat <<E\n${fill("line of text\n").slice(0, size - 20)}\nE`,
  backslashes: `echo ${fill("\\a")}`.slice(0, size),
  dashes: `ls ${fill("-a ")}`.slice(0, size),
  doubled: `echo "${fill("$a ")}`.slice(0, size),
  cases: `case x in ${fill("a) ls;; ")}`.slice(0, size),
  assignments: fill("a=b "),
  redirections: `ls ${fill(">$a ")}`.slice(0, size),
  directories: `git ${fill("-C a ").slice(0, size - 10)}log`,
  starts: `find . ${fill("-exec ls {} \\; ").slice(0, size - 10)}`,
  invisible: `echo ${fill("'\u00a0' ")}`.slice(0, size),
  quotedGaps: `sed -n "${fill("$a p;").slice(0, size - 10)}" f`,
  printing: `awk '{ ${fill("print ").slice(0, size - 20)}}' f`,
  values: `a=${"b".repeat(1000)}; cat ${fill("$a ")}`.slice(0, size),
};
const slow = Object.entries(hostile)
  .map(([name, text]) => {
    const before = process.threadCpuUsage();
    explainCommand(text, place);
    const { user, system } = process.threadCpuUsage(before);
    return { name, ms: (user + system) / 1000 };
  })
  .toSorted((one, other) => other.ms - one.ms);

process.stdout.write(
  `${JSON.stringify(
    {
      firstUseMs: Math.round(firstUse),
      medianUs: Math.round(at(0.5)),
      p95Us: Math.round(at(0.95)),
      slowest64kB: slow.slice(0, 6).map(({ name, ms }) => `${name} ${ms.toFixed(1)} ms`),
    },
    undefined,
    2,
  )}\n`,
);
