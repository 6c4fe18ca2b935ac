/** Reference of one entry in Markdown, from its joined declarations: every exported name with its members. */
import { parseSync, type Comment, type Program } from "oxc-parser";

type Statement = Program["body"][number];

/** A public name or a member of one. */
interface Documented {
  readonly name: string;
  /** Declaration without comments, on one line. */
  readonly text: string;
  /** Its doc comment as Markdown; empty if it has none. */
  readonly comment: string;
}

interface Member extends Documented {
  /** Heading under which it is listed, from `@group`; undefined where there are no groups. */
  readonly group: string | undefined;
}

interface Declared extends Documented {
  readonly members: readonly Member[];
}

/** Declarations of one entry, with the comments that end directly before a position. */
interface Source {
  readonly code: string;
  readonly comments: readonly Comment[];
}

/** Page of an entry, its names in alphabetical order. */
export function referencePage(entry: string, declarations: string): string {
  const title = entry === "haft" ? "haft" : `haft/${entry}`;
  const parts = [
    `# API of \`${title}\``,
    "Generated from the source by `npm run api`.",
    ...exportedBy(declarations).map(section),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** A member such as `kind: "read"` says itself what it is. */
const literal = /^(?:readonly )?\w+: (?:"[^"]*"|\d+)$/u;

/** Public names and members without a doc comment, as `Name` or `Name.member`. */
export function undocumented(declarations: string): readonly string[] {
  return exportedBy(declarations).flatMap(({ name, comment, members }) => [
    ...(comment === "" ? [name] : []),
    ...members
      .filter((each) => each.comment === "" && !literal.test(each.text))
      .map((each) => `${name}.${each.name}`),
  ]);
}

function section({ name, text, comment, members }: Declared): string {
  const parts = [`## ${name}`, `\`${text}\``];
  if (comment !== "") parts.push(comment);
  for (const group of new Set(members.map((member) => member.group))) {
    if (group !== undefined) parts.push(`### ${name}: ${group}`);
    parts.push(
      members
        .filter((member) => member.group === group)
        .map(row)
        .join("\n")
        .trimEnd(),
    );
  }
  return parts.join("\n\n");
}

function row({ text, comment }: Member): string {
  return `- \`${text}\`${comment === "" ? "" : `\n\n${indented(comment)}\n`}`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gmu, "  ");
}

function exportedBy(code: string): readonly Declared[] {
  const { program, comments } = parseSync("entry.d.ts", code);
  const source = { code, comments: comments.filter(({ value }) => value.startsWith("*")) };
  const shown = new Map<string, string>();
  const found: Declared[] = [];
  for (const statement of program.body) {
    const isExport = statement.type === "ExportNamedDeclaration";
    if (isExport) {
      for (const { local, exported } of statement.specifiers) {
        if ("name" in local && "name" in exported) shown.set(local.name, exported.name);
      }
    }
    const declaration = isExport ? statement.declaration : statement;
    if (declaration === null) continue;
    for (const each of declared(declaration, statement.start, source)) {
      if (isExport) shown.set(each.name, each.name);
      found.push(each);
    }
  }
  return found
    .flatMap((each) => {
      const name = shown.get(each.name);
      return name === undefined ? [] : [{ ...each, name }];
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** `start` is where the statement starts, which an `export` before the declaration moves. */
function declared(statement: Statement, start: number, source: Source): readonly Declared[] {
  const { comment } = commentBefore(start, source);
  const whole = onOneLine(statement, source);
  if (statement.type === "ClassDeclaration" || statement.type === "TSInterfaceDeclaration") {
    if (statement.id === null) return [];
    const { body } = statement.body;
    const text = onOneLine({ start: statement.start, end: statement.body.start }, source);
    return [{ name: statement.id.name, text, comment, members: membersOf(body, source) }];
  }
  if (statement.type === "TSTypeAliasDeclaration") {
    const { typeAnnotation: type } = statement;
    const listed = type.type === "TSTypeLiteral" ? membersOf(type.members, source) : [];
    return [{ name: statement.id.name, text: whole, comment, members: listed }];
  }
  const ids =
    statement.type === "VariableDeclaration"
      ? statement.declarations.map(({ id }) => id)
      : statement.type === "TSDeclareFunction"
        ? [statement.id]
        : [];
  return ids.flatMap((id) =>
    id?.type === "Identifier" ? [{ name: id.name, text: whole, comment, members: [] }] : [],
  );
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly key?: unknown;
}

function membersOf(nodes: readonly Node[], source: Source): readonly Member[] {
  return nodes.flatMap((node) => {
    const name = nameOf(node.key, source);
    if (name === undefined || name.startsWith("#")) return [];
    return [{ name, text: onOneLine(node, source), ...commentBefore(node.start, source) }];
  });
}

function nameOf(key: unknown, { code }: Source): string | undefined {
  if (typeof key !== "object" || key === null || !("start" in key) || !("end" in key))
    return undefined;
  return code.slice(Number(key.start), Number(key.end));
}

/** Longer declarations are cut: the page is for reading, `docs/api` has them in full. */
const maxChars = 400;

function onOneLine(
  { start, end }: { readonly start: number; readonly end: number },
  source: Source,
) {
  let text = "";
  let from = start;
  for (const comment of source.comments) {
    if (comment.start < from || comment.end > end) continue;
    text += source.code.slice(from, comment.start);
    from = comment.end;
  }
  const line = (text + source.code.slice(from, end))
    .replaceAll(/\s+/gu, " ")
    .replace(/^(?:export )?(?:declare )?/u, "")
    .replace(/[;{\s]+$/u, "");
  return line.length > maxChars ? `${line.slice(0, maxChars)} …` : line;
}

function commentBefore(start: number, { code, comments }: Source) {
  const found = comments.findLast(({ end }) => end <= start);
  if (found === undefined || code.slice(found.end, start).trim() !== "") {
    return { comment: "", group: undefined };
  }
  const lines = found.value.slice(1).split("\n");
  const text = lines
    .map((line) => line.replace(/^\s*\* ?/u, "").trimEnd())
    .join("\n")
    .trim();
  const group = /^@group (?<name>.+)$/mu.exec(text)?.groups?.["name"];
  return { comment: markdown(text.replace(/^@group .+$/mu, "").trim()), group };
}

/** Tags of a doc comment as sentences. */
function markdown(text: string): string {
  return text
    .replaceAll(/^@default (?<value>.+)$/gmu, "Default: `$<value>`.")
    .replaceAll(/^@throws (?<what>.+)$/gmu, "Throws $<what>")
    .replaceAll(/^@example\n(?<code>(?:(?!@).*\n?)+)/gmu, "Example:\n\n```js\n$<code>\n```")
    .replaceAll(/\n+```$/gmu, "\n```");
}
