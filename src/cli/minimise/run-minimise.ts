/** Runs `sparring minimise`: searches the smallest failing recording, writes the files and prints the result. */
import { randomInt } from 'node:crypto'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { fileProblem } from '../../edge/files/file-problem.ts'
import { makeFolder } from '../../edge/files/make-folder.ts'
import { readRecording } from '../../edge/recording/read-recording.ts'
import { Problem, problem } from '../../problem.ts'
import { drivingExchanges } from '../../scenario/from-recording/driving-exchanges.ts'
import { type SmallestPart, findSmallestPart } from '../../session/replay/minimise.ts'
import type { MinimiseStage } from '../../traffic/minimise/minimise.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import { replayExitCode } from '../../traffic/replay/exit-code.ts'
import type { PlayedSides, ReplayReport } from '../../traffic/replay/replay-report.ts'
import { loadUserRules } from '../compare/rules.ts'
import { parseDurationArgument } from '../parse-duration-argument.ts'
import { pluralise } from '../../traffic/pluralise.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { writeRecordingPart } from '../formats/recording-part.ts'
import { runExport } from '../formats/run-export.ts'
import { type Io, printJson, printLine } from '../io.ts'
import { driversByName } from '../replay/drivers.ts'
import { listenForStop } from '../stop-signal.ts'
import type { MinimiseFlags } from './flags.ts'

const defaultReplays = 100
const defaultLimitMs = 5 * 60_000

/** Exports written beside the minimised recording. */
const exportsWritten = [
  { format: 'scenario', ending: '.yaml' },
  { format: 'vitest', ending: '.test.ts' },
  { format: 'curl', ending: '.sh' },
] as const

const ending = '.rec.ndjson'

async function contentOf(file: string, cwd: string): Promise<RecordingContent> {
  const read = await readRecording(resolve(cwd, file))
  if (read.ok) return { ...read.value, file }
  throw new Problem(read.error, exitCode.usage)
}

type TrialDriver = Exclude<PlayedSides, 'server'>

const driverOf = ({ as: named, to }: MinimiseFlags): TrialDriver =>
  named ?? (to === undefined ? 'both' : 'client')

/** The exchanges that a driver initiates, by record id. */
const drivingIds: Readonly<
  Record<TrialDriver, (content: RecordingContent) => ReadonlySet<string>>
> = {
  both: drivingExchanges,
  client: ({ exchanges }) => idsOf(exchanges.filter(({ to }) => to.party === 'subject')),
}

const idsOf = (exchanges: RecordingContent['exchanges']): ReadonlySet<string> =>
  new Set(exchanges.map(({ recordId }) => recordId))

const baseOf = ({ output, recording }: MinimiseFlags): string =>
  output ?? `${recording.replace(/\/+$/, '').replace(/\.rec\.ndjson(?:\.(?:zst|gz))?$/, '')}.min`

/** Checks that the output folder is writable and that no output file exists. */
function checkOutput(base: string, { force }: MinimiseFlags, cwd: string): void {
  const attempted = `minimising into ${base}${ending}`
  const there = [ending, ...exportsWritten.map((each) => each.ending)]
    .map((each) => `${base}${each}`)
    .find((file) => existsSync(resolve(cwd, file)))
  if (there !== undefined && !force)
    throw problem(
      attempted,
      `${there} is there already`,
      'Name another with -o, or write over it with --force.',
    )
  // Checked before the search, which takes minutes and would be lost.
  const folder = dirname(resolve(cwd, base))
  let isFolder: boolean
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
    isFolder = statSync(folder).isDirectory()
  } catch (error) {
    throw new Problem(fileProblem(attempted, error), 2)
  }
  if (!isFolder) throw problem(attempted, `${folder} is no folder`, 'Name another with -o.')
}

const stageLine = ({ stage, before, after, replays }: MinimiseStage): string =>
  `${stage.padEnd(9)}  ${before === after ? '' : `${before} to `}${pluralise(after, 'exchange')}, ${pluralise(replays, 'replay')}`

/** The reason why the first replay showed no failure, when it is not the behaviour of the service. */
function reasonUnseen(
  report: ReplayReport,
  recording: string,
  isInterrupted: boolean,
): Problem | undefined {
  const attempted = `minimising ${recording}`
  if (isInterrupted)
    return problem(
      attempted,
      'it was interrupted before a failure had been seen',
      'Nothing was written.',
      exitCode.interrupted,
    )
  if (report.interrupted)
    return problem(
      attempted,
      'the first replay was not over when the time was',
      'Give it more with --max-time, or let it go faster with --speed asap.',
    )
  if (replayExitCode(report) !== 3) return undefined
  const { because = 'it did not let us in' } =
    report.exchanges.find(({ standing }) => standing === 'error' || standing === 'auth') ?? {}
  return problem(
    attempted,
    `your service cannot be replayed to: ${because}`,
    'Start it, and see that it takes our credentials.',
    3,
  )
}

function exitOf(verdict: SmallestPart['verdict'], isInterrupted: boolean): ExitCode {
  if (isInterrupted) return exitCode.interrupted
  if (verdict === 'unstable') return exitCode.unstable
  return verdict === 'minimal' ? exitCode.done : 1
}

export async function runMinimise(
  flags: MinimiseFlags,
  io: Io,
  /** Progress, before each replay. */
  onProgress: (text: string) => void = () => undefined,
): Promise<ExitCode> {
  const name = driverOf(flags)
  const driver = await driversByName[name]()
  driver.check(flags)
  const base = baseOf(flags)
  checkOutput(base, flags, io.cwd)
  const limit =
    flags['max-time'] === undefined
      ? defaultLimitMs
      : parseDurationArgument(flags['max-time'], 'reading --max-time')
  const [content, rules] = await Promise.all([
    contentOf(flags.recording, io.cwd),
    loadUserRules(flags.recording, flags.rules, io.cwd),
  ])
  using stopping = listenForStop(io)
  const timeUp = AbortSignal.timeout(limit)
  const print = flags.quiet ? () => undefined : (text: string) => void printLine(io.stderr, text)
  const maxReplays = flags['max-replays'] ?? defaultReplays
  let first: ReplayReport | undefined
  let replays = 0
  const searched = await findSmallestPart({
    content,
    seed: flags.seed ?? randomInt(2 ** 31),
    maxReplays,
    drives: drivingIds[name](content),
    isOver: () => stopping.signal.aborted || timeUp.aborted,
    async replay({ content: part, seed, asap }) {
      const size = pluralise(part.exchanges.length, 'exchange')
      onProgress(`minimising: replay ${++replays} of at most ${maxReplays}, of ${size}`)
      const report = await driver.run({
        flags: asap ? { ...flags, speed: 'asap' } : flags,
        // Later trials would print the same messages as the first.
        io: first ? withoutStderr(io) : io,
        content: part,
        seed,
        rules,
        signal: AbortSignal.any([stopping.signal, timeUp]),
      })
      first ??= report
      return report
    },
    onStage: (stage) => print(stageLine(stage)),
  }).catch((error: unknown) => {
    throw first && error instanceof Problem
      ? (reasonUnseen(first, flags.recording, stopping.signal.aborted) ?? error)
      : error
  })
  const files = await write(searched, { base, flags }, io)
  await printResult(searched, files, flags, io)
  return exitOf(searched.verdict, stopping.signal.aborted)
}

/** Writes the minimised recording and its exports; returns the file names. */
async function write(
  { content, failure }: SmallestPart,
  { base, flags }: { readonly base: string; readonly flags: MinimiseFlags },
  io: Io,
): Promise<readonly string[]> {
  const file = `${base}${ending}`
  const path = resolve(io.cwd, flags.recording)
  const force = flags.force === true
  const keptExchanges = new Map(content.exchanges.map((each) => [each.recordId, each]))
  await writeRecordingPart(
    {
      path,
      // The failure signature lets a replay report whether the failure still occurs.
      header: (header) => ({ ...header, _rec: { ...header._rec, failure: failure.signature } }),
      pick: (line) => keptExchanges.get(line._rec.id),
      file,
      force,
    },
    io,
  )
  const files = [file]
  for (const { format, ending: own } of exportsWritten) {
    const output = `${base}${own}`
    const options = { recording: file, format, output, ...(force ? { force } : {}) }
    await runExport(
      flags.to === undefined ? options : { ...options, base: flags.to },
      withoutStderr(io),
    )
    files.push(output)
  }
  return files
}

/** Discards stderr: the result is printed at the end. */
const withoutStderr = (io: Io): Io => ({
  ...io,
  stderr: new Writable({
    write: (_chunk, _encoding, done) => {
      done()
    },
  }),
})

async function printResult(
  { paragraph, failure, verdict, replays, stages, confirmed, content }: SmallestPart,
  files: readonly string[],
  { json }: MinimiseFlags,
  io: Io,
): Promise<void> {
  if (json) {
    const kept = content.exchanges.map(({ recordId }) => recordId)
    const result = { verdict, failure, confirmed, replays, stages, kept, files, paragraph }
    await printJson(io, result)
    return
  }
  await printLine(io.stdout, paragraph)
  for (const file of files) await printLine(io.stdout, file)
}
