import { expect, test } from "vitest";
import { createRunWork } from "./run-work.ts";

const agent = { id: "agent-1", kind: "agent", title: "look around" } as const;

test.each([{ conversation: { sessionId: "s" } }, { conversation: undefined }])(
  "work that ends before its run listens is reported to the run once it does ($conversation)",
  ({ conversation }) => {
    const work = createRunWork();
    const heard: string[] = [];
    work.start("run-1", agent)({ message: "has ended" });

    work.watch("run-2", () => void heard.push("other"), { sessionId: "t" });
    work.watch(
      "run-1",
      (_, completion) => void heard.push(completion?.message ?? ""),
      conversation,
    );
    work.watch("run-1", () => void heard.push("again"), conversation);

    expect(heard).toEqual(["has ended"]);
  },
);
