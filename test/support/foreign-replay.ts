/** Replays a session of test/foreign/recordings against the service that it was recorded with. */
import { freeServicePort } from '../../src/terminal/cli/ports.ts'
import { compact } from '../../src/core/base/compact.ts'
import { readRecording } from '../../src/core/runtime/recording/read-recording.ts'
import type { PlaybackPace } from '../../src/core/engine/playback/pace.ts'
import { openPlayback } from '../../src/replay/playback/replay/replay.ts'
import { unremarkableStandings } from '../../src/core/traffic/recording/standing.ts'
import type { RecordingContent } from '../../src/core/traffic/recording/content.ts'
import type {
  ReplayedExchange,
  ReplayReport,
} from '../../src/core/traffic/recording/replay-report.ts'
import { foreignServices, startForeignService } from './foreign-service.ts'
import { type ForeignStory, recordingOf } from './foreign-stories.ts'

export interface ForeignReplayOptions {
  readonly pace?: PlaybackPace
  readonly jitterMs?: number
  /** File of the service's state between replays. */
  readonly state?: string
  readonly seed?: number
  /** Numbers of the only exchanges that are sent; all when absent. */
  readonly only?: readonly number[]
  /** Number of the exchange that it begins with. */
  readonly from?: number
}

export async function foreignContent(story: ForeignStory): Promise<RecordingContent> {
  const read = await readRecording(recordingOf(story))
  if (!read.ok) throw new Error(read.error)
  return { ...read.value, file: recordingOf(story) }
}

/** Without calls for so long, a service that polls has nothing more to ask for. */
const idleMs = 20_000

/** Without calls for so long, the service has done what comes of a part. */
const partTimeoutMs = 3000

/** A service that polls is answered; one that is called is sent what it was sent, and answered. */
export async function replayForeign(
  story: ForeignStory,
  { pace = { mode: 'asap' }, jitterMs, state, seed = 4711, only, from }: ForeignReplayOptions = {},
): Promise<ReplayReport> {
  const recording = await foreignContent(story)
  const port = await freeServicePort('127.0.0.1')
  const isPolling = foreignServices[story.service].channel === 'polling'
  await using playback = await openPlayback({
    recording,
    seed,
    pace,
    port: 0,
    clock: 'real',
    answers: only === undefined && from === undefined ? {} : { callTimeoutMs: partTimeoutMs },
    ...(only === undefined ? {} : { only: ({ seq }) => only.includes(seq) }),
    ...compact({ from }),
    ...(isPolling ? { serves: { untilAll: true, idleMs } } : { to: `http://127.0.0.1:${port}` }),
  })
  const partnerUrl = playback.session.urls.get('ordering-application') ?? ''
  const service = await startForeignService(story.service, {
    bug: story.bug,
    port,
    partnerUrl,
    ...compact({ jitterMs, state }),
  })
  try {
    return await playback.run()
  } finally {
    await service.stop()
  }
}

const lineOf = ({ standing, recorded, live, differences, because }: ReplayedExchange): string =>
  [
    standing,
    `#${recorded?.seq ?? '+'}`,
    (recorded ?? live)?.operation,
    ...differences.flatMap(({ accepted, side, where, recorded: then, live: now }) =>
      accepted ? [] : [`${side}${where} ${JSON.stringify(then)} ${JSON.stringify(now)}`],
    ),
    because,
  ].join(' ')

/** What differs, one line for each exchange. */
export const deviationsOf = ({ exchanges }: ReplayReport): readonly string[] =>
  exchanges.filter(({ standing }) => !unremarkableStandings.has(standing)).map(lineOf)
