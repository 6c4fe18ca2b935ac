import { z } from "zod";
import {
  defineTool,
  seenFiles,
  ToolError,
  type Effect,
  type EffectContext,
} from "../../core/index.ts";
import { counted } from "../files/paths/display-path.ts";
import { readingEffects } from "../files/paths/missing-path.ts";
import { refuseStrayName } from "../files/paths/suspicious-name.ts";
import { diffForModel, unifiedDiff } from "../files/unified-diff.ts";
import { commitPatch } from "./commit-patch.ts";
import { parsePatch, type FileChange } from "./parse-patch.ts";
import { planPatch, type PlannedFile } from "./plan-patch.ts";

const Input = z.strictObject({
  patch: z
    .string()
    .min(1)
    .describe(
      'The patch, from "*** Begin Patch" to "*** End Patch". Paths are relative to the working directory.',
    ),
});

type Input = z.infer<typeof Input>;

export const applyPatch = defineTool({
  name: "ApplyPatch",
  displayName: "Apply patch",
  description: [
    "Change, add, delete or move several files in one call, all of them or none.",
    "Sections: `*** Update File: path` (optionally `*** Move to: path`), `*** Add File: path`, `*** Delete File: path`.",
    "A hunk begins with `@@`, which a line above the place may follow, and has lines that begin with a space (kept), - (removed) or + (added).",
    "Kept and removed lines must be in the file exactly once; three kept lines on each side are enough.",
    "Read a file before changing it.",
  ].join(" "),
  category: "files",
  aliases: ["apply_patch"],
  searchHint: "patch diff hunk change several files add delete move rename",
  variantOf: "Edit",
  input: Input,
  inputAliases: { patch: ["input", "diff", "patch_text"] },
  freeText: ["patch"],
  touches: ["read", "write"],
  staged: "files",
  needs: [seenFiles],
  effects: (input, context) => patchEffects(input, context),
  signature: ({ patch }) => `ApplyPatch ${namesIn(patch).join(", ")}`,

  async run({ patch }, context) {
    const planned = await planPatch(parsePatch(patch), context);
    await commitPatch(planned, context);
    return answer(planned);
  },
});

/** Effects on every path that the patch names; none for a patch that cannot be parsed, which `run` then refuses. */
async function patchEffects({ patch }: Input, context: EffectContext): Promise<readonly Effect[]> {
  const effects: Effect[] = [];
  for (const change of changesIn(patch)) {
    const { path } = change;
    switch (change.kind) {
      case "add":
        await refuseStrayName(path, context);
        effects.push({ kind: "write", path, scope: "file", change: "create" });
        break;
      case "delete":
        effects.push(...(await readingEffects(path, context)));
        effects.push({ kind: "write", path, scope: "file", change: "delete" });
        break;
      case "update":
        effects.push(...(await readingEffects(path, context)));
        if (change.moveTo === undefined) {
          effects.push({ kind: "write", path, scope: "file", change: "modify" });
        } else {
          await refuseStrayName(change.moveTo, context);
          effects.push({ kind: "write", path: change.moveTo, scope: "file", change: "create" });
          effects.push({ kind: "write", path, scope: "file", change: "delete" });
        }
    }
  }
  return effects;
}

function changesIn(patch: string): readonly FileChange[] {
  try {
    return parsePatch(patch);
  } catch (error) {
    if (ToolError.is(error)) return [];
    throw error;
  }
}

function namesIn(patch: string): readonly string[] {
  return changesIn(patch).map(({ path }) => path);
}

function diffOf(planned: readonly PlannedFile[]) {
  const diffs = planned.map(({ shown, before = "", after = "" }) =>
    unifiedDiff({ path: shown, before, after }),
  );
  return {
    diff: diffs.map(({ text }) => text).join(""),
    /** Diffs of the files in which a text was found only after normalization. */
    interpreted: diffs
      .filter((_, index) => planned[index]?.interpretations.length !== 0)
      .map(({ text }) => text)
      .join(""),
    added: diffs.reduce((sum, each) => sum + each.added, 0),
    removed: diffs.reduce((sum, each) => sum + each.removed, 0),
  };
}

const verbs = { add: "Added", update: "Changed", move: "Moved", delete: "Deleted" } as const;

function answer(planned: readonly PlannedFile[]) {
  const { diff, interpreted, added, removed } = diffOf(planned);
  const lines = planned.map(({ kind, shown, shownFrom, interpretations, noText }) => {
    const from = shownFrom === undefined ? "" : `${shownFrom} to `;
    const how = interpretations.length === 0 ? "" : ` (read as: ${interpretations.join("; ")})`;
    const what = noText === undefined ? "" : ` (no text: it has ${noText})`;
    return `${verbs[kind]} ${from}${shown}${how}${what}`;
  });
  return {
    content: `${lines.join("\n")}\n(${added} added, ${removed} removed)${interpreted === "" ? "" : `\n\n${diffForModel(interpreted)}`}`,
    title: `Patched ${counted(planned.length, "file")}`,
    summary: `${added} added, ${removed} removed`,
    metadata: {
      diff,
      added,
      removed,
      files: planned.map(({ kind, path, from }) => ({
        path,
        change: kind,
        ...(from === undefined ? {} : { from }),
      })),
    },
  };
}
