/** What a file system needs once it writes; loaded together, as many never do. */
export { LocalAppender } from "./local-appender.ts";
export { writeAtomic } from "./write-atomic.ts";
