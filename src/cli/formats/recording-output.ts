/**
 * The recording that an import writes: line by line through the same file as a session's recorder, under its lock, never
 * faster than the disk. A new file grows under its own name, so that what a crash leaves is a recording that broke off;
 * one that takes another's place does so when it is whole.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { type AppenderOptions, createAppender } from '../../edge/recording/appender.ts'
import { lockFile } from '../../edge/recording/file-lock.ts'
import { openLineFile } from '../../edge/recording/line-file.ts'
import { fileProblem } from '../../edge/files/file-problem.ts'
import { Problem, problem } from '../../problem.ts'

export interface RecordingOutput {
  readonly file: string
  /** Whole lines; resolves when the disk has caught up far enough. */
  readonly write: (text: string) => Promise<void>
  /** Everything is on the disk, and the file has its name. */
  readonly close: () => Promise<void>
  /**
   * Ends here: whole lines stay, if there are any; a file whose place was to be taken stays as it was. Answers whether what
   * was written is there.
   */
  readonly leave: () => Promise<boolean>
}

export interface OutputOptions {
  readonly file: string
  /** Takes the place of what is there. */
  readonly force: boolean
  readonly disk?: AppenderOptions['disk'] | undefined
}

/** What waits in memory before the disk is waited for. */
const mostAhead = 1024 * 1024

export function openOutput({ file, force, disk }: OutputOptions): RecordingOutput {
  const attempted = `importing into ${file}`
  const replaces = existsSync(file)
  if (replaces && !force)
    throw problem(
      attempted,
      'it is there already',
      'Name another file with -o, or take its place with --force',
    )
  const made = replaces ? `${file}.partial` : file
  // Nobody may be recording into what is to be replaced.
  const lock = replaces ? lockFile(file) : undefined
  if (lock && !lock.ok) throw new Problem(lock.error, 2)
  if (replaces) rmSync(made, { force: true })
  const opened = openLineFile(made)
  if (!opened.ok) {
    if (lock?.ok) lock.value.release()
    throw new Problem(opened.error, 2)
  }
  const appender = createAppender(opened.value, {
    mostPendingBytes: Number.MAX_SAFE_INTEGER,
    ...(disk ? { disk } : {}),
  })

  function check(): void {
    const { problem: wrong } = appender.stats()
    if (wrong !== undefined) throw new Problem(wrong, 2)
  }

  return {
    file,
    async write(text) {
      if (text !== '') appender.append(text)
      if (appender.stats().pendingBytes < mostAhead) return
      await appender.flush()
      check()
    },
    async close() {
      await appender.flush()
      const { problem: wrong } = appender.stats()
      await appender.close()
      try {
        if (wrong !== undefined || appender.stats().dropped > 0)
          throw new Problem(wrong ?? `${attempted}: the disk did not take all of it`, 2)
        if (replaces) renameSync(made, file)
      } catch (error) {
        throw error instanceof Problem ? error : new Problem(fileProblem(attempted, error), 2)
      } finally {
        if (lock?.ok) lock.value.release()
      }
    },
    async leave() {
      await appender.close()
      if (lock?.ok) lock.value.release()
      const stays = !replaces && appender.stats().writtenBytes > 0
      if (!stays) rmSync(made, { force: true })
      return stays
    },
  }
}
