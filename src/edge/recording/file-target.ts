/** Recording target: a single file. Bodies stay inline; reopening appends at its end. */
import { compact } from '../../compact.ts'
import { formatEndLine, formatLine } from '../../traffic/recording/recording-lines.ts'
import { saltFromId } from '../../traffic/recording/line-ids.ts'
import { type Appender, type AppenderOptions, createAppender } from './appender.ts'
import type { LineFile } from './line-file.ts'
import type { RecordingFile } from './recording-file.ts'
import { sha256OfFile } from './recording-survey.ts'
import {
  type ClosingSummary,
  maxPendingTargetBytes,
  type RecordingTarget,
} from './recording-target.ts'

export interface RecordingEndOptions {
  readonly appender: Appender
  readonly target: LineFile
  readonly line: (sha256: string) => string
}

/** Appends the end line with the file's hash; skipped when not everything could be written or read back. */
export async function appendEndLine({
  appender,
  target,
  line,
}: RecordingEndOptions): Promise<void> {
  const { pendingBytes, writtenBytes } = appender.stats()
  if (pendingBytes > 0) return
  try {
    appender.append(line(await sha256OfFile(target.fd, target.size + writtenBytes)), 0)
  } catch {
    // A recording without an end line is readable, and known to be interrupted.
  }
}

export function createFileTarget(
  { target, header, t0, isNew, survey }: RecordingFile,
  options: AppenderOptions = {},
): RecordingTarget {
  const appender = createAppender(target, { ...options, delayMs: 0 })
  if (isNew) appender.append(formatLine(header), 0)

  async function close({ instant, seq, dropped }: ClosingSummary): Promise<void> {
    await appender.flush()
    const { written } = appender.stats()
    const line = (sha256: string): string =>
      formatEndLine({
        salt: saltFromId(header._rec.id),
        instant,
        seq: survey.seq + seq,
        http: survey.http + written,
        dropped: dropped(),
        sha256,
      })
    await appendEndLine({ appender, target, line })
    await appender.close()
  }

  return {
    header,
    t0,
    after: survey.seq,
    append: (line, exchanges) => void appender.append(line, exchanges),
    hasRoom: () => appender.stats().pendingBytes < maxPendingTargetBytes,
    blobs: () => undefined,
    flush: appender.flush,
    stats: () => {
      const { written, dropped, writtenBytes: bytes, problem } = appender.stats()
      return { written, dropped, bytes, ...compact({ problem }) }
    },
    close,
  }
}
