/** The dashboard over a recording: read-only, or replaying to a subject step by step. */
import { compact } from '../../../core/base/compact.ts'
import { resolve } from 'node:path'
import { openRecordingIndex } from '../../../core/runtime/recording/recording-index.ts'
import { Problem } from '../../../core/base/problem.ts'
import type { Playback } from '../../playback/replay/replay.ts'
import { createRecordingPlayer, type RecordingPlayer } from '../../playback/player/player.ts'
import { timelineOfContent, timelineOfIndex } from '../../playback/player/timeline.ts'
import { prepareSession } from '../../../core/session/session.ts'
import type { ReplayReport } from '../../../core/traffic/recording/replay-report.ts'
import { loadUserRules } from '../compare/rules.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'
import { listenForStop } from '../../../terminal/cli/stop-signal.ts'
import { runDashboard, type SessionOutputOptions } from '../../../terminal/cli/session-output.ts'
import type { DriverInput, ReplayScreen } from './driver.ts'
import type { ReplayFlags } from './flags.ts'
import { openPlayerFiles } from './screen-files.ts'
import { createScreenActions } from './screen-actions.ts'
import { reportUnreadLines } from './recording-content.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'

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
    const player = createRecordingPlayer({ timeline: timelineOfIndex(index), files, rules })
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
  const player = createRecordingPlayer({
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
  running.then(player.markEnded, () => failed.abort())
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
