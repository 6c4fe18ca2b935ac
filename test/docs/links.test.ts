import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { pages, root, textOf } from "./markdown.ts";

const links = pages.flatMap((page) => {
  const text = textOf(page)
    .replaceAll(/^```[\s\S]*?^```$/gmu, "")
    .replaceAll(/`[^`]*`/gu, "");
  return [...text.matchAll(/\[[^\]]*\]\((?<target>[^)\s]+)\)/gu)].map((match) => ({
    page,
    target: match.groups?.["target"] ?? "",
  }));
});

test("there are links to check", () => {
  expect(links.length).toBeGreaterThan(10);
});

test.each(links.filter(({ target }) => !/^https?:/u.test(target)))(
  "$page links to $target, which is there",
  ({ page, target }) => {
    const [file = "", anchor] = target.split("#");
    const linked = file === "" ? page : path.join(path.dirname(page), file);

    expect(existsSync(path.join(root, linked))).toBe(true);
    expect(anchor === undefined ? [undefined] : headings(linked)).toContain(anchor);
  },
);

test.each(links.filter(({ target }) => /^https?:/u.test(target)))(
  "$page links to an address that can be one: $target",
  ({ target }) => {
    expect(URL.canParse(target)).toBe(true);
  },
);

/** Anchors as code hosts make them of headings. */
function headings(page: string): readonly string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gmu)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
