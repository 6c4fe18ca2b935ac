import { ToolError } from "../../core/index.ts";
import { enterRing, syscallTables } from "./seccomp-tables.ts";

/** Sockets that a command may create: none, or those of the internet. `socketpair` always works. */
export type SocketProfile = "none" | "internet";

export interface SeccompOptions {
  readonly sockets: SocketProfile;
  /**
   * Whether processes and queues are shared with the outside: the filter then refuses calls that address them by
   * number. It is installed by a resident process, whose event loop has a ring and fails if it cannot enter it; no
   * other process can get one.
   */
  readonly sharesProcesses?: boolean;
  /** As in `process.arch`. */
  readonly arch?: string;
}

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const jumpIfAnyBit = 0x45;
const answer = 0x06;

const allow = 0x7fff0000;
const refuse = 0x00050001;
const kill = 0x80000000;
/** ENOSYS: the C library then uses the older call, whose flags a filter can inspect. */
const unknownCall = 0x00050026;

const numberAt = 0;
const archAt = 4;
const argumentAt = (index: number) => 16 + 8 * index;

/** CLONE_NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWNS. */
const newNamespaces = 0x7e020000;
/** TIOCSTI and TIOCLINUX insert text into a terminal as if the user had typed it. */
const typing = [0x5412, 0x541c];
const internetFamilies = [2, 10];

/** Step of the program: an instruction, or a jump to one of the answers at its end. */
type Step =
  | { readonly code: number; readonly value: number }
  | {
      readonly code: number;
      readonly value: number;
      readonly yes?: Answer;
      readonly no?: Answer;
      /** Number of steps skipped if the condition does not hold. */
      readonly skipUnless?: number;
    };
type Answer = "allow" | "refuse" | "kill" | "unknownCall";
const answers: Readonly<Record<Answer, number>> = { allow, refuse, kill, unknownCall };
const order: readonly Answer[] = ["allow", "refuse", "kill", "unknownCall"];

/** Whether there is a filter for a processor. */
export function hasSeccompProgram(arch: string = process.arch): boolean {
  return syscallTables.has(arch);
}

/** Returns the filter of a confined command in the kernel's format: eight bytes per instruction. */
export function seccompProgram({
  sockets,
  sharesProcesses = false,
  arch = process.arch,
}: SeccompOptions): Uint8Array {
  const table = syscallTables.get(arch);
  if (table === undefined) {
    throw new ToolError("UNAVAILABLE", `There is no system call filter for ${arch}.`, {
      hint: "Use a sandbox that needs none, or run without one.",
    });
  }
  const { audit, foreignFrom, denied, queues, byProcess, socket, clone, clone3, ioctl } = table;
  const steps: Step[] = [
    { code: load, value: archAt },
    { code: jumpIfEqual, value: audit, no: "kill" },
    { code: load, value: numberAt },
    ...(foreignFrom === undefined
      ? []
      : [{ code: jumpIfAtLeast, value: foreignFrom, yes: "refuse" as const }]),
    ...[...denied, ...(sharesProcesses ? queues : [enterRing])].map((value) => refused(value)),
    { code: jumpIfEqual, value: clone3, yes: "unknownCall" },
    ...(sockets === "none"
      ? [refused(socket)]
      : block(socket, [
          { code: load, value: argumentAt(0) },
          ...internetFamilies.map((value) => ({
            code: jumpIfEqual,
            value,
            yes: "allow" as const,
          })),
          { code: answer, value: refuse },
        ])),
    ...(sharesProcesses ? byProcess : []).flatMap(([call, argument]) =>
      block(call, [
        { code: load, value: argumentAt(argument) },
        { code: jumpIfEqual, value: 0, yes: "allow", no: "refuse" },
      ]),
    ),
    ...block(clone, [
      { code: load, value: argumentAt(0) },
      { code: jumpIfAnyBit, value: newNamespaces, yes: "refuse", no: "allow" },
    ]),
    ...block(ioctl, [
      { code: load, value: argumentAt(1) },
      ...typing.map((value) => refused(value)),
    ]),
  ];
  return assemble(steps);
}

function refused(value: number): Step {
  return { code: jumpIfEqual, value, yes: "refuse" };
}

/** Returns steps for one system call. They end the program or fall through to its end, since they load another word. */
function block(number: number, steps: readonly Step[]): readonly Step[] {
  return [{ code: jumpIfEqual, value: number, skipUnless: steps.length }, ...steps];
}

function assemble(steps: readonly Step[]): Uint8Array {
  const bytes = new Uint8Array((steps.length + order.length) * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, step] of steps.entries()) {
    const distance = (target: Answer | undefined) =>
      target === undefined ? 0 : steps.length + order.indexOf(target) - index - 1;
    const isJump = "yes" in step || "no" in step || "skipUnless" in step;
    const yes = isJump ? distance(step.yes) : 0;
    const no = isJump ? (step.skipUnless ?? distance(step.no)) : 0;
    // A conditional jump stores its distance in one byte.
    if (yes > 255 || no > 255) throw new TypeError("The filter is too long for its jumps.");
    write(view, index, { code: step.code, yes, no, value: step.value });
  }
  for (const [index, name] of order.entries()) {
    write(view, steps.length + index, { code: answer, yes: 0, no: 0, value: answers[name] });
  }
  return bytes;
}

interface Instruction {
  readonly code: number;
  readonly yes: number;
  readonly no: number;
  readonly value: number;
}

function write(view: DataView, index: number, { code, yes, no, value }: Instruction): void {
  view.setUint16(index * 8, code, true);
  view.setUint8(index * 8 + 2, yes);
  view.setUint8(index * 8 + 3, no);
  view.setUint32(index * 8 + 4, value, true);
}
