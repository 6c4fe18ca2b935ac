/** Oldest Node, as major and minor version. `engines` in package.json and bin/haft.cjs name the same, which a test compares. */
export const neededNode = [22, 13] as const;
