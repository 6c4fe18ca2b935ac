import { fileURLToPath } from "node:url";

/** Directory of this package, two above both the sources and the built files of the command. */
export const packageDirectory = fileURLToPath(new URL("../../", import.meta.url));
