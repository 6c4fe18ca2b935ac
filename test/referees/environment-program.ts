import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createToolkit, type DoctorReport, type Kit, type Outcome } from "../../src/index.ts";

/**
 * Runs in an environment under test, as the program of a user of the library there: reads what the kit says
 * of itself, has it do a small piece of work, lets a hostile program run, and asks for what may not be had.
 */
export interface Order {
  readonly workspace: string;
  /** Default: in the temporary directory, for where little else can be written. */
  readonly dataDirectory?: string;
}

/** Part of an outcome that says how its programs were held. */
interface Held {
  readonly provider: string;
  readonly filesystem: string;
  readonly network: string;
  readonly ipc: string;
  readonly process: string;
  readonly gaps: readonly string[];
  readonly because?: string;
  readonly files?: { readonly overlay: string; readonly because?: string };
}

export interface Found {
  readonly uid: number;
  readonly doctor: DoctorReport;
  readonly work: Said & { readonly held: Held };
  readonly attempts: Said & { readonly held: Held };
  /** How far a change that no text mentions could be undone, and whether it was. */
  readonly undo: { readonly level: string | undefined; readonly isGone: boolean };
  /** Outcome of a command where only a sandbox that enforces would do. */
  readonly enforced: Said & { readonly provider: string | undefined };
}

interface Said {
  readonly status: string;
  readonly text: string;
  readonly code?: string | undefined;
  readonly hint?: string | undefined;
}

const work = `set -e
echo made > made.txt
git add made.txt
git -c user.name=haft -c user.email=haft@localhost commit -qm made
node -e 'console.log(require("node:child_process").execFileSync("git", ["log", "-1", "--format=%s"]).toString().trim())'
echo "in $TMPDIR" > "$TMPDIR/file"
cat "$TMPDIR/file" > /dev/null
`;

if (process.argv[2] !== undefined) {
  const order: Order = JSON.parse(process.argv[2]) as Order;
  process.stdout.write(`\n${JSON.stringify(await find(order))}\n`);
}

async function find({ workspace, dataDirectory = `${tmpdir()}/data` }: Order): Promise<Found> {
  mkdirSync(dataDirectory, { recursive: true });
  const options = { workspace, dataDirectory, mode: "bypassPermissions" as const };
  const kit = await createToolkit({ ...options, sandbox: { network: "none" } });
  try {
    const doctor = await kit.doctor();
    writeFileSync(`${workspace}/work.sh`, work);
    const worked = await bash(kit, "sh work.sh");
    const attempted = await bash(kit, "node attempts.cjs");
    const changed = await bash(kit, "node -e 'require(`node:fs`).writeFileSync(`undone`, ``)'");
    if (changed.undo !== undefined) await kit.undo().catch(() => undefined);
    const required = await createToolkit({ ...options, sandbox: { require: "enforced" } });
    const refused = await bash(required, "node -e 'console.log(`ran`)'");
    await required.dispose();
    return {
      uid: process.getuid?.() ?? 0,
      doctor,
      work: { ...said(worked), held: heldIn(worked) },
      attempts: { ...said(attempted), held: heldIn(attempted) },
      undo: { level: changed.undo?.level, isGone: !existsSync(`${workspace}/undone`) },
      enforced: { ...said(refused), provider: heldIn(refused)?.provider },
    };
  } finally {
    await kit.dispose();
  }
}

async function bash(kit: Kit, command: string): Promise<Outcome> {
  return await kit.call({ name: "Bash", input: { command } });
}

function said({ status, text, error }: Outcome): Said {
  return { status, text: untimed(text), code: error?.code, hint: error?.hint };
}

function heldIn({ metadata }: Outcome): Held {
  return metadata["sandbox"] as Held;
}

/** Removes the duration, which is only reported for long commands. */
function untimed(text: string): string {
  return text.replace(/\n\(Took [^\n]*\)$/u, "");
}
