// Facts (headings, lines of code, cells, links) that converters to Markdown keep of real pages, as an independent parser
// finds them; the time and memory of each; and the time of 200 fetches. Ends with 1 where haft misses a goal.
//   apt-get install python3-doc git-doc sqlite3-doc debian-policy developers-reference apache2-doc cmake-doc
//   npm run bench:web [-- PAGE.html …]
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { converters, type Converter } from "./web/converters.ts";
import { factsOf, keptOf, kinds, type Facts } from "./web/facts.ts";
import { fetchTimes } from "./web/fetches.ts";

/** Goals: milliseconds and MB of 500 kB of HTML, and fetches as a multiple of plain undici. */
const goals = { ms: 60, mb: 60, fetches: 1.3, kB: 500 };
const rounds = 3;

const own = process.argv.slice(2);
const pages =
  own.length > 0
    ? own
    : [
        "doc/python3-doc/html/library/stdtypes.html",
        "doc/python3-doc/html/library/os.html",
        "doc/python3-doc/html/tutorial/classes.html",
        "doc/git/html/git-log.html",
        "doc/git/html/git-config.html",
        "doc/sqlite3/lang_select.html",
        "doc/debian-policy/policy.html/ch-controlfields.html",
        "developers-reference/pkgs.html",
        "doc/apache2-doc/manual/en/mod/core.html",
        "doc/cmake-data/html/manual/cmake.1.html",
      ].map((page) => `/usr/share/${page}`);

const misses: string[] = [];
for (const page of pages) {
  const html = contentOf(page);
  if (html === undefined) misses.push(`${page} is not installed`);
  else await compare(page, html);
}
report("");
const { undici, host, tool } = await fetchTimes(rounds);
const times = (ms: number): string => `${ms.toFixed(0)} ms (${(ms / undici).toFixed(2)}x)`;
report(`200 fetches: undici ${undici.toFixed(0)} ms, host ${times(host)}, WebFetch ${times(tool)}`);
if (host > undici * goals.fetches) misses.push(`200 fetches of the host: ${times(host)}`);
report(misses.length === 0 ? "Every goal is met." : `Missed:\n${misses.join("\n")}`);
process.exitCode = misses.length === 0 ? 0 : 1;

function contentOf(page: string): string | undefined {
  try {
    return readFileSync(page, "utf8");
  } catch {
    return undefined;
  }
}

async function compare(page: string, html: string): Promise<void> {
  const facts = factsOf(html);
  const kB = html.length / 1000;
  const counts = kinds.map((kind) => `${facts[kind].length} ${kind}`).join(", ");
  report(`\n${page}: ${kB.toFixed(0)} kB, ${counts}`);
  const kept: { readonly name: string; readonly counts: ReturnType<typeof keptOf> }[] = [];
  for (const [name, convert] of Object.entries(converters)) {
    const { ms, markdown } = await fastest(convert, html);
    const { mb, ms: cold } = await memoryOf(page, name);
    const found = keptOf(facts, markdown);
    kept.push({ name, counts: found });
    const shares = kinds.map((kind) => shareOf(facts, found, kind)).join(", ");
    report(
      `  ${name.padEnd(24)} ${column(ms)} ms (first ${column(cold)}) ${column(mb)} MB  ${shares}`,
    );
    if (name !== "haft") continue;
    // Smaller pages have the same limits: what does not grow with the page must fit as well.
    const scale = Math.max(1, kB / goals.kB);
    if (ms > goals.ms * scale) misses.push(`${page}: ${ms.toFixed(0)} ms`);
    if (mb > goals.mb * scale) misses.push(`${page}: ${mb.toFixed(0)} MB`);
  }
  const [haft, ...others] = kept;
  for (const kind of kinds) {
    for (const { name, counts: other } of others) {
      if (other[kind] <= (haft?.counts[kind] ?? 0)) continue;
      misses.push(`${page}: ${kind} ${haft?.counts[kind]}, ${name} ${other[kind]}`);
    }
  }
}

async function fastest(
  convert: Converter,
  html: string,
): Promise<{ readonly ms: number; readonly markdown: string }> {
  let ms = Infinity;
  let markdown = "";
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    markdown = await convert(html, "https://docs.example.org/a/b.html");
    ms = Math.min(ms, performance.now() - startedAt);
  }
  return { ms, markdown };
}

/** Memory and time of the first page of a process of its own. */
async function memoryOf(
  page: string,
  name: string,
): Promise<{ readonly mb: number; readonly ms: number }> {
  const script = fileURLToPath(new URL("web/memory.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, page, name]);
  return JSON.parse(stdout) as { readonly mb: number; readonly ms: number };
}

function shareOf(facts: Facts, found: ReturnType<typeof keptOf>, kind: keyof Facts): string {
  const all = facts[kind].length;
  return `${kind} ${found[kind]}/${all}`;
}

function column(value: number): string {
  return value.toFixed(0).padStart(5);
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
