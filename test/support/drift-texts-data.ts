import type { DriftText } from "./drift-text.ts";

/** Texts that edits are made in: settings, documents and prose. They stay as they are, so that the same cases run. */
export const dataTexts: readonly DriftText[] = [
  {
    name: "shell, tabs",
    unit: "\t",
    text: `#!/bin/sh
# Keeps the last seven copies of a folder.
set -eu

source=\${1:?"which folder?"}
target=\${2:-"$HOME/copies"}
keep=7

usage() {
	echo "usage: $0 folder [target]" >&2
	exit 2
}

newest() {
	ls -1t "$target" | head -n 1
}

case $source in
	-h|--help)
		usage
		;;
	*)
		mkdir -p "$target"
		;;
esac

name=$(date +%Y-%m-%d)-$(basename "$source")
if [ -e "$target/$name" ] && [ ! -L "$target/$name" ]; then
	echo "$name is there already -- nothing to do"
else
	cp -a "$source" "$target/$name"
fi

count=0
for copy in $(ls -1t "$target"); do
	count=$((count + 1))
	if [ "$count" -gt "$keep" ]; then
		rm -r "\${target:?}/$copy"
	fi
done
printf '%s\\t%s\\n' "$(newest)" "$count"
`,
  },
  {
    name: "Makefile",
    unit: "\t",
    text: `# Builds the handbook, chapter by chapter.
CHAPTERS = $(wildcard chapters/*.md)
PAGES    = $(CHAPTERS:.md=.html)
PANDOC  ?= pandoc --standalone
VERSION := $(shell git describe --tags)

.PHONY: all check clean

all: handbook.html

handbook.html: $(PAGES) style.css
	cat $(PAGES) > $@.part
	mv $@.part $@

%.html: %.md template.html
	$(PANDOC) --template=template.html \\
		--variable version="$(VERSION)" \\
		--output=$@ $<

check: all
	@for page in $(PAGES); do \\
		grep -q '<h1>' "$$page" || { echo "$$page: no title"; exit 1; }; \\
	done
	test -s handbook.html && echo "it's fine"

clean:
	rm -f $(PAGES) handbook.html handbook.html.part
`,
  },
  {
    name: "JSON, two spaces",
    unit: "  ",
    text: `{
  "name": "weather-station",
  "version": "2.4.0",
  "description": "Reads \\"raw\\" values and says what they mean",
  "type": "module",
  "scripts": {
    "build": "tsc -p tsconfig.json && node copy.mjs",
    "start": "node dist/station.js --port 8080",
    "test": "node --test \\"dist/**/*.test.js\\""
  },
  "dependencies": {
    "gauge-reader": "^1.2.3",
    "tiny-graph": "~0.9.1"
  },
  "stations": [
    {
      "place": "harbour",
      "heights": [2, 4, 8],
      "wind": { "unit": "m/s", "every": 10 }
    },
    {
      "place": "hill <north>",
      "heights": [120],
      "wind": { "unit": "km/h", "every": 60 }
    }
  ],
  "limits": {
    "frost": -2.5,
    "storm": 24.5,
    "pattern": "^[A-Z]\\\\d{3}\\\\t?$"
  },
  "private": true
}
`,
  },
  {
    name: "YAML, two spaces",
    unit: "  ",
    text: `# What runs on every push.
name: checks
on:
  push:
    branches: [main, "release/*"]
  pull_request: {}

env:
  COLOUR: "never"

jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - name: Look for what isn't formatted
        run: |
          npm ci --ignore-scripts
          npm run format -- --check
          if [ "$CI" = true ] && [ -n "$COLOUR" ]; then
            npm run lint > lint.txt
          fi
  test:
    needs: lint
    strategy:
      matrix:
        node: [22, 24]
        system:
          - ubuntu-latest
          - windows-latest
    runs-on: \${{ matrix.system }}
    steps:
      - uses: actions/setup-node@v4
        with: { node-version: "\${{ matrix.node }}" }
      - run: npm test -- --reporter=dot
        timeout-minutes: 20
`,
  },
  {
    name: "Markdown with code and tables",
    unit: "  ",
    text: `# Keeping bees

A short guide for people who *begin*. What is **bold** matters; \`code\` is typed as it stands.

## Before you start

1. Read about the law -- it differs from place to place.
2. Ask a neighbour & tell the others:
   - those who garden,
   - those who don't.
3. Order a hive (see [the list](#what-you-need)).

> Bees that are fed in May seldom swarm.
> They may still "leave" in June.

## What you need

| Thing    | How many | Price   |
| -------- | -------: | ------- |
| hive     |        2 | 180 EUR |
| veil     |        1 | <25 EUR |
| smoker   |        1 | 32 EUR  |

### Counting mites

Put a board under the hive for three days, then count:

\`\`\`python
def per_day(mites, days=3):
    if days < 1:
        raise ValueError("days")
    return mites / days
\`\`\`

More than ten a day are too many:

\`\`\`sh
python -c 'from mites import per_day; print(per_day(42))'
\`\`\`

- [x] board
- [ ] tweezers, "fine" ones
  - not those of the kitchen

![A hive](images/hive.png "The first one")
`,
  },
  {
    name: "HTML with entities",
    unit: "    ",
    text: `<!doctype html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <title>Opening hours &ndash; Town library</title>
    <link rel="stylesheet" href="library.css?v=3&amp;theme=light">
</head>
<body class="wide">
    <nav id="menu">
        <a href="/">Home</a> &gt; <a href="/hours">Hours</a>
    </nav>
    <main>
        <h1>Opening hours</h1>
        <p>
            The library is open when <em>the lamp</em> is lit.
            Books &amp; games can be returned at any time.
        </p>
        <table>
            <tr><th>Day</th><th>From</th><th>To</th></tr>
            <tr><td>Monday</td><td colspan="2">closed</td></tr>
            <tr><td>Tuesday</td><td>10</td><td>18</td></tr>
            <tr><td>Sunday</td><td>14</td><td>17</td></tr>
        </table>
        <form action="/ask" method="post" onsubmit="return confirm('Send it?')">
            <label for="question">What&rsquo;s your question?</label>
            <textarea id="question" name="question" rows="4"></textarea>
            <button type="submit" class="main">Ask &raquo;</button>
        </form>
    </main>
    <script>
        if (new Date().getDay() < 2 && !window.lamp) {
            document.body.classList.add("closed");
        }
    </script>
</body>
</html>
`,
  },
  {
    name: "CSS, tabs",
    unit: "\t",
    text: `:root {
	--ink: #1a1a1a;
	--paper: hsl(48deg 40% 96%);
	--step: clamp(1rem, 2vw + 0.5rem, 1.5rem);
}

/* Cards lie side by side where there is room. */
.cards {
	display: grid;
	gap: var(--step);
	grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr));
}

.cards > li::before {
	content: "\\2014 ";
	color: var(--ink);
}

.card[data-state="open"]:not(.small) .title {
	font: 600 1.25rem/1.2 "Source Serif", Georgia, serif;
	margin-block: 0 calc(var(--step) / 2);
}

@media (max-width: 40em) and (prefers-color-scheme: dark) {
	.cards {
		grid-template-columns: 1fr;
	}
	.card a:hover {
		background: url('data:image/svg+xml,<svg/>') no-repeat;
		color: inherit;
	}
}
`,
  },
  {
    name: "SQL, two spaces",
    unit: "  ",
    text: `-- Who lent what, and when it is due.
CREATE TABLE loans (
  id        integer PRIMARY KEY,
  member_id integer NOT NULL REFERENCES members (id),
  title     text    NOT NULL CHECK (title <> ''),
  due_on    date    NOT NULL DEFAULT (current_date + 21),
  note      text
);

CREATE INDEX loans_due ON loans (due_on) WHERE note IS NULL;

INSERT INTO members (id, name) VALUES
  (1, 'O''Neill, Ann'),
  (2, 'Baker "Bob" Hill'),
  (3, 'Quist');

SELECT m.name, count(*) AS overdue, min(l.due_on) AS since
FROM members AS m
  JOIN loans AS l ON l.member_id = m.id
WHERE l.due_on < current_date
  AND m.name NOT LIKE 'Q%'
GROUP BY m.name
HAVING count(*) >= 2
ORDER BY overdue DESC, m.name;

UPDATE loans
SET due_on = due_on + 7,
    note = 'prolonged'
WHERE id IN (
  SELECT id FROM loans WHERE member_id = 3
);
`,
  },
  {
    name: "prose in several languages, with typographic characters",
    unit: "  ",
    text: `Reiseführer für die Küste
=========================

  Wer früh aufsteht, sieht die Möwen – und die Fischer.
  „Moin“ sagt man hier den ganzen Tag; mehr braucht es nicht.
  Die Fähre fährt um 7:45, 9:15 und 18:30 Uhr.

Guide de la côte
----------------

  L’été, les marées sont fortes : consultez l’horaire.
  « À bientôt », dit le gardien du phare, et il rit…
  Le café coûte 2,50 € ; le thé, 3 €.

海岸の案内
----------

  朝早く起きると、カモメが見えます。
  船は七時四十五分に出ます（夏だけ）。
  灯台までは歩いて三十分です。

Przewodnik
----------

  Zażółć gęślą jaźń – to nie żart.
  Ścieżka prowadzi przez las, potem wzdłuż plaży.
  Bilet kosztuje 12 zł, ulgowy 6 zł.
`,
  },
  {
    name: "settings with Windows line endings",
    unit: "    ",
    isWindows: true,
    text: `; Settings of the print server.
[server]
host = 0.0.0.0
port = 631
name = "Printer in the hall"
log = C:\\logs\\print.log

[queue.draft]
    colour = no
    sides  = two-sided
    quota  = 200
    users  = ann, bob, "guest user"

[queue.photo]
    colour = yes
    sides  = one-sided
    quota  = 20
    paper  = glossy-a4

[mail]
    to      = office@example.org
    subject = 'Paper is out -- please refill'
    when    = empty & jammed
`,
  },
];
