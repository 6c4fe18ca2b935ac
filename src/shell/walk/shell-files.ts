import type { Span } from "../../core/index.ts";
import { isWithin } from "../../text/index.ts";
import type { DynamicWord, Gap, Redirection } from "../parse/syntax.ts";
import { resolveWord } from "../words/variables.ts";
import { leadingText, namedPaths, showWord, type Argument } from "../words/words.ts";
import { addConnect, addRead, addUnknown, addWrite } from "./collector.ts";
import type { Folders } from "./current-directories.ts";
import type { Analyst, Frame } from "./analysis-state.ts";

/** Reports the file that a redirection opens. */
export function noteRedirect(
  analyst: Analyst,
  redirect: Redirection,
  at: { readonly folders: Folders; readonly frame: Frame },
): void {
  const { operator, span } = redirect;
  const target = resolveWord(redirect.target, at.frame.variables);
  const { collector } = analyst;
  const standing = { folders: at.folders, home: analyst.home, start: analyst.cwd };
  if (operator === "<<" || operator === "<<<") return;
  const duplicates = operator === ">&" || operator === "<&";
  if (duplicates && typeof target === "string" && /^(?:\d+-?|-)$/u.test(target)) return;
  const host = /^\/dev\/(?:tcp|udp)\/([^/]*)(?:\/(\d+))?/u.exec(leadingText(target));
  if (host !== null) {
    addUnknown(collector, "it opens a connection of its own", { origin: "bash", span });
    if (typeof target !== "string") collector.hasUnknownHost = true;
    if (typeof target === "string" && host[1] !== undefined) {
      const port = Number(host[2]);
      addConnect(
        collector,
        host[1],
        host[2] === undefined ? { span, asks: false } : { port, span, asks: false },
      );
    }
    return;
  }
  const named = namedPaths(target, standing);
  if (operator === "<" || operator === "<&") {
    for (const path of named.paths) addRead(collector, path, { scope: named.scope, span });
    return;
  }
  if (!named.known || isLoose(target, named.scope)) {
    addUnknown(collector, `which file ${showWord(target)} is is unknown before it is written`, {
      origin: "bash",
      span,
    });
    return;
  }
  const change = operator === ">>" || operator === "&>>" ? "modify" : "any";
  for (const path of named.paths) addWrite(collector, path, { change, scope: "file", span });
}

/** Whether the target is uncertain, as a pattern may name any existing file that matches. */
function isLoose(target: Argument, scope: "file" | "tree"): boolean {
  return typeof target !== "string" && scope === "tree";
}

interface Listing {
  readonly folders: Folders;
  readonly span: Span;
  /** Whether the words are only printed, or kept. */
  readonly prints: boolean;
}

/** Programs that print their words. */
export const printsWords = /^(?:echo|printf|basename|dirname|expr)$/u;

/**
 * Reports the directories outside that the shell lists to expand patterns, whatever the words mean to the command. Where
 * the words are only printed, nothing else reports those inside, which links may make a list of another directory.
 */
export function noteListings(
  { collector, cwd, home, workspace }: Analyst,
  words: readonly Argument[],
  { folders, span, prints }: Listing,
): void {
  const standing = { folders, home, start: cwd };
  for (const word of words) {
    if (typeof word === "string" || !word.pieces.some(isGlob)) continue;
    for (const path of namedPaths(word, standing).paths) {
      const isOutside = !isWithin(workspace, path);
      const isDeep = prints && goesDeeper(word);
      // The directory itself may be a link.
      if (!isOutside && !isDeep && !(prints && path !== workspace)) continue;
      addRead(collector, path, { scope: isOutside || isDeep ? "tree" : "file", span, by: span });
    }
  }
}

/** Whether the shell looks for files to expand this piece, as it does not for braces. */
function isGlob(piece: Gap | string): boolean {
  return typeof piece !== "string" && piece.kind === "pattern" && /[*?[(]/u.test(piece.text);
}

/** Whether a pattern has a directory behind its first part that is not literal. */
function goesDeeper({ pieces }: DynamicWord): boolean {
  const first = pieces.findIndex(isGlob);
  return pieces.slice(first).some((piece) => typeof piece === "string" && piece.includes("/"));
}
