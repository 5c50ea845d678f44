/** Exit codes of the program; scripts rely on them. */
export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  unstable: 5,
  bug: 70,
  interrupted: 130,
} as const

/** A `Problem` may carry any code, so the type is open. */
export type ExitCode = number
