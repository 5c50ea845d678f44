/** The proof of a product: it is run once against a service, and says by its own means whether the failure shows. */
import { randomInt } from 'node:crypto'
import { compact } from '../../../core/base/compact.ts'
import { Problem } from '../../../core/base/problem.ts'
import type { Role } from '../../../core/protocol/role.ts'
import { exitCode } from '../../../terminal/cli/exit-code.ts'
import type { Io } from '../../../terminal/cli/io.ts'
import { playRecording } from '../replay/play-recording.ts'
import { runScenarios } from '../../../terminal/cli/run/run-scenarios.ts'
import type { MinimiseFlags } from './flags.ts'
import { runChild } from '../../../terminal/cli/run/run-child.ts'
import { shellQuoted } from '../../../core/traffic/curl-command.ts'
import { Writable } from 'node:stream'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageFolder } from '../../../core/runtime/version.ts'

/** This program runs from its sources. */
const isSource = import.meta.url.endsWith('.ts')

/** `test` and `expect(…).toEqual(…)`, as much as an exported test needs. */
const vitestStandIn = `import assert from 'node:assert/strict'
export const expect = (is) => ({ toEqual: (wanted) => assert.deepEqual(is, wanted) })
export const test = async (name, options, run = options) => {
  try {
    await run()
    process.exit(0)
  } catch (error) {
    console.error(name, error)
    process.exit(1)
  }
}
`

function addPackage(folder: string, name: string, source: string, command?: string): void {
  const own = join(folder, 'node_modules', name)
  mkdirSync(own, { recursive: true })
  writeFileSync(
    join(own, 'package.json'),
    JSON.stringify({ name, type: 'module', main: 'main.js' }),
  )
  writeFileSync(join(own, 'main.js'), source)
  if (command !== undefined) writeFileSync(join(own, `${name}.mjs`), command)
}

/** A Vitest for a folder that runs one exported test as it stands: the real one starts for a second. */
export const addVitestStandIn = (folder: string): void =>
  addPackage(folder, 'vitest', vitestStandIn, 'await import(process.argv.at(-1))\n')

/** The folder of Vitest, where the working folder or this package has one. */
function vitestFolder(cwd: string): string | undefined {
  for (const from of [join(cwd, 'package.json'), join(packageFolder, 'package.json')])
    try {
      return dirname(createRequire(from).resolve('vitest/package.json'))
    } catch {
      // Not there.
    }
  return undefined
}

/** The command that runs a test file of the folder. */
export function prepareTestFolder(
  folder: string,
  cwd: string,
): (file: string) => readonly [program: string, ...args: string[]] {
  const library = pathToFileURL(
    join(packageFolder, isSource ? 'src/sparring/library/index.ts' : 'dist/index.js'),
  )
  addPackage(folder, 'sparring', `export * from ${JSON.stringify(library.href)}\n`)
  const vitest = vitestFolder(cwd)
  if (vitest === undefined) {
    addVitestStandIn(folder)
    return (file) => [process.execPath, '--experimental-strip-types', '--no-warnings', file]
  }
  symlinkSync(vitest, join(folder, 'node_modules/vitest'), 'junction')
  return (file) => [process.execPath, join(vitest, 'vitest.mjs'), 'run', '--root', folder, file]
}

/** The command line of this program, for scripts. */
function ownCommand(): readonly string[] {
  if (!isSource) return [process.execPath, join(packageFolder, 'bin/sparring.js')]
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return [process.execPath, '--import', tsx, join(packageFolder, 'src/sparring/main.ts')]
}

/** A stream that keeps what is written to it. */
export function keepingStream(): { readonly stream: Writable; readonly text: () => string } {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  return { stream, text: () => text }
}

/** The signal interrupts it. */
function captureIo(io: Io, signal: AbortSignal) {
  const [out, err] = [keepingStream(), keepingStream()]
  const onInterrupt: Io['onInterrupt'] = (listener) => {
    const interrupt = (): void => listener('SIGTERM')
    if (signal.aborted) interrupt()
    signal.addEventListener('abort', interrupt)
    return () => signal.removeEventListener('abort', interrupt)
  }
  return {
    io: { ...io, onInterrupt, stdout: out.stream, stderr: err.stream, isTTY: false, color: false },
    stdout: out.text,
    stderr: err.text,
  }
}

export const productKinds = ['recording', 'scenario', 'test', 'script'] as const
export type ProductKind = (typeof productKinds)[number]

/** A reason where a product does not say whether the failure shows. */
export type Proof = 'fails' | 'passes' | { readonly unclear: string }

/** The service that a product is run against, and our ports. */
export interface ProofTarget {
  readonly to?: string | undefined
  readonly port?: number | undefined
  /** The command that starts it, where that is known: a scenario may end it. */
  readonly start?: string
}

export interface ProofInput {
  /** The product, in a folder of its own. */
  readonly file: string
  readonly folder: string
  readonly target: ProofTarget
  readonly flags: MinimiseFlags
  /** Whether the service is ended on the way. */
  readonly isEnded: boolean
  /** The role that the service plays. */
  readonly role: Role
  readonly io: Io
  readonly signal: AbortSignal
  /** Runs a test file of the folder. */
  readonly testCommand: (file: string) => readonly [program: string, ...args: string[]]
}

/** One that is ended on the way is started by what is proven. */
function serviceOf({ to, port, start }: ProofTarget, isEnded: boolean) {
  if (isEnded && start !== undefined) return { start }
  return { ...compact({ to, port }) }
}

const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .findLast((line) => line.trim() !== '')
    ?.trim() ?? 'it said nothing'

const unclear = (why: string): Proof => ({ unclear: why })

async function proveRecording({
  file,
  target,
  flags,
  isEnded,
  io,
  signal,
}: ProofInput): Promise<Proof> {
  const { config, rules, speed, as, 'allow-target': allowed, 'max-gap': maxGap } = flags
  const captured = captureIo(io, signal)
  const same = compact({ config, rules, speed, as, 'allow-target': allowed, 'max-gap': maxGap })
  const code = await playRecording(
    { ...same, ...serviceOf(target, isEnded), recording: file, bisect: true },
    captured.io,
  )
  if (code === exitCode.done) return 'passes'
  return code === exitCode.failed ? 'fails' : unclear(lastLine(captured.stderr()))
}

interface JsonReport {
  readonly runs: readonly { readonly failures: readonly { kind: string; because: string }[] }[]
}

const failureLine = /\b(step|expectation|invariant): [^\n'"`]+/g

/** A step that got stuck says nothing about what is expected. */
function proofOfFailures(failures: readonly { kind: string; because: string }[]): Proof {
  const stuck = failures.find(({ kind }) => kind === 'step')
  if (stuck) return unclear(`it gets stuck: ${stuck.because}`)
  return failures.length > 0 ? 'fails' : unclear('it fails, and no expectation of it does')
}

async function proveScenario({
  file,
  target,
  flags,
  isEnded,
  role,
  io,
  signal,
}: ProofInput): Promise<Proof> {
  const { start, port, to: subject }: ProofTarget = serviceOf(target, isEnded)
  const captured = captureIo(io, signal)
  const seed = randomInt(2 ** 31)
  const options = { scenario: [file], seed, json: true, quiet: true } as const
  const code = await runScenarios(
    { ...options, ...compact({ config: flags.config, start, port, subject }), as: role },
    captured.io,
  )
  if (code === exitCode.done) return 'passes'
  if (code !== exitCode.failed) return unclear(lastLine(captured.stderr()))
  const { runs } = JSON.parse(captured.stdout()) as JsonReport
  return proofOfFailures(runs.flatMap(({ failures }) => failures))
}

const portOf = ({ port }: ProofTarget) =>
  port === undefined ? {} : { SPARRING_PORT: String(port) }

async function proveTest(input: ProofInput): Promise<Proof> {
  const { file, folder, target, io, signal, testCommand } = input
  const [program, ...args] = testCommand(file)
  const env = {
    ...io.env,
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    ...portOf(target),
    ...compact({ SUBJECT_URL: target.to }),
  }
  const { code, output } = await runChild(program, args, { cwd: folder, env, signal })
  if (code === exitCode.done) return 'passes'
  if (code !== exitCode.failed) return unclear(lastLine(output))
  const failures = [...output.matchAll(failureLine)].map(([because, kind = '']) => ({
    kind,
    because,
  }))
  return failures.length > 0
    ? proofOfFailures(failures)
    : unclear(`it fails before its expectations: ${lastLine(output)}`)
}

async function proveScript(input: ProofInput): Promise<Proof> {
  const { file, folder, target, role, io, signal } = input
  const url = `${role.toUpperCase().replaceAll('-', '_')}_URL`
  const env = {
    ...io.env,
    SPARRING: ownCommand().map(shellQuoted).join(' '),
    ...portOf(target),
    ...(target.to === undefined ? {} : { [url]: target.to }),
  }
  const { code, output } = await runChild('sh', [file], { cwd: folder, env, signal })
  if (code === exitCode.done) return 'passes'
  return code === exitCode.failed && output.includes('DIFF') ? 'fails' : unclear(lastLine(output))
}

const proofs: Readonly<Record<ProductKind, (input: ProofInput) => Promise<Proof>>> = {
  recording: proveRecording,
  scenario: proveScenario,
  test: proveTest,
  script: proveScript,
}

/** Time for one proof. */
const limitMs = 60_000

export async function prove(kind: ProductKind, input: ProofInput): Promise<Proof> {
  const limit = AbortSignal.timeout(limitMs)
  const signal = AbortSignal.any([input.signal, limit])
  try {
    const proof = await proofs[kind]({ ...input, signal })
    return limit.aborted ? unclear(`it is not over after ${limitMs / 1000} s`) : proof
  } catch (error) {
    if (error instanceof Problem) return unclear(error.message)
    throw error
  }
}
