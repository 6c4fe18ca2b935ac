import { judge } from "../../policy/index.ts";
import { redact } from "../../redact/index.ts";
import { pathBelow } from "../../text/index.ts";
import type { ReadInstructionsOptions } from "../../workspace/index.ts";
import type { InstructionParts } from "./kit-instructions.ts";

/** Effects of a file of instructions are judged as those of this tool. */
const readTool = { name: "Read", touches: ["read"] } as const;

/**
 * Options to read the instructions of a kit: each file is judged by its rules as the Read tool is, without a mode that
 * would widen them, and secrets are left out of its text.
 */
export async function instructionOptions({
  place,
  host,
  rules,
}: InstructionParts): Promise<ReadInstructionsOptions> {
  const { workspace, recorded, boundary, trusted, anchors } = place;
  await rules.followLinks();
  return {
    host,
    workspace,
    roots: boundary.roots,
    home: anchors.home,
    trusted,
    redact,
    isRecorded: (path, hash) =>
      recorded?.record?.files.get(pathBelow(workspace, path) ?? "") === hash,
    refusal({ path, named, isOfUser }) {
      // Which files outside the workspace are read is not up to the model, so that nothing about them is asked.
      const isOpen = isOfUser || !boundary.restrictToWorkspace;
      const decision = judge({
        tool: readTool,
        input: { file_path: path },
        effects: [{ kind: "read", path, scope: "file" }],
        rules: rules.current(),
        mode: "default",
        boundary: isOpen ? { ...boundary, roots: [...boundary.roots, path] } : boundary,
        trusted,
        requested: named === path ? undefined : new Map([[path, [named]]]),
        now: host.clock.now(),
      });
      return decision.kind === "allow" ? undefined : decision.reason;
    },
  };
}
