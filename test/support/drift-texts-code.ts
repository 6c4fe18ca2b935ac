import type { DriftText } from "./drift-text.ts";

/** Texts that edits are made in: programs in several languages and styles. They stay as they are, so that the same cases run. */
export const codeTexts: readonly DriftText[] = [
  {
    name: "TypeScript, two spaces",
    unit: "  ",
    text: `import { readLines, type Page } from "./read-lines.ts";
import { Store } from "./store.ts";

/** A request to a shelf: a title, and how many copies are wanted. */
export interface Wish {
  readonly title: string;
  readonly copies?: number | undefined;
}

const blank = /^[ \\t]*\\r?\\n/u;
const defaultCopies = 1;

export class Shelf {
  readonly #books = new Map<string, number>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Puts books back, as many as were taken. */
  put({ title, copies = defaultCopies }: Wish): void {
    if (title === "" || copies < 1) {
      throw new RangeError("A book needs a \\"title\\", and one copy at least.");
    }
    this.#books.set(title, (this.#books.get(title) ?? 0) + copies);
    this.#store.note(\`put \${title}\\n\`, { at: Date.now() });
  }

  take(wish: Wish): boolean {
    const there = this.#books.get(wish.title) ?? 0;
    const wanted = wish.copies ?? defaultCopies;
    if (there < wanted && !this.#store.isOpen) return false;
    for (let left = wanted; left > 0; left--) {
      this.#books.set(wish.title, there - left);
    }
    return there >= wanted;
  }

  list(page: Page): readonly string[] {
    const lines = [...this.#books].map(([title, copies]) => \`\${copies} x \${title}\`);
    return lines.filter((line) => !blank.test(line)).slice(page.from, page.to);
  }
}

export async function shelfOf(path: string): Promise<Shelf> {
  const shelf = new Shelf(new Store(path));
  for await (const line of readLines(path)) {
    const [copies = "", title = ""] = line.split(" x ");
    shelf.put({ title, copies: Number(copies) });
  }
  return shelf;
}
`,
  },
  {
    name: "Python, four spaces",
    unit: "    ",
    text: `"""Counts what a garden gives, bed by bed."""

import re
from dataclasses import dataclass, field

LINE = re.compile(r"^(?P<bed>\\w+)\\s*:\\s*(?P<kilos>\\d+(\\.\\d+)?)$")


@dataclass
class Bed:
    name: str
    kilos: list[float] = field(default_factory=list)

    def add(self, kilos):
        """Add one harvest; what weighs nothing isn't one."""
        if kilos <= 0:
            raise ValueError("a harvest weighs more than %r" % kilos)
        self.kilos.append(kilos)

    @property
    def total(self):
        return sum(self.kilos)


def parse(text):
    beds = {}
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        match = LINE.match(line)
        if not match:
            raise SyntaxError(f"line {number}: {line!r} is not a harvest")
        bed = beds.setdefault(match["bed"], Bed(match["bed"]))
        bed.add(float(match["kilos"]))
    return beds


def report(beds, *, unit="kg"):
    rows = []
    for name in sorted(beds):
        bed = beds[name]
        if bed.total > 10 and len(bed.kilos) > 1:
            rows.append('%-12s %6.1f %s "good"' % (name, bed.total, unit))
        else:
            rows.append("%-12s %6.1f %s" % (name, bed.total, unit))
    return "\\n".join(rows)


if __name__ == "__main__":
    with open("garden.txt", encoding="utf-8") as file:
        print(report(parse(file.read())))
`,
  },
  {
    name: "Go, tabs",
    unit: "\t",
    text: `package ferry

import (
	"errors"
	"fmt"
	"strings"
)

// ErrFull says that no more cars fit on deck.
var ErrFull = errors.New("ferry: the deck is full")

// Deck holds cars in the order in which they came.
type Deck struct {
	cars   []string
	length int // metres, "gross"
}

func NewDeck(length int) *Deck {
	return &Deck{length: length}
}

// Drive puts a car on deck.
func (d *Deck) Drive(plate string, length int) error {
	if length <= 0 || plate == "" {
		return fmt.Errorf("ferry: %q has no length", plate)
	}
	if d.length-length < 0 {
		return ErrFull
	}
	d.length -= length
	d.cars = append(d.cars, plate)
	return nil
}

func (d *Deck) String() string {
	var b strings.Builder
	for i, plate := range d.cars {
		if i > 0 {
			b.WriteString(", ")
		}
		switch {
		case strings.HasPrefix(plate, "X"):
			b.WriteString("<" + plate + ">")
		default:
			b.WriteString(plate)
		}
	}
	return b.String()
}

func (d *Deck) Empty() bool {
	return len(d.cars) == 0 && d.length > 0
}
`,
  },
  {
    name: "C, tabs and aligned comments",
    unit: "\t",
    text: `#ifndef CLOCK_H
#define CLOCK_H

#include <stddef.h>

#define TICKS_PER_SECOND 1000
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLEAR(clock) \\
	do { \\
		(clock)->ticks = 0; \\
		(clock)->name[0] = '\\0'; \\
	} while (0)

/*
 * A clock counts ticks. It is never set back,
 * and its name is "clock" where none was given.
 */
struct clock {
	unsigned long ticks;	/* since it was made */
	char name[32];
};

static inline int clock_is_later(const struct clock *one, const struct clock *other)
{
	return one->ticks > other->ticks;
}

static void clock_tick(struct clock *clock, unsigned long count)
{
	while (count-- > 0) {
		clock->ticks++;
		if (clock->ticks % TICKS_PER_SECOND == 0)
			printf("%s: %lu s\\n", clock->name, clock->ticks / TICKS_PER_SECOND);
	}
}

int clock_init(struct clock *clock, const char *name);
size_t clock_format(const struct clock *clock, char *buffer, size_t size);

#endif /* CLOCK_H */
`,
  },
  {
    name: "Java, four spaces and doc comments",
    unit: "    ",
    text: `package org.example.post;

import java.util.ArrayList;
import java.util.List;

/**
 * A letter box, which is emptied once a day.
 *
 * @param <L> what is thrown in
 */
public final class LetterBox<L extends Letter> {
    private final List<L> letters = new ArrayList<>();
    private final int room;

    public LetterBox(int room) {
        this.room = room;
    }

    /**
     * Throws a letter in.
     *
     * @return whether there was room for it
     */
    public boolean post(L letter) {
        if (letters.size() >= room) {
            return false;
        }
        letters.add(letter);
        return true;
    }

    public List<L> empty() {
        List<L> taken = new ArrayList<>(letters);
        letters.clear();
        for (L letter : taken) {
            if (letter.stamp() == null && letter.to() != null) {
                letter.mark("postage due: \\u20ac 0.95");
            }
        }
        return taken;
    }

    @Override
    public String toString() {
        return "LetterBox[" + letters.size() + " of " + room + "]";
    }
}
`,
  },
  {
    name: "Rust, four spaces",
    unit: "    ",
    text: `//! Water levels, by the hour.

use std::collections::BTreeMap;
use std::fmt;

/// A level in centimetres; \`None\` where the gauge gave no answer.
pub type Level = Option<i32>;

#[derive(Debug, Default, Clone, PartialEq)]
pub struct Gauge<'a> {
    pub place: &'a str,
    levels: BTreeMap<u32, Level>,
}

impl<'a> Gauge<'a> {
    pub fn new(place: &'a str) -> Self {
        Self { place, ..Default::default() }
    }

    pub fn record(&mut self, hour: u32, level: Level) -> Result<(), String> {
        if hour >= 24 {
            return Err(format!("no hour {hour} at {}", self.place));
        }
        self.levels.insert(hour, level);
        Ok(())
    }

    pub fn highest(&self) -> Level {
        self.levels.values().filter_map(|level| *level).max()
    }
}

impl fmt::Display for Gauge<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (hour, level) in &self.levels {
            match level {
                Some(level) if *level > 500 => writeln!(out, "{hour:02}: {level} !")?,
                Some(level) => writeln!(out, "{hour:02}: {level}")?,
                None => writeln!(out, "{hour:02}: -")?,
            }
        }
        Ok(())
    }
}
`,
  },
  {
    name: "JavaScript, two spaces, Windows line endings",
    unit: "  ",
    isWindows: true,
    text: `'use strict';

const path = require('path');
const known = new Set(['a', 'an', 'the']);

/* Words that begin a title are not what it is filed under. */
function key(title) {
  const words = title.toLowerCase().split(/\\s+/);
  while (words.length > 1 && known.has(words[0])) {
    words.shift();
  }
  return words.join('-').replace(/[^a-z0-9-]/g, '');
}

function fileOf(title, { folder = '.', suffix = '.txt' } = {}) {
  if (typeof title !== 'string' || title === '') {
    throw new TypeError('A title is a string, and isn\\'t empty');
  }
  return path.join(folder, key(title) + suffix);
}

class Index {
  constructor(folder) {
    this.folder = folder;
    this.files = {};
  }

  add(title, text) {
    const file = fileOf(title, { folder: this.folder });
    if (file in this.files && this.files[file] !== text) {
      console.warn("\\"" + title + "\\" is there already");
    }
    this.files[file] = text;
    return this;
  }

  get size() {
    return Object.keys(this.files).length;
  }
}

module.exports = { Index, fileOf, key };
`,
  },
];
