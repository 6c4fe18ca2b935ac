import { z } from "zod";
import {
  defineTool,
  people,
  planMode,
  ToolError,
  type Mode,
  type UserReply,
} from "../../core/index.ts";

const Input = z.strictObject({
  plan: z.string().trim().min(1).describe("The whole plan, as Markdown."),
});

export const exitPlanMode = defineTool({
  name: "ExitPlanMode",
  displayName: "Present the plan",
  description:
    "Show your plan to the user, who approves, changes or refuses it. Only an approval ends plan mode.",
  category: "interaction",
  searchHint: "plan approve present finish planning mode",
  input: Input,
  freeText: ["plan"],
  touches: ["interact"],
  // Planning cannot end without it.
  alwaysLoad: true,
  modes: ["plan"],
  needs: [people],
  effects: () => [{ kind: "interact" }],
  signature: ({ plan }) => `ExitPlanMode ${plan.split("\n", 1)[0] ?? ""}`,

  async run({ plan }, context) {
    const control = context.service(planMode);
    const mode = control.mode();
    if (mode !== "plan") throw notPlanning(mode);
    const reply = await context.ask({ kind: "plan", plan });
    if (reply.kind !== "approved") throw refusedPlan(reply);
    const next = control.leave();
    return {
      content: `${approvalText(reply)} Plan mode is off. ${modeTexts[next]}`.concat(
        reply.isChanged ? `\n\nThe plan as the user changed it:\n${reply.plan}` : "",
      ),
      title: "Plan approved",
      summary: reply.isChanged ? "approved with changes" : "approved",
      metadata: { plan: reply.plan, isChanged: reply.isChanged, approvedBy: reply.by, mode: next },
    };
  },

  async preview() {
    return { summary: "Would show you the plan, and ask whether to carry it out.", changes: [] };
  },
});

type Approved = Extract<UserReply, { readonly kind: "approved" }>;

function approvalText({ by, isChanged }: Approved): string {
  if (by === "none") {
    return "Approved automatically: this session says yes to everything, and no user has read the plan.";
  }
  if (by === "hook") return "Approved by a hook of the user, who has not read the plan.";
  return isChanged
    ? "The user approved the plan with changes. Carry out the changed one."
    : "The user approved the plan. Carry it out.";
}

const modeTexts: Readonly<Record<Mode, string>> = {
  default: "Changes are asked about one by one.",
  acceptEdits: "Files of the workspace are changed without asking.",
  plan: "",
  dontAsk: "What no rule allows is refused without asking.",
  bypassPermissions: "What you do is approved automatically, without a look at it.",
};

function notPlanning(mode: Mode): ToolError {
  return new ToolError(
    "INVALID_INPUT",
    `Plan mode is not on, so the user was not asked and no plan is approved. ${modeTexts[mode]}`,
    { hint: "Continue with the task as the user gave it.", data: { mode } },
  );
}

function refusedPlan(reply: Exclude<UserReply, Approved>): ToolError {
  const reason = reply.kind === "refused" ? reply.reason : undefined;
  return new ToolError(
    "DENIED_BY_USER",
    reason === undefined ? "The user refused the plan." : `The user refused the plan: ${reason}`,
    { hint: "Plan mode stays on: change the plan, or ask what they would prefer." },
  );
}
