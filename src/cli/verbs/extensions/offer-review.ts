import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import type { KitValues } from "../../options.ts";
import { visibleText } from "../../print/visible-text.ts";
import { confirmed } from "../../prompt/confirm.ts";
import { didYouMean } from "../../input/nearest.ts";
import { UsageError } from "../../usage-error.ts";
import type { Terminal } from "../../terminal.ts";

/** A plugin or skill that may be installed. */
export interface Offered {
  readonly name: string;
  readonly version?: string;
  readonly hash: string;
  readonly installedHash?: string;
  describe(): readonly string[];
  accept(): Promise<unknown>;
}

export interface OfferOptions {
  readonly what: "plugin" | "skill";
  readonly scope: "user" | "project";
  readonly values: KitValues;
  readonly terminal: Terminal;
  /** Whether the workspace is trusted; asked only after something was installed in it. */
  readonly isTrusted: () => Promise<boolean>;
}

/** First digits of a hash, enough to compare two by eye. */
export function shortHash(hash: string): string {
  return hash.slice(0, "sha256:".length + 12);
}

/** Scope of the command line. */
export function scopeOf(scope: string | undefined): OfferOptions["scope"] | undefined {
  if (scope === undefined || scope === "user" || scope === "project") return scope;
  const near = didYouMean(scope, ["user", "project"]);
  throw new UsageError(
    `There is no scope ${JSON.stringify(scope)}.${near}`,
    "It is user or project.",
  );
}

/** Shows a review, asks, and installs exactly what was shown. */
export async function offerReview(review: Offered, options: OfferOptions): Promise<ExitCode> {
  const { what, scope, values, terminal, isTrusted } = options;
  const { name, version = "", hash, installedHash } = review;
  const shown = visibleText(`${name} ${version}`.trim());
  const print = (installed: boolean, text: string): void => {
    const json = values.json === true;
    terminal.out(json ? `${JSON.stringify({ ...review, installed }, null, 2)}\n` : `${text}\n`);
  };
  if (installedHash === hash) {
    print(false, `${shown} is installed already (${shortHash(hash)}).`);
    return exitCodes.ok;
  }
  const title = installedHash === undefined ? "new" : `${shortHash(installedHash)} is replaced by`;
  terminal.err(`${shown}  ${title} ${shortHash(hash)}\n`);
  for (const line of review.describe()) terminal.err(`${line}\n`);
  if (values.yes !== true) {
    if (!terminal.canAsk) {
      terminal.err(
        "haft: no user can be asked here, so nothing was installed.\nAdd --yes to confirm in advance.\n",
      );
      return exitCodes.approvalNeeded;
    }
    const question =
      installedHash === undefined ? `Install this ${what}?` : "Install this version?";
    if (!(await confirmed(question, terminal))) {
      terminal.err("Nothing was installed.\n");
      return exitCodes.failed;
    }
  }
  await review.accept();
  const whose = scope === "project" ? "this project" : "you";
  print(true, `${shown} is installed for ${whose} (${shortHash(hash)}).`);
  if (scope === "project" && !(await isTrusted())) {
    terminal.err("It applies once you trust this workspace: haft trust add.\n");
  }
  return exitCodes.ok;
}
