// Prints the MB by which one conversion raises the highest resident memory of this process, and its milliseconds:
// `node bench/web/memory.ts PAGE.html CONVERTER`.
import { readFileSync } from "node:fs";
import { converters } from "./converters.ts";

const [page = "", name = ""] = process.argv.slice(2);
const convert = converters[name];
if (convert === undefined) throw new Error(`${name} is none of ${Object.keys(converters).join()}.`);
const url = "https://docs.example.org/a/b.html";
// A page before loads the modules, whose memory does not count.
await convert(
  "<h1>a</h1><p>b <a href=c>d</a></p><pre>e</pre><table><tr><td>f</td></tr></table>",
  url,
);
const html = readFileSync(page, "utf8");
// The highest value so far may be that of loading; only what exceeds it is new, so memory in use is counted too.
const before = process.memoryUsage().rss;
const startedAt = performance.now();
const markdown = await convert(html, url);
const ms = performance.now() - startedAt;
const highest = process.resourceUsage().maxRSS * 1024;
const after = process.memoryUsage().rss;
const grown = Math.max(highest, after) - before;
process.stdout.write(`${JSON.stringify({ mb: grown / 1e6, ms, chars: markdown.length })}\n`);
