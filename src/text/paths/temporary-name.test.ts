import { expect, test } from "vitest";
import { draftName, draftsAmong } from "./temporary-name.ts";

const token = "0123456789ab";

test.each(["a.txt", ".env", "x".repeat(255), "é".repeat(120), "a\nb", "a.0123456789ab.draft"])(
  "a draft of %j is known as one",
  (name) => {
    const draft = draftName(name, token);

    expect(new TextEncoder().encode(draft).length).toBeLessThan(256);
    expect(draftsAmong([name, draft, `${draft}~`], [name])).toEqual([draft]);
    expect(draftsAmong([draft], ["other"])).toEqual([]);
    expect(draftsAmong([draft], ["other", name], "0123")).toEqual([draft]);
    expect(draftsAmong([draft], [name], "3456")).toEqual([]);
    expect(draftsAmong([draft], ["other"], "0123")).toEqual([]);
  },
);
