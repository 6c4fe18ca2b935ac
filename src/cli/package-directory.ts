/** Directory of this package, two above both the sources and the built files of the command. */
export const packageDirectory: string = `${process
  .getBuiltinModule("node:path")
  .resolve(import.meta.dirname, "../..")}/`;
