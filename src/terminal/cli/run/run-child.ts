/** Runs a program, or a command of the shell, to its end or until it is aborted, and keeps its output. */
import { execFile } from 'node:child_process'
import type { CommandRunner, EndedCommand } from '../../../core/session/effects.ts'
import type { Io } from '../io.ts'

export interface ChildOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

const maxOutputBytes = 8 * 1024 * 1024

export const runChild = (
  file: string,
  args: readonly string[],
  { cwd, env, signal }: ChildOptions,
): Promise<EndedCommand> =>
  new Promise((resolve) => {
    const limits = { maxBuffer: maxOutputBytes, signal }
    execFile(file, args, { cwd, env: { ...env }, ...limits }, (error, stdout, stderr) =>
      resolve({
        code: error === null ? 0 : typeof error.code === 'number' ? error.code : undefined,
        stdout,
        output: `${stdout}${stderr}${error && stdout === '' && stderr === '' ? error.message : ''}`,
      }),
    )
  })

/** Runs a command by the shell, in the folder of the terminal, with more variables in its environment. */
export const runCommand = (
  command: string,
  environment: Readonly<Record<string, string>>,
  { io, signal }: { readonly io: Pick<Io, 'cwd' | 'env'>; readonly signal: AbortSignal },
): Promise<EndedCommand> =>
  runChild('/bin/sh', ['-c', command], {
    cwd: io.cwd,
    env: { ...io.env, ...environment },
    signal,
  })

/** What counts the effects of one order may take so long. */
const countTimeoutMs = 10_000

/** Runs the commands of `subject.effects`. */
export const commandRunner =
  (io: Pick<Io, 'cwd' | 'env'>): CommandRunner =>
  (command, environment) =>
    runCommand(command, environment, { io, signal: AbortSignal.timeout(countTimeoutMs) })
