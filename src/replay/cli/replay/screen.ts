/** The dashboard over a recording: read-only, or replaying to a subject step by step. */
import { compact } from '../../../core/base/compact.ts'
import { relative, resolve } from 'node:path'
import { openRecordingIndex } from '../../../core/runtime/recording/recording-index.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import type { Playback } from '../../playback/replay/replay.ts'
import { type PlayerFiles, RecordingPlayer } from '../../playback/player/player.ts'
import { timelineOfContent, timelineOfIndex } from '../../playback/player/timeline.ts'
import { prepareSession } from '../../../core/session/session.ts'
import type { ReplayReport } from '../../../core/traffic/recording/replay-report.ts'
import { loadUserRules, rulesFileOf, saveRules } from '../compare/rules.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Interruption, type Io, printLine } from '../../../terminal/cli/io.ts'
import { listenForStop } from '../../../terminal/cli/stop-signal.ts'
import { runDashboard, type SessionOutputOptions } from '../../../terminal/cli/session-output.ts'
import type { DriverInput, ReplayScreen } from './driver.ts'
import type { ReplayFlags } from './flags.ts'
import { reportUnreadLines } from './recording-content.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { Writable } from 'node:stream'
import { tryParseJson } from '../../../core/traffic/json/try-parse-json.ts'
import type { DashboardPorts } from '../../../terminal/dashboard/effects/ports.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { PreparedSession } from '../../../core/session/types.ts'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { saveText } from '../../../core/runtime/files/output.ts'
import { maxBookmarks } from '../../playback/player/bookmarks.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import { strictObject } from '../../../core/base/lazy-object.ts'

const MarksFile = strictObject(() => ({
  version: z.literal(1),
  marks: z
    .array(z.strictObject({ seq: z.int().min(0), text: z.string().max(200) }))
    .max(maxBookmarks)
    .describe('the number of an exchange, and a note'),
}))

/** The bookmarks of `lunch.rec.ndjson` are in `lunch.marks.json`. */
export const bookmarksFileOf = (recording: string): string =>
  rulesFileOf(recording).replace(/\.rules\.json$/, '.marks.json')

async function readIfPresent(path: string, what: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw problem(`reading ${path}`, fileProblem(what, error), 'Correct it, or take it away.')
  })
}

function parseMarks(text: string, path: string): z.infer<typeof MarksFile>['marks'] {
  const read = tryParseJson(text)
  const { success, data, error } = MarksFile.safeParse(read)
  if (success) return data.marks
  const [issue] = error.issues
  throw problem(
    `reading the bookmarks ${path}`,
    `${issue?.path.join('.') || 'the whole'} will not do: ${issue?.message}`,
    'Correct it, or take it away.',
  )
}

/** Serialises writes: a second key press may come before the first write has ended, and must not overwrite it. */
function createSerialQueue(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** Files beside a recording: bookmarks, and rules for accepted differences. */
export async function openPlayerFiles(
  recording: string,
  rules: string | undefined,
  cwd: string,
): Promise<PlayerFiles> {
  const marksPath = resolve(cwd, bookmarksFileOf(recording))
  const rulesPath = resolve(cwd, rules ?? rulesFileOf(recording))
  const text = await readIfPresent(marksPath, 'reading bookmarks')
  const serially = createSerialQueue()

  async function keepMarks(marks: PlayerFiles['marks']): Promise<Result<string, string>> {
    const written = await saveText(marksPath, `${JSON.stringify({ version: 1, marks }, null, 2)}\n`)
    return written.ok ? ok(relative(cwd, marksPath)) : written
  }

  async function keepRule(rule: Rule): Promise<Result<string, string>> {
    const saved = await saveRules(rulesPath, [rule], 'first')
    return saved.ok ? ok(relative(cwd, rulesPath)) : saved
  }

  return {
    marks: text === undefined ? [] : parseMarks(text, marksPath),
    saveBookmarks: (marks) => serially(() => keepMarks(marks)),
    saveRule: (rule) => serially(() => keepRule(rule)),
  }
}

/** Characters of a verb's output that are kept. */
const maxTextChars = 100_000

interface CapturedIo extends Disposable {
  readonly io: Io
  readonly lines: () => readonly string[]
}

/** An `Io` for a verb that captures its output; disposing of it interrupts the verb. */
function captureIo(io: Io): CapturedIo {
  let text = ''
  const listeners = new Set<(why: Interruption) => void>()
  const captureStream = (): Writable =>
    new Writable({
      write(chunk: Buffer | string, _encoding, done) {
        text = (text + String(chunk)).slice(-maxTextChars)
        done()
      },
    })
  return {
    io: {
      ...io,
      stdout: captureStream(),
      stderr: captureStream(),
      isTTY: false,
      color: false,
      onInterrupt(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      exit: () => undefined,
    },
    lines: () => text.split('\n').filter((line) => line !== ''),
    [Symbol.dispose]() {
      for (const listener of listeners) listener('closed')
    },
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Disposing of it interrupts running actions and waits for them, so that no partial file stays. */
interface ScreenActions extends AsyncDisposable {
  readonly ports: Pick<DashboardPorts, 'exportRecording' | 'minimise'>
}

/** The dashboard's actions on a recording, export and minimise: they run the verbs and capture their output. */
export function createScreenActions(
  flags: ReplayFlags,
  io: Io,
  /** Leaves the ports to the replays of a search. */
  withoutPorts: PreparedSession['withoutPorts'] = (work) => work(),
): ScreenActions {
  const running = new Map<CapturedIo, Promise<unknown>>()

  function runCaptured<Value>(
    work: (captured: CapturedIo) => Promise<Value>,
  ): Promise<Result<Value, string>> {
    const captured = captureIo(io)
    const result = work(captured)
      .then(ok, (error: unknown) => err(messageOf(error)))
      .finally(() => running.delete(captured))
    running.set(captured, result)
    return result
  }

  const { recording, to, as, rules, seed, fault, config, port } = flags
  const exportRecording = (output: string): Promise<Result<string, string>> =>
    runCaptured(async (captured) => {
      const { runExport } = await import('../formats/run-export.ts')
      await runExport({ recording, output }, captured.io)
      return captured.lines().at(-1) ?? output
    })
  const minimise: DashboardPorts['minimise'] = async (onNews, place) => {
    const result = await runCaptured(async (captured) => {
      const { runMinimise } = await import('../minimise/run-minimise.ts')
      const allowed = flags['allow-target']
      const settings = compact({
        to,
        as,
        rules,
        seed,
        fault,
        config,
        port,
        'allow-target': allowed,
      })
      const code = await withoutPorts(() =>
        runMinimise({ recording, driver: 'client', place, ...settings }, captured.io, onNews),
      )
      return code === exitCode.done
        ? captured.lines()
        : [...captured.lines(), `It ended with ${code}.`]
    })
    return result
  }
  return {
    ports: to === undefined ? { exportRecording } : { exportRecording, minimise },
    async [Symbol.asyncDispose]() {
      const all = [...running.values()]
      for (const captured of running.keys()) captured[Symbol.dispose]()
      await Promise.all(all)
    },
  }
}

const outputOptionsOf = (flags: ReplayFlags): SessionOutputOptions =>
  compact({
    'no-color': flags['no-color'],
    plain: flags.plain,
    'no-mouse': flags['no-mouse'],
  })

/** Exchanges that are indexed before anything is shown; the rest follows. */
const firstScreen = 1000

/** A world without reactors. */
const emptyWorld = { reactors: [], onWorldCreated: () => undefined } as const

/** Opens a recording of any size read-only, without sending anything. */
export async function browseRecording(flags: ReplayFlags, io: Io): Promise<ExitCode> {
  const { recording } = flags
  using stopping = listenForStop(io)
  const [opened, rules, files] = await Promise.all([
    openRecordingIndex(resolve(io.cwd, recording), { first: firstScreen }),
    loadUserRules(recording, flags.rules, io.cwd),
    openPlayerFiles(recording, flags.rules, io.cwd),
  ])
  if (!opened.ok) throw new Problem(opened.error, exitCode.usage)
  const index = opened.value
  try {
    await using session = await prepareSession(
      { listen: false, port: 0, clock: 'stepped', tolerances: { on: false } },
      undefined,
      emptyWorld,
    )
    await using actions = createScreenActions(flags, io)
    const player = new RecordingPlayer({ timeline: timelineOfIndex(index), files, rules })
    await runDashboard(player.over(session), outputOptionsOf(flags), io, {
      signal: stopping.signal,
      ...actions.ports,
    })
    player.stop()
    const { problems, count, isWhole } = index
    const soFar = isWhole ? '' : ' read so far'
    await printLine(
      io.stdout,
      `${recording}: ${pluralise(count, 'exchange')}${soFar}; nothing was sent.`,
    )
    await reportUnreadLines({ problems, file: recording }, 'the rest was shown', io)
  } finally {
    index.close()
  }
  return stopping.signal.aborted ? exitCode.interrupted : exitCode.done
}

type ScreenInput = Pick<DriverInput, 'flags' | 'io' | 'content' | 'rules' | 'edited' | 'signal'>

/** Opens the dashboard that controls a replay. */
export async function openReplayScreen(input: ScreenInput): Promise<ReplayScreen> {
  const { flags, io, content, rules, edited } = input
  const files = await openPlayerFiles(flags.recording, flags.rules, io.cwd)
  const player = new RecordingPlayer({
    timeline: timelineOfContent(content),
    files,
    rules,
    ...compact({ target: flags.to, edited }),
  })
  return {
    ports: player.ports,
    show: (playback) => showPlayback(playback, player, input),
  }
}

async function showPlayback(
  playback: Playback,
  player: RecordingPlayer,
  { flags, io, signal }: ScreenInput,
): Promise<ReplayReport> {
  const failed = new AbortController()
  const running = playback.run()
  // A failed playback closes the dashboard; `await running` below rethrows its error.
  running.then(
    () => player.markEnded(),
    () => failed.abort(),
  )
  await using actions = createScreenActions(flags, io, playback.session.withoutPorts)
  await runDashboard(player.over(playback.session, playback), outputOptionsOf(flags), io, {
    signal: AbortSignal.any([signal, failed.signal]),
    ...actions.ports,
  })
  player.stop()
  playback.stop()
  await running
  return player.rejudge(playback.report())
}
