// A catalog of tools and requests for them, the same for the same seed.

export interface CatalogTool {
  readonly name: string;
  readonly server: string;
  readonly description: string;
  /** Schema of its input. */
  readonly schema: ObjectSchema;
}

/** A JSON schema of an object. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly [keyword: string]: unknown;
}

export interface Request {
  readonly query: string;
  /** Name of the tool that it needs. */
  readonly tool: string;
}

const verbs = {
  create: ["create", "add", "set up", "make"],
  list: ["list", "show", "show me all"],
  get: ["get", "look up", "find out"],
  update: ["update", "change", "correct"],
  delete: ["delete", "remove", "get rid of"],
  search: ["search", "find", "look for"],
  export: ["export", "download", "save"],
  send: ["send", "share", "deliver"],
  schedule: ["schedule", "plan", "arrange"],
  analyze: ["analyze", "review", "examine"],
} as const;
const kinds =
  `invoice ticket contact message calendar report order shipment payment contract employee task project comment
  article photo recipe flight hotel weather sensor camera playlist lesson exam patient prescription loan budget
  portfolio coupon warehouse vehicle route parcel survey campaign lead meeting note branch build container
  database backup certificate domain alert dashboard metric query spreadsheet slide webhook subscription`.split(
    /\s+/u,
  );
const aspects =
  `archived shared monthly draft overdue regional nested linked public pending customer supplier seasonal team
  priority recurring encrypted imported default personal`.split(/\s+/u);
const syllables =
  `ba co da el fi ga ho in jo ka lu mo na or pa qui ra so ta ul ve wi xe ya zo`.split(" ");
const details = [
  "Returns at most one page; pass the cursor of the answer for the next.",
  "Needs the permission of the workspace's owner.",
  "Dates are read in the time zone of the account.",
  "Fails if the record was changed in the meantime.",
  "The answer contains the identifier, the state and the time of the last change.",
  "Use this only if the user named the record; otherwise search for it first.",
];
const parameterTexts = {
  limit: "Maximum number of results",
  cursor: "Cursor of the page before",
  filter: "Condition that results meet, such as state or date",
  fields: "Fields that the answer contains",
  reason: "Why the change is made",
  notify: "Addresses that are informed of the change",
} as const;

/** Tools of invented services, each of a verb, an aspect and an object. */
export function catalogOf(count: number, random: () => number): readonly CatalogTool[] {
  const pick = picker(random);
  const tools = new Map<string, CatalogTool>();
  while (tools.size < count) {
    const server = wordOf(pick);
    for (let each = 0; each < 20 && tools.size < count; each += 1) {
      const verb = pick(Object.keys(verbs));
      const [aspect, kind] = [pick(aspects), pick(kinds)];
      const name = `mcp__${server}__${verb}_${aspect}_${kind}`;
      const chosen = Object.entries(parameterTexts).filter(() => random() < 0.5);
      tools.set(name, {
        name,
        server,
        description: `${verb[0]?.toUpperCase()}${verb.slice(1)} ${aspect} ${kind} records in ${server}. ${pick(details)} ${pick(details)}`,
        schema: schemaOf([[`${kind}_id`, `Identifier of the ${kind}`], ...chosen]),
      });
    }
  }
  return [...tools.values()];
}

function schemaOf(parameters: readonly (readonly [name: string, text: string])[]): ObjectSchema {
  const properties = parameters.map(([name, description]) => [
    name,
    { type: "string", description },
  ]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** A request in one sentence, in other words than the tool's where there are some. */
export function shortRequest({ name, server }: CatalogTool, random: () => number): Request {
  return { tool: name, query: `${wish(name, random)} in ${server}` };
}

/** The same within a message of about 500 characters, with names, numbers, typing errors and another matter. */
export function longRequest({ name, server }: CatalogTool, random: () => number): Request {
  const pick = picker(random);
  const person = `${wordOf(pick)} ${wordOf(pick)}`;
  const number = Math.floor(random() * 1e6);
  const other = `${pick(aspects)} ${pick(kinds)}`;
  const query = `Hello, I am preparing the quarterly review for ${person} and need some help with what our colleagues in \
${wordOf(pick)} left unfinished last week. Please ${wish(name, random)} in ${server} with the reference \
${wordOf(pick)}-${number}, and use ${wordOf(pick)}@${wordOf(pick)}.example as the address for questions. After that, tell \
me wether the ${other} of ${person} is still availabel. The deadline is the ${1 + (number % 28)}th of next month, so keep \
everything that was agreed with ${wordOf(pick)} as it is, and explain briefly what you have done and what is left to do.`;
  return { tool: name, query };
}

function wish(name: string, random: () => number): string {
  const [verb = "", aspect, kind] = (name.split("__")[2] ?? "").split("_");
  const words = Object.entries(verbs).find(([key]) => key === verb)?.[1] ?? [verb];
  return `${picker(random)(words)} the ${aspect} ${kind}s`;
}

type Pick = <T>(values: readonly T[]) => T;

function picker(random: () => number): Pick {
  return (values) => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) throw new RangeError("Nothing to pick from.");
    return value;
  };
}

function wordOf(pick: Pick): string {
  return pick(syllables) + pick(syllables) + pick(syllables) + pick(syllables);
}

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
