/** Runs a program to its end, or until it is aborted, and keeps its output. */
import { execFile } from 'node:child_process'

export interface EndedChild {
  /** Undefined where a signal ended it, or it could not be started. */
  readonly code: number | undefined
  readonly output: string
}

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
): Promise<EndedChild> =>
  new Promise((resolve) => {
    const limits = { maxBuffer: maxOutputBytes, signal }
    execFile(file, args, { cwd, env: { ...env }, ...limits }, (error, stdout, stderr) =>
      resolve({
        code: error === null ? 0 : typeof error.code === 'number' ? error.code : undefined,
        output: `${stdout}${stderr}${error && stdout === '' && stderr === '' ? error.message : ''}`,
      }),
    )
  })
