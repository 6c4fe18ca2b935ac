/**
 * Compares `haft skills validate` with the reference validator of agentskills.io on 40 skills, valid and invalid ones:
 *
 *   npm run validate-skills
 *
 * Exits with 1 if the two disagree about a skill, or if either judges one otherwise than the table here says.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolkit, type Kit } from "../src/index.ts";
import { printedBy } from "./printed-by.ts";
import { commandFile, installOnDemand } from "./install-on-demand.ts";

interface Sample {
  readonly because: string;
  readonly valid: boolean;
  /** Name of the directory; without one, "sample". */
  readonly directory?: string;
  /** Text of SKILL.md. */
  readonly text: string;
}

/** A skill with these lines between its two lines `---`. */
function fields(...lines: readonly string[]): string {
  return `---\n${lines.join("\n")}\n---\n\nDo it.\n`;
}

/** A skill with a name and a description, and more lines of fields. */
function sample(...more: readonly string[]): string {
  return fields("name: sample", "description: Does it.", ...more);
}

function named(name: string, directory = name): Pick<Sample, "directory" | "text"> {
  return { directory, text: fields(`name: ${JSON.stringify(name)}`, "description: Does it.") };
}

const samples: readonly Sample[] = [
  { because: "a name and a description are enough", valid: true, text: sample() },
  { because: "a licence", valid: true, text: sample("license: MIT") },
  { because: "a compatibility", valid: true, text: sample("compatibility: Needs git") },
  {
    because: "metadata",
    valid: true,
    text: sample("metadata:", "  author: acme", '  version: "1"'),
  },
  { because: "tools", valid: true, text: sample("allowed-tools: Bash(git *) Read") },
  {
    because: "every key of the format",
    valid: true,
    text: sample(
      "license: MIT",
      "compatibility: git",
      "metadata:",
      "  a: b",
      "allowed-tools: Read",
    ),
  },
  { because: "a name of one letter", valid: true, ...named("a") },
  { because: "a name of digits and letters", valid: true, ...named("pdf2text") },
  { because: "a name with hyphens", valid: true, ...named("read-all-pages") },
  { because: "a name of 64 letters", valid: true, ...named("n".repeat(64)) },
  {
    because: "a description of 1024 characters",
    valid: true,
    text: fields("name: sample", `description: ${"d".repeat(1024)}`),
  },
  {
    because: "a compatibility of 500 characters",
    valid: true,
    text: sample(`compatibility: ${"c".repeat(500)}`),
  },
  {
    because: "a folded description",
    valid: true,
    text: fields("name: sample", "description: >", "  Does it", "  on two lines."),
  },
  {
    because: "quoted fields",
    valid: true,
    text: fields('name: "sample"', "description: 'Does it: really.'"),
  },
  {
    because: "a description beyond Latin",
    valid: true,
    text: fields("name: sample", "description: 説明 ✓ é"),
  },
  { because: "no body", valid: true, text: "---\nname: sample\ndescription: Does it.\n---\n" },
  { because: "a comment among the fields", valid: true, text: sample("# A comment.") },
  { because: "the name is missing", valid: false, text: fields("description: Does it.") },
  { because: "the description is missing", valid: false, text: fields("name: sample") },
  {
    because: "the description is empty",
    valid: false,
    text: fields("name: sample", 'description: ""'),
  },
  {
    because: "the description is blank",
    valid: false,
    text: fields("name: sample", 'description: "  "'),
  },
  {
    because: "a description of 1025 characters",
    valid: false,
    text: fields("name: sample", `description: ${"d".repeat(1025)}`),
  },
  {
    because: "a compatibility of 501 characters",
    valid: false,
    text: sample(`compatibility: ${"c".repeat(501)}`),
  },
  { because: "a compatibility that is a number", valid: false, text: sample("compatibility: 3") },
  { because: "a compatibility that is a list", valid: false, text: sample("compatibility: [git]") },
  { because: "an empty name", valid: false, ...named("", "sample") },
  { because: "a name in upper case", valid: false, ...named("Sample") },
  { because: "a name with an underscore", valid: false, ...named("my_skill") },
  { because: "a name with a blank", valid: false, ...named("my skill") },
  { because: "a name with a dot", valid: false, ...named("my.skill") },
  { because: "a hyphen at the beginning", valid: false, ...named("-sample") },
  { because: "a hyphen at the end", valid: false, ...named("sample-") },
  { because: "two hyphens in a row", valid: false, ...named("my--skill") },
  { because: "a name of 65 letters", valid: false, ...named("n".repeat(65)) },
  {
    because: "a name that is not that of the directory",
    valid: false,
    ...named("other", "sample"),
  },
  { because: "an unknown key", valid: false, text: sample("homepage: example") },
  { because: "a key of another program", valid: false, text: sample("context: fork") },
  { because: "no fields", valid: false, text: "Do it.\n" },
  { because: "fields that do not end", valid: false, text: "---\nname: sample\nDo it.\n" },
  { because: "fields that are a list", valid: false, text: "---\n- name\n- description\n---\n" },
];

const folder = await installOnDemand({ name: "skills-ref", version: "0.1.5" });
const validator = await commandFile(folder, "skills-ref");
const root = await realpath(await mkdtemp(path.join(tmpdir(), "haft-validate-skills-")));
let agreed = 0;
try {
  const workspace = path.join(root, "skills");
  await mkdir(workspace);
  await using kit = await createToolkit({ workspace, dataDirectory: path.join(root, "data") });
  for (const [index, each] of samples.entries()) {
    const directory = path.join(workspace, String(index), each.directory ?? "sample");
    await mkdir(directory, { recursive: true });
    await writeFile(path.join(directory, "SKILL.md"), each.text);
    const [own, reference] = [await judgedHere(directory, kit), await judgedThere(directory)];
    if (own.valid === each.valid && reference.valid === each.valid) agreed += 1;
    else {
      process.stdout.write(`${each.because}: expected ${verdict(each)}\n`);
      process.stdout.write(`  haft       ${verdict(own)} ${own.text}\n`);
      process.stdout.write(`  skills-ref ${verdict(reference)} ${reference.text}\n`);
    }
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
process.stdout.write(`haft and skills-ref agree on ${agreed} of ${samples.length} skills.\n`);
process.exitCode = agreed === samples.length ? 0 : 1;

interface Judgment {
  readonly valid: boolean;
  readonly text: string;
}

function verdict({ valid }: Pick<Judgment, "valid">): string {
  return valid ? "valid  " : "invalid";
}

/** As `haft skills validate` decides. */
async function judgedHere(directory: string, kit: Kit): Promise<Judgment> {
  const { faults, notes } = await kit.skills.validate(directory);
  const problems = [...faults, ...notes].map(({ message }) => message);
  return { valid: problems.length === 0, text: problems.join(" ") };
}

async function judgedThere(directory: string): Promise<Judgment> {
  const child = spawn(process.execPath, [validator, "validate", directory], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { code, text } = await printedBy(child);
  return { valid: code === 0, text: text.trim().replaceAll(/\s+/gu, " ") };
}
