import { baseName, isWithin } from "../../text/index.ts";
import type { TurnHolder } from "../../core/index.ts";

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
  return claim.isWaiting !== true && claim.by !== of.by && isMeeting(of.paths, claim.paths);
}

function isSameCall(one: Claim, other: Claim): boolean {
  return one.by === other.by && one.callId !== undefined && one.callId === other.callId;
}

function isForSamePaths(one: Claim, other: Claim): boolean {
  return one.paths.join("\0") === other.paths.join("\0");
}

function isMeeting(own: readonly string[], others: readonly string[]): boolean {
  return own.some((path) => meetingPath(path, others) !== undefined);
}

export function meetingPath(path: string, others: readonly string[]): string | undefined {
  return others.find((other) => isWithin(other, path) || isWithin(path, other));
}
