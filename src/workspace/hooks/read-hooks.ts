import { nearestName } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import type { SettingsProblem } from "../settings/loaded-settings.ts";
import type { Hook, HookOrigin } from "./hook.ts";
import {
  missingEvents,
  hookEvent,
  hookEventNamed,
  hookEvents,
  type HookEvent,
} from "./hook-events.ts";
import type { HookReading, HookSource, ReportHook } from "./hook-source.ts";
import { readHandler } from "./read-handler.ts";
import { readMatcher } from "./read-matcher.ts";

export interface ReadHooks {
  readonly hooks: readonly Hook[];
  readonly problems: readonly SettingsProblem[];
}

/** Maximum number of hooks of one source: more are not settings, and all matching ones run at the same time. */
const maxHooks = 200;

/**
 * Reads hooks in the reference format. A hook that cannot be understood is reported; where a failing hook blocks, it is
 * kept as one that fails, because a gate that cannot be read must not be open.
 */
export function readHooks(source: HookSource): ReadHooks {
  const problems: SettingsProblem[] = [];
  const hooks: Hook[] = [];
  const report: ReportHook = (path, { severity = "error", message, hint }) => {
    const line = source.lineOf?.(path) ?? source.origin.line;
    const { file } = source.origin;
    problems.push({
      severity,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
    });
  };
  if (!isRecord(source.value)) {
    if (source.value !== undefined) {
      report([], { message: "`hooks` is an object of events, each with a list.", hint: format });
    }
    return { hooks, problems };
  }
  for (const [name, groups] of Object.entries(source.value)) {
    const event = eventOf(name, report);
    if (event === undefined) continue;
    const reading = { event: event.event, source, report };
    const found = event.isMisspelled
      ? [brokenHook(reading, [name], `there is no event ${JSON.stringify(name)}`)]
      : readGroups(groups, name, reading);
    hooks.push(...found);
  }
  if (hooks.length > maxHooks) {
    const message = `There are ${hooks.length} hooks here; at most ${maxHooks} are read.`;
    report([], { message, hint: "Join hooks that do the same." });
    const lost = gatesAmong(hooks.slice(maxHooks), { source, report });
    return { hooks: [...hooks.slice(0, maxHooks), ...lost], problems };
  }
  return { hooks, problems };
}

/** A hook that fails for each event at which hooks that were not read could have blocked. */
function gatesAmong(hooks: readonly Hook[], reading: Omit<HookReading, "event">): readonly Hook[] {
  const names = new Set(
    hooks.flatMap(({ event, onFailure }) => (onFailure === "block" ? [event] : [])),
  );
  return [...names].map((name) =>
    brokenHook({ ...reading, event: hookEvent(name) }, [name], "there are too many hooks"),
  );
}

const format =
  'Write { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "…" }] }] }.';

function eventOf(
  name: string,
  report: ReportHook,
): { readonly event: HookEvent; readonly isMisspelled: boolean } | undefined {
  const event = hookEventNamed(name);
  if (event !== undefined) return { event, isMisspelled: false };
  if (missingEvents.has(name)) {
    report([name], {
      severity: "warning",
      message: `The event ${name} does not occur in haft, so its hooks never run.`,
      hint: "docs/hooks.md lists those that do.",
    });
    return undefined;
  }
  const names = hookEvents.map((each) => each.name);
  const near = nearestName(name.slice(0, 64), names);
  const meant = near === undefined ? undefined : hookEventNamed(near);
  const isGate = meant?.onFailure === "block";
  report([name], {
    message: `There is no event ${JSON.stringify(name)}.`,
    hint:
      meant === undefined
        ? `The events are ${names.join(", ")}.`
        : `Did you mean ${meant.name}?${isGate ? ` Until it is corrected, it counts as a ${meant.name} hook that fails.` : ""}`,
  });
  return isGate ? { event: meant, isMisspelled: true } : undefined;
}

function readGroups(groups: unknown, name: string, reading: HookReading): readonly Hook[] {
  const { event, report } = reading;
  if (!Array.isArray(groups)) {
    report([name], { message: `\`${name}\` is a list.`, hint: format });
    return brokenIfGate(reading, [name], `\`${name}\` is not a list`);
  }
  return groups.flatMap((group: unknown, index): readonly Hook[] => {
    const path = [name, index];
    if (!isRecord(group) || !Array.isArray(group["hooks"])) {
      report(path, { message: "An entry is an object with a list `hooks`.", hint: format });
      return brokenIfGate(reading, path, "an entry has no list `hooks`");
    }
    for (const key of Object.keys(group)) {
      if (key === "matcher" || key === "hooks" || key === "description") continue;
      report([...path, key], {
        message: `An entry of \`${name}\` has no key ${JSON.stringify(key)}.`,
        hint: "It is ignored. The keys are matcher and hooks.",
      });
    }
    const matcher = readMatcher(group["matcher"], event, (what) =>
      report([...path, "matcher"], what),
    );
    if (matcher === undefined) return brokenIfGate(reading, path, "its matcher cannot be read");
    return group["hooks"].flatMap((value: unknown, at): readonly Hook[] => {
      const below = [...path, "hooks", at];
      const read = readHandler(value, below, reading);
      const hook: Hook = {
        event: event.name,
        matcher: matcher.text,
        matches: matcher.matches,
        ...read,
        origin: originAt(reading, below),
      };
      return hook.handler.type === "broken" && hook.onFailure === "allow" ? [] : [hook];
    });
  });
}

function brokenIfGate(
  reading: HookReading,
  path: readonly (string | number)[],
  why: string,
): readonly Hook[] {
  return reading.event.onFailure === "block" ? [brokenHook(reading, path, why)] : [];
}

/** A hook that always fails, in place of one that was not understood. */
function brokenHook(reading: HookReading, path: readonly (string | number)[], why: string): Hook {
  return {
    event: reading.event.name,
    matcher: "",
    matches: () => true,
    handler: { type: "broken", why },
    timeoutMs: 1000,
    onFailure: "block",
    once: false,
    origin: originAt(reading, path),
  };
}

function originAt(
  { source: { origin, lineOf } }: HookReading,
  path: readonly (string | number)[],
): HookOrigin {
  if (lineOf === undefined) return origin;
  return {
    ...origin,
    /** Found only for a user who is shown it, because that takes as long as reading the whole file. */
    get line() {
      return lineOf(path) ?? origin.line;
    },
  };
}
