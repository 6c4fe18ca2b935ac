import { spawn } from "node:child_process";
import { commandFile, installOnDemand } from "./install-on-demand.ts";
import { printedBy, type Printed } from "./printed-by.ts";

/** Versions of the protocol whose requirements are checked. */
export const eras: readonly string[] = ["2025-11-25", "2026-07-28"];

export interface ConformanceSuite {
  /** Directory of the installed suite. */
  readonly folder: string;
  /** Runs the suite with these arguments. */
  run(args: readonly string[]): Promise<Printed>;
}

/** The public conformance suite of the Model Context Protocol, installed if it is not yet. */
export async function conformanceSuite(): Promise<ConformanceSuite> {
  const folder = await installOnDemand({
    name: "@modelcontextprotocol/conformance",
    version: "0.2.0-alpha.12",
  });
  const command = await commandFile(folder, "conformance");
  return {
    folder,
    async run(args) {
      const child = spawn(process.execPath, [command, ...args], {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, NO_COLOR: "1" },
      });
      return await printedBy(child);
    },
  };
}
