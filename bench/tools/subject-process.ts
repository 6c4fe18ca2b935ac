import { fork, type ChildProcess } from "node:child_process";
import type { CorpusSize } from "./corpus.ts";
import type { Measured } from "./driver.ts";
import { plainSources } from "./plain-sources.ts";

/** A subject that does not answer within this time fails the row. */
const answerMs = 15_000;
/** Opening a subject may load a lot. */
const startMs = 60_000;

let beginning: string | undefined;

/** A process with one subject; a new one where the last gave no answer. */
export class SubjectProcess {
  readonly #name: string;
  readonly #size: CorpusSize;
  #child: ChildProcess | undefined;
  #cannotStart: string | undefined;

  constructor(name: string, size: CorpusSize) {
    this.#name = name;
    this.#size = size;
  }

  async measure(row: number): Promise<Measured> {
    if (this.#cannotStart !== undefined) return { kind: "wrong", because: this.#cannotStart };
    try {
      this.#child ??= await this.#start();
    } catch (error) {
      this.#cannotStart = `cannot start: ${messageOf(error)}`;
      return { kind: "wrong", because: this.#cannotStart };
    }
    try {
      const answer = next(this.#child, answerMs);
      this.#child.send({ row });
      return (await answer) as Measured;
    } catch (error) {
      await this.close();
      return { kind: "wrong", because: messageOf(error) };
    }
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((resolve) => {
      child.once("exit", resolve);
    });
    if (child.connected) child.disconnect();
    const patience = setTimeout(() => child.kill("SIGKILL"), 3000);
    await closed;
    clearTimeout(patience);
  }

  async #start(): Promise<ChildProcess> {
    const driver = new URL("./driver.ts", import.meta.url);
    const child = fork(driver, [this.#name, this.#size], {
      execArgv: ["--import", (beginning ??= plainSources())],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    await next(child, startMs);
    return child;
  }
}

/** Next message of a process, or the reason why there is none. */
function next(child: ChildProcess, patienceMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`no answer in ${patienceMs / 1000} s`));
    }, patienceMs);
    const settled = (): void => {
      clearTimeout(timer);
      child.removeAllListeners("message");
      child.removeAllListeners("exit");
    };
    child.once("message", (message) => {
      settled();
      resolve(message);
    });
    child.once("exit", (code) => {
      settled();
      reject(new Error(`ended with code ${code}`));
    });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
