/** An entry of the command that only passes on names of another file becomes that file: one less is opened. */
import path from "node:path";
import { specifierOf } from "./bundle-groups.ts";

/** A file that took the place of an entry. */
export interface MovedFile {
  readonly from: string;
  readonly to: string;
}

/** Replaces an entry, in the codes by file, by the file whose names it passes on; undefined if it does more. */
export function joinEntry(codes: Map<string, string>, entry: string): MovedFile | undefined {
  const [, names, specifier] =
    /^export \{ ([^}]*) \} from "(\.[^"]+)";\s*(?:\/\/#.*)?$/u.exec(codes.get(entry) ?? "") ?? [];
  if (names === undefined || specifier === undefined) return undefined;
  const from = path.join(path.dirname(entry), specifier);
  const code = codes.get(from);
  const [, exported] = /^export \{ ([^}]*) \};$/mu.exec(code ?? "") ?? [];
  if (code === undefined || exported === undefined) return undefined;
  const locals = new Map(
    exported.split(", ").map((pair) => {
      const [local = "", outside = local] = pair.split(" as ");
      return [outside, local];
    }),
  );
  const own = names.split(", ").map((pair) => {
    const [inside = "", outside = inside] = pair.split(" as ");
    return `${locals.get(inside) ?? inside} as ${outside}`;
  });
  codes.delete(from);
  for (const [file, text] of [...codes, [entry, code] as const]) {
    const moved = text.replaceAll(
      /\b(from |import\(|import )"(\.[^"]+)"/gu,
      (found, before: string, name: string) => {
        const target = path.join(path.dirname(file === entry ? from : file), name);
        if (target === from) return `${before}"${specifierOf(entry, file)}"`;
        return file === entry && codes.has(target)
          ? `${before}"${specifierOf(target, file)}"`
          : found;
      },
    );
    codes.set(file, moved);
  }
  const joined = codes.get(entry) ?? "";
  const map = `//# sourceMappingURL=${path.basename(from)}.map`;
  codes.set(
    entry,
    joined.replace(
      map,
      `export { ${own.join(", ")} };\n${map.replace(path.basename(from), path.basename(entry))}`,
    ),
  );
  return { from, to: entry };
}
