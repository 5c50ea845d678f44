/** Runs the command line as a user would: as a process in a folder of its own. */
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { shellQuoted } from '../../src/core/traffic/curl-command.ts'
import { testedCommand } from './tested-command.ts'

const root = new URL('../../', import.meta.url)
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const main = fileURLToPath(new URL('src/sparring/main.ts', root))
const tsconfig = fileURLToPath(new URL('tsconfig.json', root))

export interface ProgramLine {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Command and environment to run a program from its source. */
const program = (source: string, ...args: readonly string[]): ProgramLine => ({
  file: process.execPath,
  args: ['--import', tsx, source, ...args],
  env: { TSX_TSCONFIG_PATH: tsconfig },
})

/** The same for the command line; scripts outside of the tests use the sources. */
export function commandLine(...args: readonly string[]): ProgramLine {
  const tested = testedCommand()
  return tested === undefined
    ? program(main, ...args)
    : { ...program(main), args: [tested, ...args] }
}

/** The shell command that starts the demo service alone; `--start` gives it addresses, port and channel. */
export function demoServiceCommand(...args: readonly string[]): string {
  const line = commandLine('demo', '--service', ...args)
  const env = Object.entries(line.env).map(([name, value]) => `${name}=${shellQuoted(value)}`)
  return [...env, 'exec', ...[line.file, ...line.args].map(shellQuoted)].join(' ')
}

export const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'sparring-'))

export interface ProcessResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface StartedProcess {
  readonly stdout: () => string
  readonly stderr: () => string
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<ProcessResult>
  /** Resolves when stdout satisfies `holds`; rejects with stdout when the process ends before. */
  readonly until: (holds: (stdout: string) => boolean) => Promise<string>
}

/** What a program has written so far, with waits for what comes. */
export class GrowingText {
  #text = ''
  readonly #listeners = new Set<() => void>()

  readonly text = (): string => this.#text

  add(more: string): void {
    this.#text += more
    for (const listener of this.#listeners) listener()
  }

  /** Resolves when it satisfies `holds`; rejects with it when the program ends before. */
  until(holds: (text: string) => boolean, ended: Promise<ProcessResult>): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!holds(this.#text)) return
        this.#listeners.delete(look)
        resolve(this.#text)
      }
      this.#listeners.add(look)
      look()
      void ended.then(({ stdout, stderr }) => reject(new Error(`it ended: ${stdout}${stderr}`)))
    })
  }
}

export interface SpawnOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

export const startSparring = (args: readonly string[], options?: SpawnOptions): StartedProcess =>
  startProgram(commandLine(...args), options)

/** Starts a program of the repository. */
export function startProgram(line: ProgramLine, options: SpawnOptions = {}): StartedProcess {
  const { cwd = emptyFolder(), env = {}, input = '' } = options
  const child = spawn(line.file, line.args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...line.env, ...env },
    stdio: 'pipe',
  })
  const out = new GrowingText()
  let stderr = ''
  child.stdout.on('data', (data: Buffer) => out.add(data.toString()))
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const ended = new Promise<ProcessResult>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout: out.text(), stderr }))
  })
  return {
    stdout: out.text,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    ended,
    until: (holds) => out.until(holds, ended),
  }
}

/** Runs the command line to its end. */
export const runSparring = (
  args: readonly string[],
  options?: SpawnOptions,
): Promise<ProcessResult> => startSparring(args, options).ended

/** Ends processes that a test started and has not ended itself: for `afterEach`, which empties the list. */
export async function killAll(started: StartedProcess[]): Promise<void> {
  for (const each of started.splice(0)) {
    each.kill('SIGKILL')
    await each.ended
  }
}
