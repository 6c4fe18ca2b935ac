// Kills a run with SIGKILL at random points, continues its session, and checks that the tree is the same, that nothing
// outside the workspace ran twice, and that the end of every agent was reported once:
// `npm run kill-points -- [points] [seed] [agents]`. The run has 40 calls; with `agents`, five agents below it.
import { killAgentsAndContinue } from "../test/support/kill-agents.ts";
import { killAndContinue } from "../test/support/kill-points.ts";
import { seededRandom } from "./seeded-random.ts";

const [wanted = "100", given = String(Math.floor(Math.random() * 2 ** 31)), kind = "calls"] =
  process.argv.slice(2);
const kill = kind === "agents" ? killAgentsAndContinue : killAndContinue;
const points = Number(wanted);
const random = seededRandom(Number(given));

const whole = await kill(undefined);
if (whole.problems.length > 0) throw new Error(whole.problems.join("; "));
process.stdout.write(`seed ${given}: a run that is not killed has ${whole.events} events\n`);
let killed = 0;
let wrong = 0;
for (let number = 0; number < points; number += 1) {
  const event = Math.floor(random() * whole.events);
  const delayMs = Math.floor(random() * 10);
  const { wasKilled, problems } = await kill({ event, delayMs });
  if (wasKilled) killed += 1;
  if (problems.length === 0) continue;
  wrong += 1;
  process.stdout.write(`${JSON.stringify({ event, delayMs, problems })}\n`);
}
process.stdout.write(
  `${points} points: ${killed} runs killed, ${wrong} ended with another tree, an effect or an end twice, or an illegal conversation\n`,
);
process.exitCode = wrong === 0 ? 0 : 1;
