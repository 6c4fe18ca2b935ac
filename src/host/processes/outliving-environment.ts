/** The variables that a process asked to keep; all of them if it named none. */
export function outlivingEnvironment(
  variables: Readonly<Record<string, string>>,
  keep: readonly string[] | undefined,
): Readonly<Record<string, string>> {
  if (keep === undefined) return variables;
  const names = new Set(keep);
  const families = keep.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  return Object.fromEntries(
    Object.entries(variables).filter(
      ([name]) => names.has(name) || families.some((family) => name.startsWith(family)),
    ),
  );
}
