import { printToolError } from "../../print/print-tool-error.ts";
import path from "node:path";
import { ToolError, type Kit, type PluginListing, type PluginReview } from "../../../index.ts";
import { didYouMean } from "../../input/nearest.ts";
import { parseWords, refuseMore } from "../../input/parse-arguments.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { openQuietly } from "../../open-kit.ts";
import { kitOptions, recordOptionsHelp, type KitValues } from "../../options.ts";
import { visibleText } from "../../print/visible-text.ts";
import type { Terminal } from "../../terminal.ts";
import { describeProblem } from "../settings/describe-problem.ts";
import { offerReview, scopeOf, shortHash } from "./offer-review.ts";
import { UsageError } from "../../usage-error.ts";

const help = `Usage: haft plugins [list]                list the installed plugins, and what each brings
       haft plugins add SOURCE [NAME]     install a plugin; NAME selects one of a marketplace
       haft plugins update [NAME]         install the current version of one plugin, or of all
       haft plugins remove NAME           remove a plugin
       haft plugins check [DIR]           check the plugin in a directory, or all installed plugins

SOURCE is a directory, an https or ssh address of a git repository, or owner/name on GitHub; --ref names a branch, tag
or commit. Before anything is installed you see its files, its programs with their effects, the tools it asks for, and
the differences from the installed version. None of its code runs during the review. A plugin is identified by its
content, whatever version it claims (docs/plugins.md). A running session keeps the version it started with.

      --scope SCOPE     user (the default), or project: for everyone in this project
      --ref REF         branch, tag or commit of a repository
${recordOptionsHelp({ yes: true, trust: true })}
Exit codes: 0 ok, 1 nothing was changed or a plugin has errors, 2 usage, 4 no user could be asked and --yes was
not given.
`;

const options = {
  ...kitOptions,
  scope: { type: "string" },
  ref: { type: "string" },
} as const;

interface Asked {
  readonly kit: Kit;
  readonly values: KitValues & { readonly ref?: string | undefined };
  readonly scope: "user" | "project" | undefined;
  readonly name: string | undefined;
  readonly second: string | undefined;
  readonly terminal: Terminal;
}

const verbs = { list, add, update, remove, check } as const;

/** `haft plugins`: lists, installs, updates, removes and checks plugins. */
export async function plugins(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: given } = parseWords(words, options);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [verb = "list", name, second, ...rest] = given;
  if (!isVerb(verb)) {
    throw new UsageError(
      `plugins has no ${JSON.stringify(verb)}.${didYouMean(verb, Object.keys(verbs))}`,
      "It can list, add, update, remove and check.",
    );
  }
  refuseMore(
    given,
    verb === "add" ? 3 : verb === "list" ? 1 : 2,
    `haft plugins ${verb} takes no more.`,
  );
  refuseMore(rest, 0, "haft plugins takes no more.");
  if (name === undefined && (verb === "add" || verb === "remove")) {
    throw new UsageError(
      `Which plugin?`,
      `As in haft plugins ${verb} ${verb === "add" ? "./my-plugin" : "NAME"}.`,
    );
  }
  const scope = scopeOf(values.scope);
  // Of a workspace that is not trusted nothing counts while the user decides.
  const kit = await openQuietly(values, terminal);
  try {
    return await verbs[verb]({ kit, values, scope, name, second, terminal });
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    printToolError(error, terminal);
    return exitCodes.failed;
  } finally {
    await kit.dispose();
  }
}

function isVerb(name: string): name is keyof typeof verbs {
  return Object.hasOwn(verbs, name);
}

async function list({ kit, values, terminal }: Asked): Promise<ExitCode> {
  const all = await kit.plugins.list();
  if (values.json === true) terminal.out(`${JSON.stringify(all, null, 2)}\n`);
  else if (all.length === 0) terminal.err("No plugin is installed.\n");
  for (const plugin of values.json === true ? [] : all) {
    terminal.out(`${listLine(plugin)}\n`);
    for (const { kind, name } of plugin.parts)
      terminal.out(`  ${visibleText(`${kind} ${name}`)}\n`);
  }
  return exitCodes.ok;
}

function listLine({
  name,
  version,
  hash,
  scope,
  source,
  needsTrust,
  faults,
}: PluginListing): string {
  const { from, ref, entry } = source;
  const origin = [
    from,
    ...(entry === undefined ? [] : [entry]),
    ...(ref === undefined ? [] : [`at ${ref}`]),
  ];
  const marks = [
    scope,
    ...(needsTrust ? ["needs trust"] : []),
    ...(faults.length === 0 ? [] : [`not used: ${faults.join(" ")}`]),
  ];
  const claimed = version === undefined ? "" : ` ${version}`;
  return visibleText(
    `${name}${claimed}  ${shortHash(hash)}  ${origin.join(" ")}  (${marks.join("; ")})`,
  );
}

async function add(asked: Asked): Promise<ExitCode> {
  const { kit, values, scope, name = "", second, terminal } = asked;
  const review = await kit.plugins.review({
    from: fromDirectory(name, terminal.cwd),
    ...(second === undefined ? {} : { entry: second }),
    ...(values.ref === undefined ? {} : { ref: values.ref }),
    ...(scope === undefined ? {} : { scope }),
  });
  return await offer(review, { ...asked, scope: scope ?? "user" });
}

/** A relative directory means the one below the current directory, wherever the plugin is updated from later. */
function fromDirectory(from: string, cwd: string): string {
  return /^\.{1,2}(?:\/|$)/u.test(from) ? path.resolve(cwd, from) : from;
}

async function update(asked: Asked): Promise<ExitCode> {
  const { kit, scope, name, terminal } = asked;
  const all = (await kit.plugins.list()).filter((plugin) => isMeant(plugin, { name, scope }));
  if (all.length === 0) {
    const what = name === undefined ? "No plugin" : `No plugin ${JSON.stringify(name)}`;
    terminal.err(`haft: ${visibleText(what)} is installed.\n`);
    return exitCodes.failed;
  }
  let code: ExitCode = exitCodes.ok;
  for (const plugin of all) {
    const where = plugin.scope === "user" ? "user" : "project";
    const review = await kit.plugins.review({ ...plugin.source, scope: where });
    if (review.name !== plugin.name) {
      terminal.err(
        `haft: ${visibleText(plugin.name)} is now named ${visibleText(review.name)}; it was not updated.\n`,
      );
      code = exitCodes.failed;
      continue;
    }
    const one = await offer(review, { ...asked, scope: where });
    if (one !== exitCodes.ok) code = one;
  }
  return code;
}

function isMeant(plugin: PluginListing, { name, scope }: Pick<Asked, "name" | "scope">): boolean {
  const isInScope = scope === undefined || (plugin.scope === "user") === (scope === "user");
  return isInScope && (name === undefined || plugin.name === name);
}

async function offer(
  review: PluginReview,
  { kit, values, scope = "user", terminal }: Asked,
): Promise<ExitCode> {
  const isTrusted = async (): Promise<boolean> => (await kit.workspace.trust()).trusted;
  return await offerReview(review, { what: "plugin", scope, values, terminal, isTrusted });
}

async function remove({
  kit,
  name = "",
  scope = "user",
  values,
  terminal,
}: Asked): Promise<ExitCode> {
  await kit.plugins.remove(name, { scope });
  if (values.json === true) terminal.out(`${JSON.stringify({ removed: name, scope })}\n`);
  else terminal.out(`${visibleText(name)} is removed.\n`);
  return exitCodes.ok;
}

async function check({ kit, name, values, terminal }: Asked): Promise<ExitCode> {
  const found =
    name === undefined
      ? await kit.plugins.list()
      : [await kit.plugins.check(name.startsWith("/") ? name : `${terminal.cwd}/${name}`)];
  if (values.json === true) terminal.out(`${JSON.stringify(found, null, 2)}\n`);
  else if (found.length === 0) terminal.err("No plugin is installed.\n");
  for (const plugin of values.json === true ? [] : found) {
    const isFine = plugin.problems.length === 0;
    terminal.out(`${isFine ? "✓" : "!"} ${visibleText(plugin.name)}\n`);
    const lines =
      "describe" in plugin
        ? plugin.describe()
        : plugin.problems.map((problem) => describeProblem(problem, terminal));
    for (const line of lines) terminal.out(`  ${line}\n`);
  }
  const isValid = found.every(({ problems }) =>
    problems.every(({ severity }) => severity !== "error"),
  );
  return isValid ? exitCodes.ok : exitCodes.failed;
}
