/**
 * Runs the command line in this process, with what main.ts makes of its end: what a verb does shows without a start of
 * Node.
 */
import { displayText } from '../../src/core/traffic/redaction/display.ts'
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect } from 'vitest'
import { packageVersion } from '../../src/core/runtime/version.ts'
import { Problem } from '../../src/core/base/problem.ts'
import type { ExitCode } from '../../src/terminal/cli/exit-code.ts'
import type { Io } from '../../src/terminal/cli/io.ts'
import { runProgram } from '../../src/sparring/verbs/support/program.ts'
import { verbs } from '../../src/sparring/verbs/catalogue.ts'
import {
  emptyFolder,
  GrowingText,
  type ProcessResult,
  type SpawnOptions,
  type StartedProcess,
} from './spawn-sparring.ts'
import { createTestIo } from './test-io.ts'

export interface InProcessResult {
  readonly code: ExitCode
  readonly stdout: string
  readonly stderr: string
}

export interface InProcessOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly input?: string
  /** The file that stdout is redirected to. */
  readonly into?: string | undefined
}

/** Problems and bugs are thrown. */
export const runVerbs = (argv: readonly string[], io: Io): Promise<ExitCode> =>
  runProgram({ name: 'sparring', summary: '', version: packageVersion(), verbs }, argv, io)

/** The message of a problem in what was typed, which is thrown and not printed. */
export async function problemIn(running: Promise<unknown>): Promise<string> {
  const error: unknown = await running.catch((thrown: unknown) => thrown)
  if (!(error instanceof Problem)) throw new Error(`it is no problem: ${String(error)}`)
  expect(error.exit).toBe(2)
  return error.message
}

/** Problems are printed as by main.ts; a bug is thrown. */
async function endOf(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await runVerbs(argv, io)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    for (const line of displayText(error.message).split('\n'))
      io.stderr.write(`sparring: ${line}\n`)
    return error.exit
  }
}

export function startInProcess(argv: readonly string[], options: InProcessOptions = {}) {
  const { cwd = emptyFolder(), env = {}, input, into } = options
  const file = into === undefined ? undefined : createWriteStream(resolve(cwd, into))
  const { io, written, interrupt } = createTestIo({
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
    ...(input === undefined ? {} : { input }),
    ...(file ? { stdout: file } : {}),
  })
  const ended = (async (): Promise<InProcessResult> => {
    const code = await endOf(argv, io)
    if (file) await finished(file.end())
    return { code, ...written() }
  })()
  return { ended, written, interrupt }
}

export const runInProcess = (
  argv: readonly string[],
  options?: InProcessOptions,
): Promise<InProcessResult> => startInProcess(argv, options).ended

/** As `startSparring`, but in this process: where neither a process nor its streams are what is tested. */
export function startHere(argv: readonly string[], options: SpawnOptions = {}): StartedProcess {
  const { cwd = emptyFolder(), env = {}, input } = options
  const out = new GrowingText()
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      out.add(chunk.toString())
      done()
    },
  })
  const { io, written, interrupt } = createTestIo({
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
    stdout,
    ...(input === undefined ? {} : { input }),
  })
  const stderr = (): string => written().stderr
  const ended = endOf(argv, io).then((code): ProcessResult => ({
    code,
    signal: null,
    stdout: out.text(),
    stderr: stderr(),
  }))
  return {
    stdout: out.text,
    stderr,
    kill: (signal) => interrupt(signal === 'SIGINT' ? signal : 'SIGTERM'),
    ended,
    until: (holds) => out.until(holds, ended),
  }
}
