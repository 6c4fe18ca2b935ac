/**
 * Runs the steps of `npm run check` side by side, and prints the output of each as one block when it ends. Fails where
 * a step fails, after all of them.
 */
import { spawn } from "node:child_process";

const steps: Readonly<Record<string, string>> = {
  tests: "vitest run --project pure",
  lint: "oxlint",
  types: "npm run --silent types",
  words: "npm run --silent words",
  format: "oxfmt --check",
};

/** The linter and the compiler are written in Go: they collect less often, which takes a fifth of their time. */
const env = { GOGC: "400", ...process.env };

/** Ends with whether the step passed, once its output is printed. */
async function passes(name: string, command: string): Promise<boolean> {
  const started = performance.now();
  const child = spawn(command, { env, shell: true, stdio: ["ignore", "pipe", "pipe"] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes: Buffer) => void printed.push(bytes));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const verdict = code === 0 ? "ok" : "FAILED";
  process.stdout.write(`== ${name}\n${Buffer.concat(printed).toString()}`);
  process.stdout.write(`-- ${verdict}: ${name} (${seconds} s)\n\n`);
  return code === 0;
}

const results = await Promise.all(
  Object.entries(steps).map(async ([name, command]) => ({
    name,
    isRight: await passes(name, command),
  })),
);
const failed = results.filter(({ isRight }) => !isRight).map(({ name }) => name);
if (failed.length > 0) {
  process.stdout.write(`Failed: ${failed.join(", ")}\n`);
  process.exitCode = 1;
}
