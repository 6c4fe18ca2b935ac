import type { RuleProblem } from "../../policy/index.ts";
import { namedPaths, messageOf } from "../../text/index.ts";
import {
  ToolError,
  type GrepQuery,
  type DoctorCheck,
  type DoctorReport,
} from "../../core/index.ts";
import { launchReport } from "../../host/index.ts";
import type { SettingsProblem } from "../../workspace/index.ts";
import type { Journal } from "../../journal/index.ts";
import type { KitParts } from "../kit-parts.ts";
import { checkConfinement, checkWeakened, confinementOf } from "./check-confinement.ts";

/** Bytes of the file that tries the data directory: a full disk still takes an empty one. */
const triedBytes = 4096;

interface JournalPart {
  readonly journal: () => Promise<Pick<Journal, "examine">>;
}

/** Checks what the kit needs and reports the results. Writes nothing but one file of its own in the data directory. */
export async function examine(
  parts: KitParts & JournalPart,
  problems: readonly (SettingsProblem | RuleProblem)[],
): Promise<DoctorReport> {
  const { confinement, untried } = await confinementOf(parts);
  const checks = [
    checkWorkspace(parts),
    await checkData(parts),
    ...(await checkJournal(parts)),
    await checkShell(parts),
    await checkSearch(parts),
    untried ?? checkConfinement(confinement, parts.sandboxes),
    ...(await checkWeakened(parts, confinement)),
    await checkOverlay(parts),
    await checkTrust(parts),
    ...(await checksOfEdits(parts)),
    ...(await origins(parts)),
    ...problems.map(problemCheck),
  ];
  return { checks, confinement };
}

async function checksOfEdits({ diagnostics, ...parts }: KitParts): Promise<readonly DoctorCheck[]> {
  if (diagnostics === undefined) return [];
  const { checkDiagnostics } = await import("./check-diagnostics.ts");
  return await checkDiagnostics(diagnostics, parts);
}

async function origins(parts: KitParts): Promise<readonly DoctorCheck[]> {
  const { listOrigins } = await import("../settings/list-origins.ts");
  return await listOrigins(parts);
}

function checkWorkspace({ place, getMode }: KitParts): DoctorCheck {
  const more = place.boundary.roots.length - 1;
  const also = more > 0 ? ` and ${more} more` : "";
  return { name: "workspace", state: "ok", text: `${place.workspace}${also}, mode ${getMode()}` };
}

async function checkData({ host, place }: KitParts): Promise<DoctorCheck> {
  const file = `${place.dataDirectory}/doctor`;
  try {
    await host.fs.mkdir(place.dataDirectory, { mode: 0o700 });
    await host.fs.writeAtomic(file, new Uint8Array(triedBytes), { mode: 0o600 });
    await host.fs.remove(file);
    return { name: "data directory", state: "ok", text: `${place.dataDirectory} can be written` };
  } catch (error) {
    return {
      name: "data directory",
      state: "broken",
      text: `${place.dataDirectory} cannot be written: ${messageOf(error)}`,
      hint: "Without it nothing can be undone. Name another one with --data-dir.",
    };
  }
}

/** Reports damage of the journal: it only makes calls impossible to undo, and blocks none. */
export async function checkJournal({ journal }: JournalPart): Promise<readonly DoctorCheck[]> {
  const name = "journal";
  try {
    const { calls, damage, setAside, turnsOff } = await (await journal()).examine();
    const turns = turnsOff === undefined ? [] : [turnsCheck(turnsOff)];
    const found = damage.map((text): DoctorCheck => {
      return { name, state: "warning", text, hint: damagedHint };
    });
    const aside = setAside.map((path): DoctorCheck => {
      const text = `a damaged file was set aside as ${path}`;
      return {
        name,
        state: "warning",
        text,
        hint: "Nothing uses it. Remove it when you do not need it.",
      };
    });
    if (found.length + aside.length > 0) return [...found, ...aside, ...turns];
    const text = `${calls} ${calls === 1 ? "call" : "calls"} on record, all readable`;
    return [{ name, state: "ok", text }, ...turns];
  } catch (error) {
    const hint = ToolError.is(error) ? error.hint : undefined;
    const text = `what undo needs cannot be read: ${messageOf(error)}`;
    return [{ name, state: "broken", text, ...(hint === undefined ? {} : { hint }) }];
  }
}

function turnsCheck(because: string): DoctorCheck {
  return {
    name: "other programs",
    state: "warning",
    text: `calls do not wait for other haft programs that change the same files: ${because}`,
    hint: "Each must be a directory that only you can access, or not exist. Another user may have created them.",
  };
}

const damagedHint =
  "The files of these calls stay as they are; haft history says what can be undone. New calls are not affected.";

async function checkShell({ host }: KitParts): Promise<DoctorCheck> {
  const [shell = "bash"] = host.info.shell;
  try {
    const started = await host.proc.start({
      id: "doctor-shell",
      argv: [...host.info.shell, "exit 7"],
      cwd: host.info.temporary,
    });
    for await (const chunk of host.proc.output(started.id, 0)) {
      if ("exit" in chunk && chunk.exit.code === 7) {
        const failure = launchReport(host)?.failure;
        if (failure === undefined)
          return { name: "shell", state: "ok", text: `${shell} runs commands` };
        return {
          name: "shell",
          state: "warning",
          text: `${shell} runs commands, but the process that should start them cannot be used: ${failure}`,
          hint: "Commands are started directly instead, which briefly blocks a large process each time.",
        };
      }
    }
    return { name: "shell", state: "broken", text: `${shell} ran a test command incorrectly` };
  } catch (error) {
    return {
      name: "shell",
      state: "broken",
      text: `${shell} does not start: ${messageOf(error)}`,
      hint: "Install bash; the Bash tool needs it.",
    };
  }
}

async function checkSearch({ host, place, sandboxes }: KitParts): Promise<DoctorCheck> {
  try {
    const { confineSearches } = await import("../../changes/index.ts");
    const confinement = await confineSearches({ host, ...sandboxes })(place.workspace);
    const query = {
      root: place.workspace,
      pattern: "haft-doctor-looks-for-nothing",
      countOnly: true,
      ...(confinement && { confinement }),
    };
    for await (const event of host.search.grep(query)) if (event.kind === "count") break;
    const text = `Grep and Glob can search the workspace; ${searcher(confinement)}`;
    return { name: "search", state: "ok", text };
  } catch (error) {
    return { name: "search", state: "broken", text: `searching failed: ${messageOf(error)}` };
  }
}

function searcher(confinement: GrepQuery["confinement"]): string {
  if (confinement === undefined) return "ripgrep is not confined there";
  if (confinement.helper === undefined) {
    return "no ripgrep is started, because a sandbox is required and none can confine it";
  }
  return "ripgrep cannot read secrets, writes nowhere and has no network";
}

async function checkOverlay({ sandboxes: { overlays } }: KitParts): Promise<DoctorCheck> {
  const name = "undo of commands";
  let because: string | undefined;
  try {
    because = await overlays.unavailable();
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    const { message, hint } = error;
    const text = `no overlay could be tried, so no command that may change anything runs: ${message}`;
    return { name, state: "broken", text, ...(hint === undefined ? {} : { hint }) };
  }
  if (because === undefined) {
    const text =
      "commands run on an overlay: everything they change in the workspace can be undone";
    return { name, state: "ok", text };
  }
  return {
    name,
    state: "warning",
    text: `no overlay: only what a command says it will write can be undone. ${because}`,
    ...(overlays.mode === "off" ? { hint: "Set sandbox.overlay to undo, or leave it out." } : {}),
  };
}

async function checkTrust({ host, place }: KitParts): Promise<DoctorCheck> {
  const { workspace, dataDirectory, trusted, store } = place;
  const name = "trust";
  if (trusted) return { name, state: "ok", text: "the workspace's own settings may allow things" };
  const text = "the workspace's own settings may only forbid things";
  const trust = { host, workspace, dataDirectory };
  const changed =
    store === undefined ? [] : (await (await place.trusting()).reviewTrust(trust)).changed;
  if (changed.length === 0) return { name, state: "ok", text };
  return {
    name,
    state: "warning",
    text: `${text}: the workspace was trusted, and has changed since: ${namedPaths(changed, workspace)}`,
    hint: "haft trust show shows what it contains now; haft trust add trusts it as it is.",
  };
}

function problemCheck(problem: SettingsProblem | RuleProblem): DoctorCheck {
  const { severity, message, hint, file, line } = problem;
  const place = file === undefined ? [] : [`${file}${line === undefined ? "" : `:${line}`}`];
  const about = [...("rule" in problem ? [problem.rule] : []), ...place].join(" in ");
  return {
    name: "settings",
    state: severity === "error" ? "broken" : "warning",
    text: about === "" ? message : `${about}: ${message}`,
    ...(hint === undefined ? {} : { hint }),
  };
}
