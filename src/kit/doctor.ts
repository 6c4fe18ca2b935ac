import type { RuleProblem } from "../policy/index.ts";
import { namedPaths, messageOf } from "../text/index.ts";
import { ToolError, type GrepQuery, type SandboxReport } from "../core/index.ts";
import { launchReport } from "../host/index.ts";
import type { SettingsProblem } from "../workspace/index.ts";
import type { Journal } from "../journal/index.ts";
import type { KitParts } from "./kit-parts.ts";

/** Result of one check. */
export interface DoctorCheck {
  /** Subject of the check. */
  readonly name: string;
  /** Whether it works, works in part, or does not work. */
  readonly state: "ok" | "warning" | "broken";
  /** Finding, in one sentence. */
  readonly text: string;
  /** Next step, if something can be done. */
  readonly hint?: string;
}

/** Confinement of programs to their grants on this system; "none" if nothing confines them. */
export interface ConfinementReport extends Omit<SandboxReport, "gaps"> {
  /** Gaps of the confinement, one sentence each. */
  readonly gaps: readonly string[];
  /** Every driver, just tried, strongest first. */
  readonly drivers: readonly DriverReport[];
}

/** Sandbox driver, and whether it works here. */
export interface DriverReport {
  /** Name of the driver, such as `bwrap`. */
  readonly name: string;
  /** Whether its probe showed that forbidden operations fail. */
  readonly works: boolean;
  /** Why it does not work. */
  readonly reason?: string;
  /** Command that would fix it. */
  readonly install?: string;
}

/** Result of trying what works on this system. */
export interface DoctorReport {
  /** Results, in a fixed order. */
  readonly checks: readonly DoctorCheck[];
  /** Confinement of commands. */
  readonly confinement: ConfinementReport;
}

/** Bytes of the file that tries the data directory: a full disk still takes an empty one. */
const triedBytes = 4096;

const unconfined: ConfinementReport = {
  provider: "none",
  filesystem: "none",
  network: "none",
  ipc: "none",
  process: "none",
  undo: "partial",
  drivers: [],
  gaps: [
    "Programs that Bash starts can do whatever you can do: rules decide whether they run, nothing holds them afterwards.",
  ],
};

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
    ...checkDiagnostics(parts),
    ...(await origins(parts)),
    ...problems.map(problemCheck),
  ];
  return { checks, confinement };
}

async function origins(parts: KitParts): Promise<readonly DoctorCheck[]> {
  const { listOrigins } = await import("./settings/list-origins.ts");
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
    const text = `${calls} ${calls === 1 ? "call" : "calls"} on record, all of it can be read`;
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
    hint: "Each must be a directory that is yours alone, or not be there. Another user may have made them.",
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
          hint: "Commands are started directly instead, which stops a big program for a moment each time.",
        };
      }
    }
    return { name: "shell", state: "broken", text: `${shell} did not run a command as told` };
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
    const { confineSearches } = await import("../changes/index.ts");
    const confinement = await confineSearches({ host, ...sandboxes })(place.workspace);
    const query = {
      root: place.workspace,
      pattern: "haft-doctor-looks-for-nothing",
      countOnly: true,
      ...(confinement && { confinement }),
    };
    for await (const event of host.search.grep(query)) if (event.kind === "count") break;
    const text = `Grep and Glob can look through the workspace; ${searcher(confinement)}`;
    return { name: "search", state: "ok", text };
  } catch (error) {
    return { name: "search", state: "broken", text: `searching failed: ${messageOf(error)}` };
  }
}

function searcher(confinement: GrepQuery["confinement"]): string {
  if (confinement === undefined) return "what ripgrep does there is not held";
  if (confinement.helper === undefined) {
    return "no ripgrep is started, because a sandbox is required and none holds it";
  }
  return "ripgrep cannot read secrets, writes nowhere and has no network";
}

interface TriedConfinement {
  readonly confinement: ConfinementReport;
  /** The check where the drivers could not be tried, as on a full disk. */
  readonly untried?: DoctorCheck;
}

/** Reports the confinement. Drivers undo nothing; the overlay that commands run on does. */
async function confinementOf(parts: KitParts): Promise<TriedConfinement> {
  const isCovered = (await parts.sandboxes.overlays.unavailable()) === undefined;
  const undo = isCovered ? "full" : "partial";
  try {
    return { confinement: { ...(await heldBy(parts)), undo } };
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    const { message, hint } = error;
    const text = `no driver could be tried, so no command runs: ${message}`;
    const more = hint === undefined ? {} : { hint };
    const untried: DoctorCheck = { name: "confinement", state: "broken", text, ...more };
    return { confinement: { ...unconfined, undo }, untried };
  }
}

async function heldBy({ host, sandboxes }: KitParts): Promise<ConfinementReport> {
  if (host.info.capabilities.confinement !== true) return unconfined;
  const { results, chosen } = await (await sandboxes.sandboxes()).survey();
  const drivers = results.map(({ driver, works, missing, probes }): DriverReport => {
    const wrong = probes.filter(({ expected, got }) => expected !== got).map(({ name }) => name);
    const reason =
      missing?.reason ??
      (wrong.length === 0 ? undefined : `What was tried went wrong: ${wrong.join(", ")}.`);
    return {
      name: driver,
      works,
      ...(works || reason === undefined ? {} : { reason }),
      ...(missing?.install === undefined ? {} : { install: missing.install }),
    };
  });
  if (chosen === undefined || chosen.driver.name === "none") return { ...unconfined, drivers };
  const { gaps, ...report } = await (await sandboxes.sandboxes()).reportHere(chosen);
  return { ...report, gaps: gaps.map(({ text }) => text), drivers };
}

function checkConfinement(
  report: ConfinementReport,
  { require, driver: wanted }: Pick<KitParts["sandboxes"], "require" | "driver">,
): DoctorCheck {
  const { provider, version, filesystem, network, process, drivers } = report;
  const name = "confinement";
  if (require === "off") {
    const text = "switched off: programs that Bash starts are not held to their grant";
    return { name, state: "warning", text };
  }
  const told = relevantDrivers(report, wanted);
  const installs = told.flatMap(({ works, install }) =>
    works || install === undefined ? [] : [`\`${install}\``],
  );
  const missing = told.flatMap(({ name: driver, works, reason }) =>
    works ? [] : [`${driver}: ${reason ?? "it does not work here."}`],
  );
  const strongest = drivers.find(({ name: each, works }) => works || each === wanted);
  const others = [
    ...missing,
    ...(wanted === undefined || strongest === undefined || strongest.name === wanted
      ? []
      : [`${strongest.name} works here and is stronger; leave the driver out to use it.`]),
    ...(installs.length === 0 ? [] : [`What would help: ${installs.join(", ")}.`]),
  ].join(" ");
  const hint = others === "" ? {} : { hint: others };
  if (provider === "none") {
    return {
      name,
      state: require === "enforced" ? "broken" : "warning",
      text:
        require === "enforced"
          ? "a sandbox is required and nothing here enforces one, so no command runs"
          : "none: programs that Bash starts are not held to their grant",
      hint:
        others === ""
          ? "Commands are asked about unless a rule allows them; nothing is allowed because of a sandbox."
          : others,
    };
  }
  const isHeld = filesystem === "enforced";
  const named = version === undefined ? provider : `${provider} ${version}`;
  const text = `${named}: files ${filesystem}, network ${network}, processes ${process}`;
  return { name, state: isHeld ? "ok" : "warning", text, ...hint };
}

/** Returns drivers whose absence matters: only a named one, else those that would be used instead. */
function relevantDrivers(
  { provider, drivers }: ConfinementReport,
  named: string | undefined,
): readonly DriverReport[] {
  if (named !== undefined) return drivers.filter(({ name }) => name === named);
  const best = drivers.findIndex(({ works }) => works);
  const used = drivers.findIndex(({ name }) => name === provider);
  const last = [best, used].filter((index) => index !== -1);
  if (last.length === 0) return drivers;
  // A driver weaker than the one that works would change nothing, except Landlock, which works where namespaces are
  // disabled.
  return drivers.filter(({ name }, index) => index < Math.min(...last) || name === "landlock");
}

/** Reports a weaker sandbox than before: it is never used silently. */
async function checkWeakened(
  { sandboxes, place }: KitParts,
  { provider, drivers }: ConfinementReport,
): Promise<readonly DoctorCheck[]> {
  const before = drivers.length === 0 ? undefined : await (await sandboxes.sandboxes()).weakened();
  if (before === undefined) return [];
  const reason = drivers.find(({ name }) => name === before)?.reason ?? "It does not work now.";
  return [
    {
      name: "weaker sandbox",
      state: "warning",
      text: `${before} worked here before; now ${provider} is used. ${reason}`,
      hint: `Repair it. If the change is intended, delete ${place.dataDirectory}/sandbox.json.`,
    },
  ];
}

async function checkOverlay({ sandboxes: { overlays } }: KitParts): Promise<DoctorCheck> {
  const because = await overlays.unavailable();
  if (because === undefined) {
    const text = "commands run on an overlay: all they change in the workspace can be undone";
    return { name: "undo of commands", state: "ok", text };
  }
  return {
    name: "undo of commands",
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
    hint: "haft trust show says what it brings now, haft trust add trusts it as it is.",
  };
}

/** Reports what the checks of edits do: the model does not see their failures. */
function checkDiagnostics({ diagnostics }: KitParts): readonly DoctorCheck[] {
  const name = "diagnostics";
  const problems = (diagnostics?.problems ?? []).map((text): DoctorCheck => {
    return { name, state: "warning", text, hint: "Correct the setting diagnostics." };
  });
  const states = (diagnostics?.states() ?? []).map((each): DoctorCheck => {
    const { kind, isRunning, peakBytes, failure, log } = each;
    const what = `${kind} ${each.name}`;
    if (failure !== undefined) {
      const { hint } = failure;
      const said = log === "" ? "" : ` It said: ${log.slice(-maxSaidChars)}`;
      const text = `${what}: ${failure.message}${said}`;
      return { name, state: "warning", text, ...(hint === undefined ? {} : { hint }) };
    }
    const used = peakBytes === 0 ? "" : `, at most ${Math.round(peakBytes / 1_000_000)} MB used`;
    return { name, state: "ok", text: `${what}: ${isRunning ? "runs" : "not started"}${used}` };
  });
  return [...problems, ...states];
}

/** Characters of a server's own messages that are shown. */
const maxSaidChars = 500;

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
