/** Recording target: a single file. Bodies stay inline; reopening appends at its end. */
import { compact } from '../../base/compact.ts'
import { createHash, type Hash } from 'node:crypto'
import {
  type EndLineOptions,
  formatEndLine,
  formatLine,
} from '../../traffic/recording/recording-lines.ts'
import { saltFromId } from '../../traffic/recording/line-ids.ts'
import { type AppenderOptions, Appender, realDisk } from './appender.ts'
import type { LineFile } from './line-file.ts'
import type { RecordingFile } from './recording-file.ts'
import { sha256OfFile } from './recording-survey.ts'
import { lastPassProblem, replaceKnownInFile } from './replace-known-in-file.ts'
import {
  type ClosingSummary,
  maxPendingTargetBytes,
  type RecordingTarget,
} from './recording-target.ts'

/** Appends the end line with the file's hash; skipped when not everything could be written or read back. */
export async function appendEndLine(
  { appender, target }: { readonly appender: Appender; readonly target: LineFile },
  end: Omit<EndLineOptions, 'sha256'>,
  /** Of what was appended; needed where nothing can be read back. */
  hash?: Hash,
): Promise<void> {
  const { pendingBytes, writtenBytes } = appender.stats()
  if (pendingBytes > 0) return
  try {
    const sha256 =
      hash?.digest('hex') ?? (await sha256OfFile(target.fd, target.size + writtenBytes))
    appender.append(formatEndLine({ ...end, sha256 }), 0)
  } catch {
    // A recording without an end line is readable, and known to be interrupted.
  }
}

const lateSecretProblem = (file: string): string =>
  `recording to ${file}: a secret was recognised after something that may hold it was written, and nothing can be ` +
  'replaced there. Record to a file, where it is'

export function createFileTarget(
  { target, header, t0, isNew, survey }: RecordingFile,
  options: AppenderOptions = {},
): RecordingTarget {
  const appender = new Appender(target, { ...options, delayMs: 0 })
  const hash = target.path === undefined ? createHash('sha256') : undefined
  function append(line: string, exchanges: number): void {
    if (appender.append(line, exchanges)) hash?.update(line)
  }
  if (isNew) append(formatLine(header), 0)

  let problem: string | undefined

  async function close({ instant, seq, dropped, lastPass }: ClosingSummary): Promise<void> {
    await appender.flush()
    const end = {
      salt: saltFromId(header._rec.id),
      instant,
      seq: survey.seq + seq,
      http: survey.http + appender.stats().written,
      dropped: dropped(),
    }
    await appendEndLine({ appender, target }, end, hash)
    await appender.flush()
    try {
      const { disk = realDisk } = options
      const { file, path } = target
      if (lastPass && path === undefined) problem = lateSecretProblem(file)
      else if (lastPass && path !== undefined) await replaceKnownInFile(path, { ...lastPass, disk })
    } catch (error) {
      problem = lastPassProblem(target.file, error)
    }
    await appender.close()
  }

  return {
    header,
    t0,
    after: survey.seq,
    append,
    catchUp: (before) => appender.catchUp(before),
    hasRoom: () => appender.stats().pendingBytes < maxPendingTargetBytes,
    blobs: () => undefined,
    flush: () => appender.flush(),
    stats: () => {
      const { written, dropped, writtenBytes: bytes, problem: writing } = appender.stats()
      return { written, dropped, bytes, ...compact({ problem: problem ?? writing }) }
    },
    position: () => {
      const { writtenBytes, pendingBytes } = appender.stats()
      return target.size + writtenBytes + pendingBytes
    },
    close,
  }
}
