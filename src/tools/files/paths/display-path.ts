import { pathBelow } from "../../../text/index.ts";

/** Canonical path in the form in which the model may use it again: relative if it is below the working directory. */
export function displayPath(path: string, cwd: string): string {
  const below = pathBelow(cwd, path);
  return below === undefined ? path : below === "" ? "." : below;
}

/** Formats a size for humans: `812 B`, `4.1 kB`, `1.2 GB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  let unit = 0;
  // 999.95 would print as 1000.0.
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1).replace(/\.0$/u, "")} ${units[unit] ?? "B"}`;
}

const units = ["B", "kB", "MB", "GB", "TB"];

/** Formats a count with its noun: `1 line`, `2 lines`, `1,234 lines`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}

function pluralOf(noun: string): string {
  if (/(?:s|x|ch|sh)$/u.test(noun)) return `${noun}es`;
  return noun.replace(/([^aeiou])y$/u, "$1ie") + "s";
}

/** Formats a number with commas between thousands, the same on every machine. */
export function grouped(count: number): string {
  const digits = String(count);
  return digits.length < 4 ? digits : digits.replaceAll(/\B(?=(?:\d{3})+$)/gu, ",");
}

/** `" in src"` for a directory, "" for the working directory itself. */
export function inFolder(path: string, cwd: string): string {
  const shown = displayPath(path, cwd);
  return shown === "." ? "" : ` in ${shown}`;
}
