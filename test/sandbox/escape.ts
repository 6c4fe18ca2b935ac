import type { SandboxReport } from "../../src/core/index.ts";

/**
 * One attempt to get out of a sandbox. It runs in a world of its own and is harmless where it succeeds: what it
 * changes is in a temporary folder, what it connects to is the test's own listener, what it opens it only opens.
 * A script that could do what no outside witness can see prints `ESCAPED`.
 */
export interface Escape {
  readonly name: string;
  readonly concern: "filesystem" | "network" | "ipc" | "process";
  /** Where one of these is listed by a driver, the attempt may succeed there. */
  readonly gaps: readonly string[];
  readonly because: string;
  readonly language: "sh" | "perl" | "node" | "bash";
  /** Sees W(orkspace), O(utside), H(ome), S(ecret), T(emporary), PORT, UDP, SOCK, ABSTRACT, VICTIM, MARK in its environment. */
  readonly script: string;
}

export type Concern = Escape["concern"];

/** Whether a report promises anything about what an attempt goes for. */
export function isHeld(report: SandboxReport, concern: Concern): boolean {
  const strength = report[concern];
  return strength === "enforced" || strength === "partial";
}

/** A perl line that makes one system call and tells whether it was let through. */
export function systemCall(numbers: { x64: number; arm64: number }, values: string): string {
  const number = process.arch === "arm64" ? numbers.arm64 : numbers.x64;
  return `my $result = syscall(${number}, ${values}); print "ESCAPED\\n" if $result >= 0; print "errno $!\\n";`;
}
