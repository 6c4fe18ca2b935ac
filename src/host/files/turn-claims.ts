import { baseName, isWithin, parentPath } from "../../text/index.ts";
import { ToolError, type TurnHolder } from "../../core/index.ts";

/** A turn that is taken or requested, as its link states it. */
export interface Claim extends TurnHolder {
  readonly paths: readonly string[];
  /** Set for the claim of a call that holds other paths while it waits for these. It is in no other program's way. */
  readonly isWaiting?: true;
}

export interface KnownClaim {
  /** Path of the claim's link. */
  readonly file: string;
  readonly claim: Claim;
}

/** Maximum length of a link target in bytes; with more paths, the directory that contains all of them is claimed. */
const maxBytes = 4000;
/** Maximum number of characters of the work that a claim names. */
const maxWhat = 200;

/** Claim of a turn at these paths, short enough for a link; of too many paths, of the directory that contains them. */
export function claimOf(all: readonly string[], { by, what, callId }: TurnHolder): Claim {
  // Description and id come from the caller, so their length is limited; a call with a longer id shows no wait.
  const isShown = callId !== undefined && callId.length <= maxWhat;
  const holder = { by, what: what.slice(0, maxWhat), ...(isShown ? { callId } : {}) };
  let claim: Claim = { ...holder, paths: all.length > maxBytes / 4 ? [commonDirectory(all)] : all };
  for (let common = commonDirectory(all); !isShort(claim); common = parentPath(common)) {
    claim = { ...holder, paths: [common] };
    if (common === "/") break;
  }
  return claim;
}

function isShort(claim: Claim): boolean {
  return Buffer.byteLength(JSON.stringify(claim)) <= maxBytes;
}

function commonDirectory(paths: readonly string[]): string {
  let [common = "/"] = paths;
  for (const path of paths) while (!isWithin(common, path)) common = parentPath(common);
  return common;
}

/** Error of a wait that was aborted. */
export function abortedWait(own: Claim, other: Claim): ToolError {
  const { path, pid } = meetingOf(own, other);
  return new ToolError(
    "ABORTED",
    `The call was aborted while it waited for ${other.what} of another haft program (process ${pid}), which is changing ${path}.`,
    { hint: "Nothing was changed.", data: { path, process: Number(pid), by: other.what } },
  );
}

function meetingOf(own: Claim, other: Claim): { readonly path: string; readonly pid: string } {
  const path = meetingPath(own, other) ?? "A path";
  const [pid = "?"] = other.by.split("/");
  return { path, pid };
}

/** Error of a wait that took too long, or cannot end because calls wait for each other in a circle. */
export function refused(
  own: Claim,
  other: Claim,
  { isCircle }: { readonly isCircle: boolean },
): ToolError {
  const { path, pid } = meetingOf(own, other);
  const isChanging = `${path} is being changed by ${other.what} of another haft program (process ${pid})`;
  return new ToolError(
    "UNAVAILABLE",
    isCircle ? `${isChanging}, and it waits for this call.` : `${isChanging}.`,
    {
      hint: isCircle
        ? "The other one continues now. Try again when it has ended."
        : "Nothing was changed. Wait until it has ended, then try again.",
      data: { path, process: Number(pid), by: other.what },
      retryable: true,
    },
  );
}

/**
 * The claim that has to give up because calls wait for each other in a circle: of those that wait, the latest. Undefined
 * where the wait of `own` is in no circle. Of calls in several circles, the latest of all finds itself in each of its own,
 * so that one always gives up.
 */
export function claimToGiveUp(
  own: KnownClaim,
  claims: readonly KnownClaim[],
): KnownClaim | undefined {
  const waiting = [own, ...claims.filter(({ claim }) => claim.isWaiting === true)];
  const isRequest = ({ claim }: KnownClaim): boolean =>
    waiting.some((wait) => isSameCall(wait.claim, claim) && isForSamePaths(wait.claim, claim));
  // The claim of a call that waits for the same paths is a request, which is withdrawn when it meets another one.
  const held = claims.filter((each) => each.claim.isWaiting !== true && !isRequest(each));
  const circle = circleFrom([own], { held, waiting, seen: new Set([own]) });
  return circle?.toSorted((one, other) => (baseName(one.file) < baseName(other.file) ? 1 : -1))[0];
}

interface Waits {
  readonly held: readonly KnownClaim[];
  readonly waiting: readonly KnownClaim[];
  /** Waiting claims that were followed: from each the search continues once, however many claims lead to it. */
  readonly seen: Set<KnownClaim>;
}

/** Waiting claims of a circle that continues `path`, of which each waits for a call that the next one belongs to. */
function circleFrom(path: readonly KnownClaim[], waits: Waits): readonly KnownClaim[] | undefined {
  const [first, last] = [path[0], path.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  for (const { claim: holder } of waits.held) {
    if (!isInTheWay(holder, last.claim)) continue;
    if (isSameCall(holder, first.claim)) return path;
    for (const next of waits.waiting) {
      if (waits.seen.has(next) || !isSameCall(next.claim, holder)) continue;
      waits.seen.add(next);
      const circle = circleFrom([...path, next], waits);
      if (circle !== undefined) return circle;
    }
  }
  return undefined;
}

/** Whether a claim has to be released before the other one is granted. */
export function isInTheWay(claim: Claim, of: Claim): boolean {
  return claim.isWaiting !== true && claim.by !== of.by && meetingPath(of, claim) !== undefined;
}

function isSameCall(one: Claim, other: Claim): boolean {
  return one.by === other.by && one.callId !== undefined && one.callId === other.callId;
}

function isForSamePaths(one: Claim, other: Claim): boolean {
  return one.paths.join("\0") === other.paths.join("\0");
}

/** The first path of a claim that is a path of the other one, contains one, or is in one. */
function meetingPath(own: Claim, { paths }: Claim): string | undefined {
  return own.paths.find((path) =>
    paths.some((other) => isWithin(other, path) || isWithin(path, other)),
  );
}
