import {
  ToolError,
  type ConfinementReport,
  type DoctorCheck,
  type DriverReport,
} from "../../core/index.ts";
import type { KitParts } from "../kit-parts.ts";

const unconfined: ConfinementReport = {
  provider: "none",
  filesystem: "none",
  network: "none",
  ipc: "none",
  process: "none",
  undo: "partial",
  drivers: [],
  gaps: [
    "Programs that Bash starts can do whatever you can do: rules decide whether they run, but nothing confines them afterwards.",
  ],
};

interface TriedConfinement {
  readonly confinement: ConfinementReport;
  /** The check where the drivers could not be tried, as on a full disk. */
  readonly untried?: DoctorCheck;
}

/** Reports the confinement. Drivers undo nothing; the overlay that commands run on does. */
export async function confinementOf(parts: KitParts): Promise<TriedConfinement> {
  // A failure of this time only is reported by a check of its own.
  const because = await parts.sandboxes.overlays.unavailable().catch(() => "");
  const undo = because === undefined ? "full" : "partial";
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
  const drivers = results.map(({ driver, result }): DriverReport => {
    const { works, missing, probes } = result;
    const { isExperimental = false, needsNoNamespace = false } = driver;
    const wrong = probes.filter(({ expected, got }) => expected !== got).map(({ name }) => name);
    const reason =
      missing?.reason ?? (wrong.length === 0 ? undefined : `The test failed: ${wrong.join(", ")}.`);
    return {
      name: driver.name,
      works,
      isExperimental,
      needsNoNamespace,
      ...(works || reason === undefined ? {} : { reason }),
      ...(missing?.install === undefined ? {} : { install: missing.install }),
    };
  });
  if (chosen === undefined || chosen.driver.name === "none") return { ...unconfined, drivers };
  const { gaps, ...report } = await (await sandboxes.sandboxes()).reportHere(chosen);
  return { ...report, gaps: gaps.map(({ text }) => text), drivers };
}

export function checkConfinement(
  report: ConfinementReport,
  { require, driver: wanted }: Pick<KitParts["sandboxes"], "require" | "driver">,
): DoctorCheck {
  const { provider, version, filesystem, network, process } = report;
  // One that is experimental is used only where it is named, so it matters only there.
  const drivers = report.drivers.filter(
    ({ name: each, isExperimental }) => !isExperimental || each === wanted,
  );
  const name = "confinement";
  if (require === "off") {
    const text = "switched off: programs that Bash starts are not confined";
    return { name, state: "warning", text };
  }
  const told = relevantDrivers({ provider, drivers }, wanted);
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
          ? "a sandbox is required and none works here, so no command runs"
          : "none: programs that Bash starts are not confined",
      hint:
        others === ""
          ? "haft asks about commands unless a rule allows them; a sandbox never allows anything."
          : others,
    };
  }
  const isHeld = filesystem === "enforced";
  const isExperimental = drivers.some((each) => each.name === provider && each.isExperimental);
  const mark = isExperimental ? " (experimental: it has not passed the escape suite)" : "";
  const named = `${version === undefined ? provider : `${provider} ${version}`}${mark}`;
  const text = `${named}: files ${filesystem}, network ${network}, processes ${process}`;
  return { name, state: isHeld ? "ok" : "warning", text, ...hint };
}

/** Returns drivers whose absence matters: only a named one, else those that would be used instead. */
function relevantDrivers(
  { provider, drivers }: Pick<ConfinementReport, "provider" | "drivers">,
  named: string | undefined,
): readonly DriverReport[] {
  if (named !== undefined) return drivers.filter(({ name }) => name === named);
  const best = drivers.findIndex(({ works }) => works);
  const used = drivers.findIndex(({ name }) => name === provider);
  const last = [best, used].filter((index) => index !== -1);
  if (last.length === 0) return drivers;
  // A driver weaker than the one that works would change nothing, except one that works where namespaces are
  // disabled.
  return drivers.filter(
    ({ needsNoNamespace }, index) => index < Math.min(...last) || needsNoNamespace,
  );
}

/** Reports a weaker sandbox than before: it is never used silently. */
export async function checkWeakened(
  { host, sandboxes, place }: KitParts,
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
      hint: `Repair it. If the change is intended, delete ${place.programDirectoryOn(host)}/sandbox.json.`,
    },
  ];
}
