/**
 * Output file of an import: line file and lock of the session recorder, with backpressure. A new file is written in place,
 * so a crash leaves a truncated recording; a replacement is written to `.partial` and renamed on close.
 */
import { compact } from '../../compact.ts'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { type AppenderOptions, createAppender, realDisk } from '../../edge/recording/appender.ts'
import { lockFile } from '../../edge/recording/file-lock.ts'
import { openLineFile } from '../../edge/recording/line-file.ts'
import { lastPassProblem, replaceKnownInFile } from '../../edge/recording/replace-known-in-file.ts'
import { fileProblem } from '../../edge/files/file-problem.ts'
import { Problem, problem } from '../../problem.ts'
import type { Redactor } from '../../traffic/redaction/redactor.ts'

export interface RecordingOutput {
  readonly file: string
  /** Writes whole lines; resolves when few enough bytes are pending. */
  readonly write: (text: string) => Promise<void>
  /** Replaces what was recognised as a secret only behind the place where it stands; nothing is written after it. */
  readonly lastPass: (redactor: Redactor) => Promise<void>
  /** Flushes, and renames a replacement. */
  readonly close: () => Promise<void>
  /** Keeps the lines of a new file, if any; discards a replacement. Returns whether the written lines were kept. */
  readonly abort: () => Promise<boolean>
}

export interface RecordingOutputOptions {
  readonly file: string
  /** Replace an existing file. */
  readonly force: boolean
  readonly disk?: AppenderOptions['disk'] | undefined
}

/** Pending bytes above which `write` waits for a flush. */
const maxPendingBytes = 1024 * 1024

export function openRecordingOutput({
  file,
  force,
  disk,
}: RecordingOutputOptions): RecordingOutput {
  const attempted = `importing into ${file}`
  const replaces = existsSync(file)
  if (replaces && !force)
    throw problem(
      attempted,
      'it is there already',
      'Name another file with -o, or take its place with --force',
    )
  const target = replaces ? `${file}.partial` : file
  // The file to be replaced must not be in use by a recorder.
  const lock = replaces ? lockFile(file) : undefined
  if (lock && !lock.ok) throw new Problem(lock.error, 2)
  if (replaces) rmSync(target, { force: true })
  const opened = openLineFile(target)
  if (!opened.ok) {
    if (lock?.ok) lock.value.release()
    throw new Problem(opened.error, 2)
  }
  const appender = createAppender(opened.value, {
    maxPendingBytes: Number.MAX_SAFE_INTEGER,
    ...compact({ disk }),
  })

  function throwOnProblem(): void {
    const { problem: wrong } = appender.stats()
    if (wrong !== undefined) throw new Problem(wrong, 2)
  }

  return {
    file,
    async write(text) {
      if (text !== '') appender.append(text)
      if (appender.stats().pendingBytes < maxPendingBytes) return
      await appender.flush()
      throwOnProblem()
    },
    async lastPass(redactor) {
      if ((redactor.known?.secrets() ?? 0) === 0) return
      await appender.flush()
      throwOnProblem()
      try {
        await replaceKnownInFile(target, { redactor, disk: disk ?? realDisk })
      } catch (error) {
        throw new Problem(lastPassProblem(target, error), 2)
      }
    },
    async close() {
      await appender.flush()
      const { problem: wrong } = appender.stats()
      await appender.close()
      try {
        if (wrong !== undefined || appender.stats().dropped > 0)
          throw new Problem(wrong ?? `${attempted}: the disk did not take all of it`, 2)
        if (replaces) renameSync(target, file)
      } catch (error) {
        throw error instanceof Problem ? error : new Problem(fileProblem(attempted, error), 2)
      } finally {
        if (lock?.ok) lock.value.release()
      }
    },
    async abort() {
      await appender.close()
      if (lock?.ok) lock.value.release()
      const stays = !replaces && appender.stats().writtenBytes > 0
      if (!stays) rmSync(target, { force: true })
      return stays
    },
  }
}
