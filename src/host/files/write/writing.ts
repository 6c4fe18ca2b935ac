/** The modules that write files, loaded together on the first write, because many hosts never write. */
export { LocalAppender } from "./local-appender.ts";
export { writeAtomic } from "./write-atomic.ts";
