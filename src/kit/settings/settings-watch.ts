import type { Ask, CallOptions, Host, Mode, NewEvent, OnAsk } from "../../core/index.ts";
import { eventSource, type QuestionQueue } from "../../pipeline/index.ts";
import type { RuleSource } from "../../policy/index.ts";
import { sentenceOf, IdSource } from "../../text/index.ts";
import {
  configuration,
  isTrustRevoked,
  watchedFiles,
  type LoadedSettings,
  type SettingsValues,
} from "../../workspace/index.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import type { Place } from "../workspace-context.ts";
import { describeDifferences, isSavedHere, rulesInForce } from "./changed-settings.ts";

export interface SettingsWatchOptions {
  readonly host: Pick<Host, "fs">;
  readonly place: Place;
  /** Reads the settings as they are now. */
  readonly reload: NonNullable<Place["reload"]>;
  readonly rules: Pick<RuleBook, "replace" | "savedHere">;
  /** Rules of the kit itself and of its options, which come before those of settings. */
  readonly ownRules: readonly RuleSource[];
  readonly onAsk: OnAsk | undefined;
  readonly mode: () => Mode;
  /** Changes the mode; undefined if it does not come from the settings. */
  readonly setMode: ((mode: Mode) => void) | undefined;
  readonly emit: (event: NewEvent) => void;
}

/** Settings files of an open kit. A change is shown to the user and applies only after a yes. */
export interface SettingsWatch {
  /** Resolves once the changes made so far are answered. Costs one read of the state of each file. */
  check(options: CallOptions): Promise<void>;
  /** Does the part of `check` that asks nothing: ends what the workspace allows once the user has ended its trust. */
  checkTrust(): Promise<void>;
}

const use = "Use the new settings";
const keep = "Keep the old ones";

/** Watches the settings files that a kit was opened with. */
export function watchSettings(given: SettingsWatchOptions, askQueue: QuestionQueue): SettingsWatch {
  const { host, place, reload } = given;
  const ids = new IdSource();
  const watched = watchedFiles(place);
  const files = [...watched.settings, watched.trust];
  const opened = place.settings;
  let sources = opened.sources;
  let values: SettingsValues | undefined;
  // Trust was read when the kit was opened too; a record that changed before the first call changes no settings.
  let versions: readonly (string | undefined)[] = [
    ...watched.settings.map((path) => versionRead(path, opened)),
    undefined,
  ];
  let answered = contentsOf(opened);
  let checking: Promise<void> | undefined;
  let ending: Promise<void> | undefined;
  let recordVersion: string | undefined;
  let isRevoked = false;

  /** Lets the workspace allow nothing more once the user has ended its trust: that needs no yes. */
  async function endTrust(): Promise<void> {
    if (place.recorded?.record === undefined) return;
    const seen = await versionOf(watched.trust, host);
    if (seen === recordVersion) return;
    // Records that cannot be read prove no trust.
    const isEnded = await isTrustRevoked(place, { ...place, host }).catch(() => true);
    if (isEnded && !isRevoked) {
      const next = await place.asUntrusted().catch(() => undefined);
      const { withoutTrust } = await import("./ended-trust.ts");
      const { mode, changes, ...ended } = withoutTrust(next, sources, place);
      ({ sources } = ended);
      given.rules.replace([...given.ownRules, ...sources]);
      // The settings are compared again, with what trust would allow as part of the difference.
      versions = files.map(() => "before");
      if (mode !== undefined) leaveMode(mode);
      if (changes.length > 0) {
        given.emit({ type: "settings-change", result: "applied", changes });
      }
    }
    isRevoked = isEnded;
    recordVersion = seen;
  }

  /** Replaces the mode of the workspace, also where plan mode would return to it. */
  function leaveMode(mode: Mode): void {
    const now = given.mode();
    if (now === opened.defaultMode) given.setMode?.(mode);
    if (now !== "plan") return;
    given.setMode?.(mode);
    given.setMode?.("plan");
  }

  async function compare(options: CallOptions): Promise<void> {
    const seen = await Promise.all(files.map(async (path) => await versionOf(path, host)));
    if (seen.every((version, index) => version === (versions[index] ?? version))) {
      versions = seen;
      return;
    }
    const next = await reload();
    if (contentsOf(next) !== answered) await consider(next, options);
    answered = contentsOf(next);
    // A file that changed after it was read differs at the next check.
    versions = seen.map((version, index) => versionRead(files[index] ?? "", next) || version);
  }

  async function consider(next: LoadedSettings, options: CallOptions): Promise<void> {
    const { settingsDifference, settingsValues } = await configuration();
    values ??= settingsValues(opened);
    const differences = settingsDifference(values, next);
    const unknown = differences.filter((each) => !isSavedHere(each, given.rules.savedHere, place));
    if (unknown.length === 0) {
      // Values that need trust are asked about if the user trusts the workspace again.
      const without = isRevoked ? settingsDifference(new Map(), next) : [];
      values = settingsValues(
        next,
        without.filter(({ needsTrust }) => needsTrust),
      );
      return;
    }
    const changes = describeDifferences(unknown, place);
    const because = await refusal(changes, options);
    if (because === undefined) {
      sources = rulesInForce(next, sources, place);
      given.rules.replace([...given.ownRules, ...sources]);
      values = settingsValues(
        next,
        unknown.filter(({ needsTrust }) => needsTrust),
      );
    }
    given.emit({
      type: "settings-change",
      result: because === undefined ? "applied" : "kept",
      changes,
      ...(because === undefined ? {} : { because }),
    });
  }

  /** Asks the user whether the changes apply; returns why they do not. Rejects if the call that waits is aborted. */
  async function refusal(
    changes: readonly string[],
    options: CallOptions,
  ): Promise<string | undefined> {
    const { onAsk } = given;
    if (onAsk === undefined || onAsk.isAutomatic === true) return "no user could be asked";
    if (given.mode() === "dontAsk") return "dontAsk mode asks no questions";
    return await askQueue.run(async () => {
      const { signal } = options;
      const ask = questionOf(changes, ids.next("settings"), options);
      const { callId } = ask;
      const source = eventSource(options);
      given.emit({ type: "permission-ask", callId, ask, ...source });
      try {
        const answer = await orAborted(onAsk(ask, { signal }), signal);
        given.emit({ type: "permission-answer", callId, answer: answer.kind, ...source });
        return answer.kind === "answer" && answer.choices.includes(use)
          ? undefined
          : "the user kept the old ones";
      } catch (error) {
        if (signal?.aborted === true) throw error;
        return `the user did not answer: ${sentenceOf(error)}`;
      }
    });
  }

  const checkTrust = async (): Promise<void> => {
    ending ??= endTrust().finally(() => {
      ending = undefined;
    });
    await ending;
  };

  return {
    checkTrust,
    async check(options) {
      await checkTrust();
      checking ??= compare(options).finally(() => {
        checking = undefined;
      });
      const { depth = 0, signal } = options;
      const settled = checking.catch(() => undefined);
      // A hook may start an agent while a question is open, so calls of agents do not wait for another question.
      if (depth === 0) await orAborted(settled, signal).catch(() => undefined);
    },
  };
}

function questionOf(changes: readonly string[], callId: string, options: CallOptions): Ask {
  const { sessionId, agentId } = options;
  return {
    kind: "question",
    callId,
    tool: "Settings",
    displayName: "Settings",
    input: { changes },
    effects: [],
    question: "Settings files have changed. Use the new settings?",
    reason: changes.join("\n  "),
    options: [{ label: use }, { label: keep, description: "until the next start" }],
    trail: [],
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
    refusals: 0,
  };
}

/** Version of a file as it was read; empty if there was none, undefined if it could not be read. */
function versionRead(path: string, { layers }: LoadedSettings): string | undefined {
  const layer = layers.find(({ file }) => file === path);
  return layer === undefined ? "" : layer.content?.version;
}

/** Contents of the files, and whether they may allow something, to compare with later ones. */
function contentsOf({ layers }: LoadedSettings): string {
  return JSON.stringify(
    layers.map(({ file, content, mayWiden }) => [file, content?.hash ?? "none", mayWiden]),
  );
}

/** Version of a file as it is now; empty if there is none. */
async function versionOf(path: string, { fs }: Pick<Host, "fs">): Promise<string> {
  try {
    const found = await fs.stat(path);
    if (found.kind !== "symlink") return found.version;
    return (await fs.stat(await fs.canonical(path))).version;
  } catch {
    return "";
  }
}

/** Settles like the work, or rejects as soon as the signal is aborted. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
