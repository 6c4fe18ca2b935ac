/**
 * `confined-exec <program file> <cwd> -- <argv>`: confines itself and becomes the command. Every launcher can start
 * this form of Landlock; a resident helper is cheaper if there is one.
 */
import { accessSync, closeSync, constants, readFileSync } from "node:fs";
import path from "node:path";
import { confine } from "./confine.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { passedOn } from "./passed-environment.ts";

const [file = "", directory = "/", , program = "", ...parameters] = process.argv.slice(2);
if (typeof process.execve !== "function") {
  process.stderr.write("haft: this Node cannot become another program; it needs 22.15 or newer.\n");
  process.exit(126);
}
// A helper passes no inherited descriptors on either, not even one that points to nothing.
for (const { number } of inheritedDescriptors(2)) closeSync(number);
await confine(readFileSync(file, "utf8"));
process.chdir(directory);
const environment = passedOn(process.env);
const found = located(program);
if (found === undefined) {
  process.stderr.write(`haft: ${program} was not found.\n`);
  process.exit(127);
}
process.execve(found, [program, ...parameters], environment);

function located(name: string): string | undefined {
  if (name.includes("/")) return path.resolve(name);
  const candidates = (environment["PATH"] ?? "/usr/bin:/bin")
    .split(":")
    .map((one) => path.join(one, name));
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
