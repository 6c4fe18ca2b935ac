import { joinPath, madeOnce } from "../../text/index.ts";
import { checkedArgument, oneOf, ToolError, type Host } from "../../core/index.ts";
import type { SandboxDriver, Sandboxes, SandboxesOptions } from "../../sandbox/index.ts";
import { commandOverlays, statusDirectories, type CommandOverlays } from "../../changes/index.ts";
import { makeOwnFolder } from "../../journal/index.ts";
import type { SandboxOption } from "../options/options.ts";
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
  /** Creates the directories in which commands write status files, on the first command. */
  readonly prepareCommands: () => Promise<void>;
  /** Removes what the sandboxes left outside; call it after all programs in them have ended. */
  dispose(): Promise<void>;
}

/** Default network: ordinary commands that the user allowed download files, so it is open unless the user closes it. */
const defaultNetwork = "open";

export function kitSandboxes(
  host: Host,
  place: Pick<Place, "workspace" | "boundary" | "secrets" | "programDirectoryOn">,
  option: SandboxOption = {},
): KitSandboxes {
  const { workspace, boundary, secrets } = place;
  const dataDirectory = place.programDirectoryOn(host);
  const { require = "best-effort", driver, network = defaultNetwork } = option;
  const overlays = commandOverlays(host, { workspace, dataDirectory, boundary }, option);
  const statusPaths = statusDirectories.map((name) => joinPath(dataDirectory, name));
  const opened: Promise<Sandboxes>[] = [];
  const prepared: Promise<unknown>[] = [];
  let isDisposed = false;
  // An aborted call may still be on its way here when the kit is disposed.
  const throwIfDisposed = (): void => {
    if (isDisposed) throw new ToolError("ABORTED", "The toolkit was asked to stop.");
  };
  const open = async (
    wanted: Pick<SandboxesOptions, "require" | "network" | "statusDirectories" | "sharesCaches">,
  ): Promise<Sandboxes> => {
    const { Sandboxes } = await import("../../sandbox/index.ts");
    if (typeof driver === "string") await refuseUnknownDriver(driver);
    return new Sandboxes({
      ...wanted,
      driver,
      workspace,
      home: host.info.home,
      writable: boundary.roots,
      secrets,
      shown: boundary.readOnlyRoots ?? [],
      probeFile: joinPath(dataDirectory, "sandbox.json"),
    });
  };
  const openedOnce = (wanted: Parameters<typeof open>[0]): (() => Promise<Sandboxes>) =>
    madeOnce(async () => {
      throwIfDisposed();
      const opening = open(wanted);
      opened.push(opening);
      return await opening;
    });
  const createStatusDirectories = async (): Promise<void> => {
    for (const path of statusPaths) {
      await makeOwnFolder(host.fs, path, "What commands leave for haft");
    }
  };
  return {
    require,
    driver: typeof driver === "object" ? driver.name : driver,
    overlays,
    sandboxes: openedOnce({
      require,
      statusDirectories: statusPaths,
      network:
        typeof network === "string" ? { kind: network } : { kind: "hosts", hosts: network.hosts },
    }),
    trialSandboxes: openedOnce({
      require: "enforced",
      network: { kind: "none" },
      statusDirectories: [],
      sharesCaches: false,
    }),
    prepareCommands: madeOnce(async () => {
      throwIfDisposed();
      const creating = createStatusDirectories();
      prepared.push(creating);
      await creating;
    }),
    async dispose() {
      isDisposed = true;
      await overlays.dispose();
      await Promise.allSettled(prepared);
      for (const opening of await Promise.allSettled(opened)) {
        if (opening.status === "fulfilled") await opening.value.dispose();
      }
    },
  };
}

/** Throws a TypeError if an option names a driver that does not exist; without a name it loads nothing. */
export async function checkDriverOption(driver: string | SandboxDriver | undefined): Promise<void> {
  if (typeof driver !== "string") return;
  checkedArgument("sandbox.driver", driver, oneOf(await driverNames()));
}

async function refuseUnknownDriver(driver: string): Promise<void> {
  const names = await driverNames();
  if (names.includes(driver)) return;
  throw new ToolError("INVALID_INPUT", `There is no sandbox driver ${JSON.stringify(driver)}.`, {
    hint: `Use one of ${names.join(", ")}.`,
  });
}

async function driverNames(): Promise<readonly string[]> {
  const { drivers } = await import("../../sandbox/index.ts");
  return drivers.map(({ name }) => name);
}
