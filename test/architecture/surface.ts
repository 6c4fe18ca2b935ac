import { parseSync, type Directive, type Statement } from "oxc-parser";

/** Names that an entry declares and exports, read from its generated declarations. */
export interface Surface {
  readonly entry: string;
  /** Everything that the exports of the entry reach, under its own name. */
  readonly declared: readonly string[];
  /** Exported names, with the name of the declaration behind each. */
  readonly exported: ReadonlyMap<string, string>;
}

/** Reads the declarations of one entry, joined into one text as in `docs/api`. */
export function readSurface(entry: string, declarations: string): Surface {
  const declared = new Set<string>();
  const exported = new Map<string, string>();
  for (const statement of parseSync(`${entry}.d.ts`, declarations).program.body) {
    const own = namesOf(statement);
    for (const name of own) declared.add(name);
    if (statement.type !== "ExportNamedDeclaration") continue;
    for (const name of own) exported.set(name, name);
    for (const { local, exported: shown } of statement.specifiers) {
      if ("name" in local && "name" in shown) exported.set(shown.name, local.name);
    }
  }
  return { entry, declared: [...declared], exported };
}

/** Declarations that a public name reaches and that no entry exports. */
export function unexported(surfaces: readonly Surface[]): readonly string[] {
  const everywhere = new Set(surfaces.flatMap(({ exported }) => [...exported.keys()]));
  return surfaces.flatMap(({ entry, declared, exported }) => {
    const own = new Set(exported.values());
    const missing = declared.filter((name) => !own.has(name) && !everywhere.has(name));
    return missing.map((name) => `${entry}: ${name}`);
  });
}

/** Names that more than one entry exports. */
export function exportedTwice(surfaces: readonly Surface[]): readonly string[] {
  const entries = new Map<string, string[]>();
  for (const { entry, exported } of surfaces) {
    for (const name of exported.keys()) entries.set(name, [...(entries.get(name) ?? []), entry]);
  }
  return [...entries].filter(([, found]) => found.length > 1).map(([name]) => name);
}

/** Exports with another name than their declaration: messages of the compiler would show the hidden one. */
export function renamed(surfaces: readonly Surface[]): readonly string[] {
  return surfaces.flatMap(({ entry, exported }) =>
    [...exported]
      .filter(([shown, local]) => shown !== local)
      .map(([shown, local]) => `${entry}: ${local} as ${shown}`),
  );
}

function namesOf(statement: Directive | Statement): readonly string[] {
  if (statement.type === "ExportNamedDeclaration") {
    return statement.declaration === null ? [] : namesOf(statement.declaration);
  }
  if (statement.type === "VariableDeclaration") {
    return statement.declarations.flatMap(({ id }) => ("name" in id ? [id.name] : []));
  }
  const id = "id" in statement ? statement.id : undefined;
  return id !== null && typeof id === "object" && "name" in id ? [id.name] : [];
}
