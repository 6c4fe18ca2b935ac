import type { Span } from "../../core/index.ts";
import { parseBash } from "../parse/bash-parser.ts";
import { addFinding, addUnknown, type InvocationContext } from "./collector.ts";
import { isOwnVariable, setsQuietly } from "../words/environment.ts";
import type { Analyst, Frame } from "./analysis-state.ts";
import { judgeCall } from "./judge-command.ts";
import { calls, moves } from "./moves.ts";
import { namesAfter, readsInput, readsNames, streamedNames } from "../words/fed-names.ts";
import {
  assignedValue,
  beginLoop,
  isFollowable,
  isSettledHazard,
  joinVariables,
  loopValue,
  noteBuiltin,
  noteSets,
  resolveWord,
  setVariable,
  type Variables,
} from "../words/variables.ts";
import { joinFolders, sameFolders, type Folders } from "./current-directories.ts";
import { noteListings, noteRedirect, printsWords } from "./shell-files.ts";
import type { CommandNode, Inside, ShellNode } from "../parse/syntax.ts";

/** Directories in which the shell may be after a command succeeded or failed. */
interface After {
  readonly ok: Folders;
  readonly fail: Folders;
}

/** Judges a text as a separate script; returns the directories in which the shell may be afterwards. */
export function walkText(
  analyst: Analyst,
  text: string,
  at: { folders: Folders; frame: Frame },
): Folders {
  const { folders, frame } = at;
  const parsed = parseBash(text, frame.origin);
  if (parsed.kind === "refused") {
    addUnknown(analyst.collector, parsed.because, { origin: "bash", span: parsed.span });
    addFinding(analyst.collector, "refused", { text: parsed.because, span: parsed.span });
    return undefined;
  }
  // Any name in this text may call a function of the surrounding text.
  const variables = frame.functions.size === 0 && isFollowable(parsed.root) ? new Map() : undefined;
  return either(walk(analyst, parsed.root, { folders, frame: { ...frame, variables } }));
}

interface At {
  readonly folders: Folders;
  readonly frame: Frame;
}

function walk(analyst: Analyst, node: ShellNode, at: At): After {
  const { folders, frame } = at;
  switch (node.kind) {
    case "command":
      return walkCommand(analyst, node, at);
    case "list": {
      let after: After = { ok: folders, fail: folders };
      let fed = frame;
      for (const part of node.parts) {
        after = walk(analyst, part, { folders: either(after), frame: fed });
        fed = behind(part, fed);
      }
      return after;
    }
    case "chain":
      return walkChain(analyst, node, at);
    case "pipe":
      walkPipe(analyst, node.parts, at);
      return { ok: folders, fail: folders };
    case "subshell":
      walk(analyst, node.body, { folders, frame: apart(inside(frame, "subshell")) });
      return { ok: folders, fail: folders };
    case "branch": {
      let start = folders;
      const ends: Folders[] = [];
      const held: (Variables | undefined)[] = [];
      let isSure = false;
      let falls:
        | { readonly folders: Folders; readonly variables: Variables | undefined }
        | undefined;
      for (const [index, [condition, body]] of node.arms.entries()) {
        const tested =
          condition === undefined
            ? { ok: start, fail: start }
            : walk(analyst, condition, { folders: start, frame: inside(frame, "branch") });
        const arm = apart(inside(behind(condition, frame), "branch"));
        // After an arm that falls through, the next one starts with its variables.
        if (falls !== undefined) joinVariables(arm.variables, [arm.variables, falls.variables]);
        const begin = falls === undefined ? tested.ok : joinFolders([tested.ok, falls.folders]);
        const end = either(walk(analyst, body, { folders: begin, frame: arm }));
        ends.push(end);
        held.push(arm.variables);
        if (node.falling?.includes(index) === true) {
          falls = { folders: joinFolders([end, falls?.folders ?? end]), variables: arm.variables };
        }
        // An `else` has no condition; a `case` arm has none either, but its pattern may not match.
        isSure ||= condition === undefined && node.arms[0]?.[0] !== undefined;
        start = tested.fail;
      }
      joinVariables(frame.variables, isSure ? held : [...held, frame.variables]);
      const end = joinFolders([...ends, start]);
      return { ok: end, fail: end };
    }
    case "loop": {
      // An iteration starts in the directory where the previous one ended.
      const start = moves(node, frame.functions) ? undefined : folders;
      // An iteration may read its input up to the middle of a name.
      const looped = { ...inside(frame, "loop"), names: undefined };
      const value = loopValue(node.each?.words, frame.variables);
      if (node.each?.expands !== undefined) {
        const words = node.each.expands.map((word) => resolveWord(word, frame.variables));
        noteListings(analyst, words, { folders, span: node.each.span, prints: true });
      }
      beginLoop(node, frame.variables);
      if (node.each !== undefined) setVariable(frame.variables, node.each.name, value);
      if (node.condition !== undefined) {
        walk(analyst, node.condition, { folders: start, frame: looped });
        const read = readsNames(node.condition, frame.names);
        if (read !== undefined && !readsInput(node.body)) {
          setVariable(frame.variables, read.name, read.word);
        }
      }
      walk(analyst, node.body, { folders: start, frame: looped });
      beginLoop(node, frame.variables);
      return { ok: start, fail: start };
    }
    case "function":
      return walkFunction(analyst, node, at);
    case "redirected": {
      const held = walkInside(analyst, node.inside, at);
      for (const redirect of node.redirects) noteRedirect(analyst, redirect, at);
      const fed = node.redirects.findLast(({ operator }) => operator.startsWith("<"));
      const result = walk(analyst, node.body, {
        folders,
        frame:
          fed === undefined
            ? frame
            : { ...frame, piped: true, fed: held, names: streamedNames(fed, frame.variables) },
      });
      noteSets(node.inside?.sets ?? [], frame.variables);
      return result;
    }
    case "words":
      walkInside(analyst, node.inside, at);
      noteSets(node.inside.sets, frame.variables);
      return { ok: folders, fail: folders };
  }
}

/** Copy of a frame with separate variables: assignments there do not outlive it. */
function apart(frame: Frame): Frame {
  return frame.variables === undefined ? frame : { ...frame, variables: new Map(frame.variables) };
}

function inside(frame: Frame, context: InvocationContext): Frame {
  return { ...frame, context, certain: false };
}

function either(after: After): Folders {
  return after.ok === after.fail ? after.ok : joinFolders([after.ok, after.fail]);
}

/** Frame after a part that may have read some of the names on the shared standard input. */
function behind(part: ShellNode | undefined, frame: Frame): Frame {
  if (frame.names === undefined || part === undefined || !readsInput(part)) return frame;
  return { ...frame, names: undefined };
}

function walkChain(analyst: Analyst, node: Extract<ShellNode, { kind: "chain" }>, at: At): After {
  let after: After | undefined;
  let chained = at.frame.variables;
  let fed = at.frame;
  for (const [index, part] of node.parts.entries()) {
    if (after === undefined) {
      after = walk(analyst, part, at);
      fed = behind(part, fed);
      continue;
    }
    // A part after `&&` runs only after the assignments before it; a part after `||` may follow any earlier part.
    const variables = node.operators[index - 1] === "&&" ? chained : at.frame.variables;
    const frame = apart({ ...at.frame, names: fed.names, certain: false, variables });
    fed = behind(part, fed);
    if (node.operators[index - 1] === "&&") {
      const next = walk(analyst, part, { folders: after.ok, frame });
      after = { ok: next.ok, fail: joinFolders([after.fail, next.fail]) };
    } else if (leaves(part)) {
      walk(analyst, part, { folders: after.fail, frame });
      // After a failure the script ends here, so only success is followed.
      after = { ok: after.ok, fail: after.ok };
    } else {
      const next = walk(analyst, part, { folders: after.fail, frame });
      after = { ok: joinFolders([after.ok, next.ok]), fail: next.fail };
    }
    joinVariables(at.frame.variables, [at.frame.variables, frame.variables]);
    chained = node.operators[index - 1] === "&&" ? frame.variables : at.frame.variables;
  }
  return after ?? { ok: at.folders, fail: at.folders };
}

function leaves(node: ShellNode): boolean {
  return node.kind === "command" && (node.words[0] === "exit" || node.words[0] === "return");
}

function walkPipe(analyst: Analyst, parts: readonly ShellNode[], at: At): void {
  const fed: string[] = [...at.frame.fed];
  let fedText: string | undefined;
  let { names } = at.frame;
  for (const [index, part] of parts.entries()) {
    const before = analyst.collector.invocations.length;
    const frame: Frame = {
      ...apart(inside(at.frame, "pipe")),
      fed: [...fed],
      fedText,
      names,
      piped: index > 0 || at.frame.piped,
    };
    walk(analyst, part, { folders: at.folders, frame });
    for (const { name } of analyst.collector.invocations.slice(before))
      if (name !== undefined) fed.push(name);
    fedText = index === 0 ? echoed(part) : undefined;
    names = namesAfter(part, names, (word) => resolveWord(word, at.frame.variables));
  }
}

/** Output of a plain `echo` or `printf`. */
function echoed(node: ShellNode): string | undefined {
  if (node.kind !== "command" || node.redirects.length > 0) return undefined;
  const [name, ...words] = node.words;
  const texts = words.filter((word) => typeof word === "string");
  if (texts.length !== words.length) return undefined;
  if (name === "echo") {
    const flags = texts[0] !== undefined && /^-[neE]+$/u.test(texts[0]) ? 1 : 0;
    const text = texts.slice(flags).join(" ");
    return text.includes("\\") ? undefined : text;
  }
  if (name !== "printf" || texts.length === 0) return undefined;
  const [format = "", value = ""] = texts;
  const text = format.replace("%s", () => value).replaceAll("\\n", "\n");
  return /[%\\]/u.test(text) ? undefined : text;
}

function walkFunction(
  analyst: Analyst,
  node: Extract<ShellNode, { kind: "function" }>,
  at: At,
): After {
  const { folders, frame } = at;
  const body = { ...inside(frame, "function"), depth: frame.depth + 1, variables: undefined };
  if (isForkBomb(node.body, node.name, { background: false })) {
    addFinding(analyst.collector, "floor", {
      text: `${node.name} is a fork bomb: it starts itself twice over`,
      span: node.span,
    });
  }
  walk(analyst, node.body, { folders, frame: body });
  const moving = moves(node.body, frame.functions) || calls(node.body, frame.functions);
  analyst.defined.add(node.name);
  frame.functions.set(node.name, {
    certain: frame.certain,
    moves: moving,
    call: (now, caller) => {
      if (!moving && sameFolders(now, folders)) return now;
      if (caller.depth > 16) return undefined;
      const after = walk(analyst, node.body, {
        folders: now,
        frame: { ...inside(caller, "function"), depth: caller.depth + 4, variables: undefined },
      });
      return either(after);
    },
  });
  return { ok: folders, fail: folders };
}

/** Whether a function body starts its own function in a pipe or in the background. */
function isForkBomb(node: ShellNode, name: string, now: { background: boolean }): boolean {
  switch (node.kind) {
    case "command":
      return now.background && node.words[0] === name;
    case "list":
    case "chain":
      return node.parts.some((part) => isForkBomb(part, name, now));
    case "pipe":
      return node.parts.some((part) => isForkBomb(part, name, { background: true }));
    case "subshell":
      return isForkBomb(node.body, name, { background: true });
    case "branch":
      return node.arms.some(([, body]) => isForkBomb(body, name, now));
    case "loop":
    case "redirected":
    case "function":
      return isForkBomb(node.body, name, now);
    case "words":
      return false;
  }
}

/** Judges the scripts inside words; returns the names of the programs in them. */
function walkInside(analyst: Analyst, held: Inside | undefined, at: At): readonly string[] {
  if (held === undefined) return [];
  const before = analyst.collector.invocations.length;
  const frame: Frame = {
    ...inside(at.frame, "substitution"),
    depth: at.frame.depth + 1,
    piped: false,
    fed: [],
    fedText: undefined,
  };
  for (const script of held.scripts)
    walk(analyst, script, { folders: at.folders, frame: apart(frame) });
  for (const hazard of held.hazards) {
    if (isSettledHazard(hazard, at.frame.variables)) continue;
    addUnknown(analyst.collector, hazard.because, { origin: "bash", span: hazard.span });
  }
  // An assignment during expansion may happen before or after any word is expanded.
  for (const { name } of held.sets) at.frame.variables?.delete(name);
  const names = analyst.collector.invocations.slice(before).map(({ name }) => name);
  return names.filter((name) => name !== undefined);
}

function walkCommand(analyst: Analyst, node: CommandNode, at: At): After {
  const { folders, frame } = at;
  const inner = walkInside(analyst, node.inside, at);
  for (const redirect of node.redirects) noteRedirect(analyst, redirect, at);
  const sets = node.inside?.sets ?? [];
  if (node.words.length === 0) {
    for (const { name, span, whole, elements = [] } of node.assigns) {
      noteListings(analyst, elements, { folders, span, prints: true });
      setVariable(frame.variables, name, assignedValue(whole, frame.variables));
      const reach = reachOf(name, analyst);
      if (reach === "listed") analyst.heldBack.push({ name, span });
      else if (reach === "programs") {
        addUnknown(analyst.collector, `it sets ${name}, which what follows may obey`, {
          origin: "bash",
          span,
        });
      }
    }
    noteSets(sets, frame.variables);
    return { ok: folders, fail: folders };
  }
  const words = node.words.map((word) => resolveWord(word, frame.variables));
  const prints = typeof words[0] === "string" && printsWords.test(words[0]);
  noteListings(analyst, words, { folders, span: node.span, prints });
  const fed = node.redirects.some(({ operator }) => operator.startsWith("<"));
  const moved = judgeCall(analyst, {
    argv: words,
    assigns: node.assigns,
    redirects: node.redirects,
    span: node.span,
    spans: node.spans,
    folders,
    frame: fed
      ? {
          ...frame,
          names: undefined,
          piped:
            frame.piped ||
            node.redirects.some(({ operator }) => operator === "<<" || operator === "<<<"),
        }
      : frame,
    inner,
    direct: true,
  });
  noteBuiltin(node.words, frame.variables);
  noteSets(sets, frame.variables);
  return { ok: moved, fail: folders };
}

/** Programs that receive a shell variable: none, only those that may do anything, or any. */
function reachOf(name: string, { env }: Analyst): "nobody" | "listed" | "programs" {
  if (env?.[name] !== undefined) return "programs";
  if (setsQuietly(name)) return "nobody";
  return isOwnVariable(name) ? "listed" : "programs";
}

/** Span of a whole text. */
export function wholeSpan(text: string): Span {
  return { start: 0, end: text.length };
}
