import { joinPath, madeOnce } from "../../text/index.ts";
import { ToolError, type Host } from "../../core/index.ts";
import type { DriverName, Sandboxes, SandboxesOptions } from "../../sandbox/index.ts";
import { commandOverlays, type CommandOverlays } from "../../changes/index.ts";
import { wordFolders } from "../../changes/index.ts";
import { driverNames, type SandboxOption } from "../options/options.ts";
import type { Place } from "../workspace-context.ts";

/** Sandboxes and overlays for the programs of a kit and of those derived from it. */
export interface KitSandboxes {
  readonly require: "enforced" | "best-effort" | "off";
  /** Driver that the user named; undefined if the strongest is used. */
  readonly driver: string | undefined;
  /** Loads and creates the sandboxes, on the first program or the first query. */
  readonly sandboxes: () => Promise<Sandboxes>;
  /** Overlays for programs that may change any file. */
  readonly overlays: CommandOverlays;
  /** Sandboxes without network, for dry runs. */
  readonly trialSandboxes: () => Promise<Sandboxes>;
  /** Removes what the sandboxes left outside; call it after all programs in them have ended. */
  dispose(): Promise<void>;
}

/** Default network: ordinary commands that the user allowed download files, so it is open unless the user closes it. */
const defaultNetwork = "open";

export function kitSandboxes(host: Host, place: Place, option: SandboxOption = {}): KitSandboxes {
  const { workspace, dataDirectory, boundary, secrets } = place;
  const { require = "best-effort", driver, network = defaultNetwork } = option;
  const overlays = commandOverlays(host, place, option);
  const made: Sandboxes[] = [];
  const make = async (
    wanted: Pick<SandboxesOptions, "require" | "network" | "words" | "sharesCaches">,
  ): Promise<Sandboxes> => {
    const { Sandboxes } = await import("../../sandbox/index.ts");
    const sandboxes = new Sandboxes({
      ...wanted,
      driver: driver === undefined ? undefined : driverNamed(driver),
      workspace,
      home: host.info.home,
      writable: boundary.roots,
      secrets,
      shown: boundary.readOnlyRoots ?? [],
      probeFile: joinPath(dataDirectory, "sandbox.json"),
    });
    made.push(sandboxes);
    return sandboxes;
  };
  return {
    require,
    driver,
    overlays,
    sandboxes: madeOnce(async () =>
      make({
        require,
        words: wordFolders.map((name) => joinPath(dataDirectory, name)),
        network:
          typeof network === "string" ? { kind: network } : { kind: "hosts", hosts: network.hosts },
      }),
    ),
    trialSandboxes: madeOnce(async () =>
      make({
        require: "enforced",
        network: { kind: "none" },
        words: [],
        sharesCaches: false,
      }),
    ),
    async dispose() {
      await overlays.dispose();
      for (const sandboxes of made) await sandboxes.dispose();
    },
  };
}

function driverNamed(name: string): DriverName {
  const found = driverNames.find((each) => each === name);
  if (found !== undefined) return found;
  throw new ToolError("INVALID_INPUT", `There is no sandbox driver ${JSON.stringify(name)}.`, {
    hint: `Use one of ${driverNames.join(", ")}.`,
  });
}
