import { haftVersion } from "../version.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { openQuietly } from "../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../options.ts";
import { parseWords, refuseMore } from "../input/parse-arguments.ts";
import type { Terminal } from "../terminal.ts";

const help = `Usage: haft doctor [options]

Reports what works on this machine: the host, the search program, confinement, settings and their problems, and the
directories of stored data. It also lists how many tools come from where, and the file of each setting, hook, skill,
command, agent, server and plugin. Exits with 1 if something is broken.

${kitOptionsHelp}`;

const marks = { ok: "✓", warning: "!", broken: "✗" } as const;
const colours = { ok: "green", warning: "yellow", broken: "red" } as const;

/** `haft doctor`: reports what works here and what does not. */
export async function doctor(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, kitOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  refuseMore(rest, 0, "haft doctor takes no arguments.");
  const kit = await openQuietly(values, terminal);
  try {
    const report = await kit.doctor();
    if (values.json === true) terminal.out(`${JSON.stringify(report, null, 2)}\n`);
    else {
      terminal.out(
        `haft ${haftVersion()}, Node ${process.versions.node}, ${process.platform} ${process.arch}\n`,
      );
      for (const { name, state, text, hint } of report.checks) {
        terminal.out(`${terminal.style(colours[state], marks[state], "out")} ${name}: ${text}\n`);
        if (hint !== undefined) terminal.out(`    ${hint}\n`);
      }
    }
    return report.checks.some(({ state }) => state === "broken") ? exitCodes.failed : exitCodes.ok;
  } finally {
    await kit.dispose();
  }
}
