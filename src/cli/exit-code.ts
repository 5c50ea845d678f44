/** How the program ends, in a number that scripts rely on. */
export const exitCode = {
  done: 0,
  broken: 1,
  usage: 2,
  unreachable: 3,
  unstable: 5,
  bug: 70,
  interrupted: 130,
} as const

/** A problem may carry a code of its own, so the type stays open. */
export type ExitCode = number
