import type { OverlayForm } from "./namespace-form.ts";

export interface MountPlan {
  /** Unique source name of the mount of the plan's directory: it marks the mounts as ours. */
  readonly tag: string;
  readonly form: OverlayForm;
  /** Canonical directories; each gets an overlay of `l<n>` (a link to it), with `u<n>` and `w<n>`. */
  readonly roots: readonly string[];
  /** Paths inside the roots that are mounted as they are; `t<n>` keeps each one reachable in the meantime. */
  readonly through: readonly string[];
}

/**
 * Returns all mounts of one overlay as a table that one `mount --all` processes in order. Directly written trees are
 * bound aside first, because the overlay covers them. Names next to the table are relative, so no path has to be
 * escaped inside overlayfs' own options.
 */
export function mountTable({ tag, form, roots, through }: MountPlan): string {
  const lines = [
    ...through.map((path, index) => [path, `t${index}`, "none", "rbind"]),
    ...roots.map((path, index) => [tag, path, "overlay", overlayOptions(form, index)]),
    ...through.map((path, index) => [`t${index}`, path, "none", "rbind"]),
  ];
  return lines.map((fields) => `${fields.map(escaped).join(" ")} 0 0\n`).join("");
}

/**
 * Returns the options of an overlay. With `redirect_dir`, a program can move a directory in one step, as it can without
 * an overlay; with `index`, all names of a file stay linked. An unprivileged user gets neither. `volatile`: staged
 * files need not survive a crash, and unmounting must not wait for the whole disk.
 */
function overlayOptions(form: OverlayForm, index: number): string {
  const layers = `lowerdir=l${index},upperdir=u${index},workdir=w${index}`;
  const own = form === "user" ? "userxattr" : "index=on,redirect_dir=on,metacopy=off,xino=off";
  return `${layers},${own},volatile`;
}

function escaped(field: string): string {
  return field.replaceAll(/[\s\\#]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0x7f ? character : `\\${code.toString(8).padStart(3, "0")}`;
  });
}
