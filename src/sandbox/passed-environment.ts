/** Prefix of variables that are meant for a program which another program starts. */
const prefix = "HAFT_FOR_PROGRAM_";

/**
 * Renames the environment of a program so that it means nothing to its launcher: NODE_OPTIONS or LD_PRELOAD would
 * otherwise run code before the program is confined.
 */
export function heldBack(
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [`${prefix}${name}`, value]),
  );
}

/** Restores the original names of that environment. */
export function passedOn(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]): [string, string][] =>
      name.startsWith(prefix) && value !== undefined ? [[name.slice(prefix.length), value]] : [],
    ),
  );
}
