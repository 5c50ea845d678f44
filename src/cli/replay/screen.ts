/** A recording on the dashboard: looked at, or played to a service by hand. */
import { compact } from '../../compact.ts'
import { resolve } from 'node:path'
import { openRecordingIndex } from '../../edge/recording/recording-index.ts'
import { Problem } from '../../problem.ts'
import type { Playback } from '../../session/replay/replay.ts'
import { createRecordingPlayer, type RecordingPlayer } from '../../session/player/player.ts'
import { timelineOfContent, timelineOfIndex } from '../../session/player/timeline.ts'
import { prepareSession } from '../../session/session.ts'
import type { ReplayReport } from '../../traffic/replay/replay-report.ts'
import { loadUserRules } from '../compare/rules.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { type Io, sayLine } from '../io.ts'
import { listenForStop } from '../stop-signal.ts'
import { draw, type Wish } from '../session-output.ts'
import type { Drive, ReplayScreen } from './driver.ts'
import type { ReplayFlags } from './flags.ts'
import { openPlayerFiles } from './screen-files.ts'
import { createMakes } from './screen-products.ts'
import { tellProblems } from './unread-lines.ts'
import { pluralise } from '../../traffic/pluralise.ts'

const wishOf = (flags: ReplayFlags): Wish => (flags['no-color'] ? { 'no-color': true } : {})

/** A world in which nobody does anything. */
const nobody = { reactors: [], onWorldCreated: () => undefined } as const

/** Opens a recording of any size, and sends nothing. */
export async function browse(flags: ReplayFlags, io: Io): Promise<ExitCode> {
  const { recording } = flags
  using stopping = listenForStop(io)
  const [opened, rules, files] = await Promise.all([
    openRecordingIndex(resolve(io.cwd, recording)),
    loadUserRules(recording, flags.rules, io.cwd),
    openPlayerFiles(recording, flags.rules, io.cwd),
  ])
  if (!opened.ok) throw new Problem(opened.error, exitCode.usage)
  const index = opened.value
  try {
    await using session = await prepareSession(
      { listen: false, port: 0, clock: 'stepped', judgement: { on: false } },
      undefined,
      nobody,
    )
    await using makes = createMakes(flags, io)
    const player = createRecordingPlayer({ timeline: timelineOfIndex(index), files, rules })
    await draw(player.over(session), wishOf(flags), io, {
      signal: stopping.signal,
      ...makes.ports,
    })
    player.stop()
    await sayLine(
      io.stdout,
      `${recording}: ${pluralise(index.count, 'exchange')}; nothing was sent.`,
    )
    const { problems } = index
    await tellProblems({ problems, file: recording }, 'the rest was shown', io)
  } finally {
    index.close()
  }
  return stopping.signal.aborted ? exitCode.interrupted : exitCode.done
}

type Screened = Pick<Drive, 'flags' | 'io' | 'content' | 'rules' | 'signal'>

/** The dashboard over a recording that a person lets play. */
export async function openScreen(screened: Screened): Promise<ReplayScreen> {
  const { flags, io, content, rules } = screened
  const files = await openPlayerFiles(flags.recording, flags.rules, io.cwd)
  const player = createRecordingPlayer({
    timeline: timelineOfContent(content),
    files,
    rules,
    ...compact({ target: flags.to }),
  })
  return { ports: player.ports, show: (playback) => shown(playback, player, screened) }
}

async function shown(
  playback: Playback,
  player: RecordingPlayer,
  { flags, io, signal }: Screened,
): Promise<ReplayReport> {
  const broken = new AbortController()
  const running = playback.run()
  // A playback that fails takes the screen away, and is told where everything is told.
  running.then(player.markEnded, () => broken.abort())
  await using makes = createMakes(flags, io)
  await draw(player.over(playback.session, playback.wanted), wishOf(flags), io, {
    signal: AbortSignal.any([signal, broken.signal]),
    ...makes.ports,
  })
  player.stop()
  playback.stop()
  return player.rejudge(await running)
}
