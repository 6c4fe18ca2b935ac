import { isWithin, parentPath } from "../../text/index.ts";
import { ToolError, type TurnHolder } from "../../core/index.ts";
import { meetingPath, type Claim } from "./turn-cycle.ts";

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
  const path = own.paths.find((each) => meetingPath(each, other.paths) !== undefined) ?? "A path";
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
