/**
 * Runs in a process of its own and changes `a.txt` of a folder to and fro, by one tool, until it is killed, with a dot for each change:
 *
 *   node change-loop.ts <folder> <tool>
 */
import { changeBy, type ChangingTool } from "./changing-tools.ts";

const [folder = "", tool = ""] = process.argv.slice(2);
const changing: readonly ChangingTool[] = ["Edit", "Write", "ApplyPatch"];
const name = changing.find((each) => each === tool);
if (name === undefined) throw new TypeError(`${tool} changes nothing.`);

for (let round = 0; ; round++) {
  await changeBy(name, { folder, from: round % 2 === 0 ? "old" : "new" });
  process.stdout.write(".");
}
