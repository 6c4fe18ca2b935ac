/** In front of the names of variables that are meant for a program which another one starts. */
const prefix = "HAFT_FOR_PROGRAM_";

/**
 * The environment of a program under names that mean nothing to what starts it: NODE_OPTIONS or LD_PRELOAD would
 * otherwise run code before the program is confined.
 */
export function heldBack(
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [`${prefix}${name}`, value]),
  );
}

/** The environment that was held back, under its own names again. */
export function passedOn(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]): [string, string][] =>
      name.startsWith(prefix) && value !== undefined ? [[name.slice(prefix.length), value]] : [],
    ),
  );
}
