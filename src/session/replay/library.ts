/** The replay of the library: what plays it is loaded when somebody replays, and not with every session. */
import { readRecording } from '../../edge/recording/read-recording.ts'
import { problem } from '../../problem.ts'
import type { PlaybackOptions } from './options.ts'
import type { RedriveOptions } from './redrive.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import type { ReplayReport } from '../../traffic/replay/status.ts'

/** What others sent to a service is sent to it again. */
export interface ClientReplay extends Omit<PlaybackOptions, 'recording'> {
  readonly driver?: 'client'
  /** A file, or what was read from one. */
  readonly recording: string | RecordingContent
}

/** Our counterparts decide again as the recorded partner did, and the service lives through it. */
export interface DecisionsReplay extends Omit<RedriveOptions, 'recording'> {
  readonly driver: 'both'
  /** A file, or what was read from one. */
  readonly recording: string | RecordingContent
}

export type ReplayOptions = ClientReplay | DecisionsReplay

async function contentOf(recording: string | RecordingContent): Promise<RecordingContent> {
  if (typeof recording !== 'string') return recording
  const read = await readRecording(recording)
  if (read.ok) return read.value
  throw problem(`replaying ${recording}`, read.error, 'Name a file that sparring recorded.')
}

/**
 * Replays a recording against a service and answers what came of each exchange.
 *
 * With the driver `client`, the usual one, requests that others sent to the service go out again with fresh ids, tokens
 * and signatures, at their recorded times or faster, and each answer is compared with the recorded one. With `both` our
 * counterparts are moved by what the recorded partner decided, in a fresh world: what the service does is held against
 * what it did then, and whatever it asks is answered by the state machine. With a fetch-style handler either runs on the
 * virtual clock: nothing touches a socket, nothing waits.
 *
 * Throws a `Problem` when the recording cannot be read or has nothing for this service.
 *
 * @example
 * const report = await replayRecording({ recording: 'bug.rec.ndjson', to: app.fetch })
 * expect(report.counts).toEqual({ same: 12, noise: 3 })
 *
 * @example
 * const report = await replayRecording({
 *   driver: 'both',
 *   recording: 'bug.rec.ndjson',
 *   to: app.fetch,
 *   connect: (session) => app.start(session.urls.get('ordering-application'), session.fetch),
 * })
 * expect(report.first).toBeUndefined()
 */
export async function replayRecording(options: ReplayOptions): Promise<ReplayReport> {
  const recording = await contentOf(options.recording)
  if (options.driver === 'both') {
    const { driver: _driver, ...wish } = options
    const { replayByDecisions } = await import('./redrive.ts')
    return replayByDecisions({ ...wish, recording })
  }
  const { driver: _driver, ...wish } = options
  const { openPlayback } = await import('./replay.ts')
  await using playback = await openPlayback({ ...wish, recording })
  // Awaited here: the session ends with this scope.
  return await playback.run()
}
