/** A path of a rule that never stands for what was probably meant by it. */
export interface MisreadPath {
  /** One sentence. */
  readonly because: string;
  /** The path as a rule takes it, where it is known. */
  readonly meant: string | undefined;
}

/** Reads what only a shell, a browser or another system takes for a path: variables, other homes, quotes, URLs, drives. */
export function misreadPath(spec: string): MisreadPath | undefined {
  const text = spec.trim();
  const quoted = /^(["'`])(.+)\1$/su.exec(text)?.[2];
  if (quoted !== undefined) {
    const meant = misreadPath(quoted);
    return {
      because: "A path in quotes matches a name with quotes only.",
      meant: meant === undefined ? quoted : meant.meant,
    };
  }
  const home = /^(?:\$HOME|\$\{HOME\})(\/.*)?$/su.exec(text);
  if (home !== null) {
    return { because: "Variables are not expanded in a rule.", meant: `~${home[1] ?? ""}` };
  }
  if (/^\$(?:[A-Z_][A-Z\d_]*|\{\w+\})(?:\/|$)/u.test(text)) {
    return { because: "Variables are not expanded in a rule.", meant: undefined };
  }
  if (/^~[a-z_][\w-]*(?:\/|$)/u.test(text)) {
    return { because: "Only ~ itself stands for a home folder.", meant: undefined };
  }
  const file = /^file:\/\/(?:localhost)?(\/.*)$/isu.exec(text)?.[1];
  if (file !== undefined) return { because: "A URL is not a path.", meant: `/${file}` };
  if (/^[a-z][a-z\d+.-]*:\/\//iu.test(text))
    return { because: "A URL is not a path.", meant: undefined };
  return undefined;
}
