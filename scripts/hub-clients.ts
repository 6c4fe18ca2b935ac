/**
 * Installs a skill from the hub of the tests with two published clients, `skills` and `clawhub`, so that our own client is
 * tested against answers that theirs accept:
 *
 *   npm run hub-clients
 *
 * Exits with 1 if one of them does not find or install the skill exactly as it is served.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import {
  hubServer,
  notesSkill,
  serveClawHub,
  serveSkillsSh,
  serveWellKnown,
} from "../test/plugins/hub-server.ts";
import { printedBy } from "./printed-by.ts";
import { commandFile, installOnDemand } from "./install-on-demand.ts";

const skills = await commandFile(
  await installOnDemand({ name: "skills", version: "1.5.18" }),
  "skills",
);
const clawhub = await commandFile(
  await installOnDemand({ name: "clawhub", version: "0.20.0" }),
  "clawhub",
);

await using hub = await hubServer();
serveSkillsSh(hub);
serveWellKnown(hub);
serveClawHub(hub);
// Each client asks for another number of results.
const found = hub.answers.get("/api/search?q=notes&limit=20");
if (found !== undefined) hub.answers.set("/api/search?q=notes&limit=10", found);

interface Check {
  readonly name: string;
  readonly words: readonly string[];
  /** Text that is printed, or the directory in which the skill must be. */
  readonly expected: { readonly text: string } | { readonly directory: string };
}

const checks: readonly Check[] = [
  {
    name: "skills find, skills.sh",
    words: [skills, "find", "notes"],
    expected: { text: "acme/tools@notes" },
  },
  {
    name: "skills add, well-known index",
    words: [skills, "add", hub.url, "--yes", "--agent", "claude-code"],
    expected: { directory: ".claude/skills/notes" },
  },
  {
    name: "clawhub search",
    words: [clawhub, "search", "notes", "--limit", "20"],
    expected: { text: "notes  @ada" },
  },
  {
    name: "clawhub install",
    words: [clawhub, "install", "notes"],
    expected: { directory: "skills/notes" },
  },
];

let failures = 0;
for (const { name, words, expected } of checks) {
  const cwd = await mkdtemp(path.join(tmpdir(), "haft-hub-clients-"));
  try {
    const { code, text } = await run(words, cwd);
    const isRight =
      "text" in expected
        ? text.includes(expected.text)
        : await isInstalled(path.join(cwd, expected.directory));
    const isOk = code === 0 && isRight;
    if (!isOk) failures += 1;
    process.stdout.write(`${isOk ? "✓" : "✗"} ${name}\n${isOk ? "" : `${text}\n`}`);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
process.exitCode = failures === 0 ? 0 : 1;

/** Runs a client whose only hub is that of the tests, and which reports nothing to anyone. */
async function run(
  words: readonly string[],
  cwd: string,
): Promise<{ readonly code: unknown; readonly text: string }> {
  const child = spawn(process.execPath, words, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: cwd,
      CI: "1",
      NO_COLOR: "1",
      DO_NOT_TRACK: "1",
      DISABLE_TELEMETRY: "1",
      CLAWHUB_DISABLE_TELEMETRY: "1",
      CLAWHUB_REGISTRY: hub.url,
      CLAWHUB_SITE: hub.url,
      SKILLS_API_URL: hub.url,
      SKILLS_DOWNLOAD_URL: hub.url,
    },
  });
  const { code, text } = await printedBy(child);
  return { code, text: stripVTControlCharacters(text) };
}

async function isInstalled(directory: string): Promise<boolean> {
  for (const [name, content] of Object.entries(notesSkill)) {
    const installed = await readFile(path.join(directory, name), "utf8").catch(() => undefined);
    if (installed !== content) return false;
  }
  return true;
}
