import type { SandboxReport } from "./confinement.ts";

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
  /** Whether it has not passed the escape suite; it is then used only where it is named. */
  readonly isExperimental: boolean;
  /** Whether it works where the system forbids new namespaces. */
  readonly needsNoNamespace: boolean;
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
