/** An attempt of a created tool to do more than it declares: reading in/data.txt, writing out/dir and out/result.txt. */
export interface Attempt {
  readonly name: string;
  readonly because: string;
  readonly language: "javascript" | "shell";
  readonly body: string;
  /** Gaps of a driver's report, any of which admits it. */
  readonly gaps?: readonly string[];
  /** It must not end well. */
  readonly fails?: true;
}

/** Shown by an attempt that did what it must not. */
export const escaped = "HAS-ESCAPED";

type Named = readonly [name: string, because: string];

export function js([name, because]: Named, body: string, more: Partial<Attempt> = {}): Attempt {
  return {
    name,
    because,
    language: "javascript",
    body: `import fs from "node:fs";\nexport default async () => {\n${body}\n};\n`,
    ...more,
  };
}

export function sh([name, because]: Named, body: string, more: Partial<Attempt> = {}): Attempt {
  return { name, because, language: "shell", body: `${body}\n`, ...more };
}
