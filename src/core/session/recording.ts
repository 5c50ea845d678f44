/**
 * Starts the recorder of a session when one is configured. The recorder and its redaction are loaded lazily: other
 * sessions do not wait for them.
 */
import { compact } from '../base/compact.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { wallNow } from '../runtime/clock/clock.ts'
import type { ClockDriver } from '../runtime/clock/clock-driver.ts'
import type { Recorder } from '../runtime/recording/recorder.ts'
import { buildVersion } from '../runtime/version.ts'
import { Problem } from '../base/problem.ts'
import { pluralise } from '../protocol/count-text.ts'
import type { Role } from '../protocol/role.ts'
import type { SessionInfo } from '../session-api/session-api.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { recordedClock } from './session-clock.ts'

export interface RecordingContext {
  readonly seed: number
  readonly urls: ReadonlyMap<Role, string>
  /** Exchanges in flight: long ones are recorded before they end. */
  readonly underWay: TrafficLog['inFlight']
  readonly driver: () => ClockDriver
  readonly onWarning: (text: string) => void
}

/** Starts recording; throws a `Problem` when the file cannot be written. */
export async function startRecording(
  { recording, subject, protocol }: Configuration,
  { seed, urls, underWay, driver, onWarning }: RecordingContext,
): Promise<Recorder | undefined> {
  const { file, redact, unsafe, fsync, keepBinary } = recording
  if (file === undefined) return undefined
  const { createRecorder } = await import('../runtime/recording/recorder.ts')
  const { recordingName } = await import('../runtime/recording/recording-names.ts')
  const { loadRedactionKey: redactionKey } = await import('../runtime/recording/redaction-key.ts')
  const key = redact ? redactionKey() : undefined
  if (key && !key.ok) throw new Problem(key.error, 2)
  const { role, url } = subject
  const started = createRecorder({
    file,
    t0: Math.floor(driver().at()),
    createdAt: Math.floor(wallNow()),
    now: () => driver().at(),
    info: {
      name: recordingName(file),
      tool: `sparring/${buildVersion()}`,
      protocol: { name: protocol.name, version: protocol.version },
      parties: [
        ...Array.from(urls, ([each, base]) => ({ party: 'sparring', role: each, base })),
        ...(role ? [{ party: 'subject', role, ...compact({ base: url }) }] : []),
      ],
      seed,
      clock: recordedClock(driver()),
    },
    appender: { sync: fsync },
    keepBinary,
    underWay,
    ...(key ? { redact: true, key: key.value } : { redact: false, unsafe }),
  })
  if (!started.ok) throw new Problem(started.error, 2)
  const { earlierLines } = started.value
  if (earlierLines > 0)
    onWarning(
      `recording to ${file}: it goes on behind an earlier session (${pluralise(earlierLines, 'line')}), whose seed and addresses it keeps. Name another file, or a folder, for a recording of its own`,
    )
  return started.value
}

/** State of the recording for the session info. */
export function recordingInfo(recorder: Recorder | undefined): SessionInfo['recording'] {
  if (!recorder) return undefined
  const { written, problem } = recorder.stats()
  return { file: recorder.file, written, ...compact({ problem }) }
}
