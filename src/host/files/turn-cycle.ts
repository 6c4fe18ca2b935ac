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
 * where the wait of `own` is in no circle. Every program of the circle finds the same one.
 */
export function claimToGiveUp(
  own: KnownClaim,
  claims: readonly KnownClaim[],
): KnownClaim | undefined {
  const circle = circleFrom([own], [own, ...claims]);
  return circle?.toSorted((one, other) => (baseName(one.file) < baseName(other.file) ? 1 : -1))[0];
}

/** Waiting claims of a circle that continues `path`, of which each waits for a call that the next one belongs to. */
function circleFrom(
  path: readonly KnownClaim[],
  claims: readonly KnownClaim[],
): readonly KnownClaim[] | undefined {
  const [first, last] = [path[0], path.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  for (const { claim: holder } of claims) {
    if (!isInTheWay(holder, last.claim)) continue;
    if (isSameCall(holder, first.claim)) return path;
    for (const next of claims) {
      const isNext = next.claim.isWaiting === true && isSameCall(next.claim, holder);
      const circle = isNext && !path.includes(next) && circleFrom([...path, next], claims);
      if (circle) return circle;
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

function isMeeting(own: readonly string[], others: readonly string[]): boolean {
  return own.some((path) => meetingPath(path, others) !== undefined);
}

export function meetingPath(path: string, others: readonly string[]): string | undefined {
  return others.find((other) => isWithin(other, path) || isWithin(path, other));
}
