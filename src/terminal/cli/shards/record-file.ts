/** Appends records to a file as they come, so that killed work is resumed from it. */
import { resolve } from 'node:path'
import { Appender } from '../../../core/runtime/recording/appender.ts'
import { openLineFile } from '../../../core/runtime/recording/line-file.ts'
import { Problem } from '../../../core/base/problem.ts'

export interface RecordFile<Line> {
  readonly append: (line: Line) => void
  /** Writes the rest; returns the problem when not everything could be written. */
  readonly close: () => Promise<string | undefined>
}

/** Throws a problem when the file holds something else. `isResumed`: what it holds was read before. */
export function openRecordFile<Line extends object>(
  file: string,
  cwd: string,
  isResumed: boolean,
): RecordFile<Line> {
  const opened = openLineFile(resolve(cwd, file), {
    accept: (beginning) =>
      isResumed || beginning === ''
        ? undefined
        : 'it is there already. Continue it with --resume, or name another file',
  })
  if (!opened.ok) throw new Problem(`${opened.error}.`, 2)
  const appender = new Appender(opened.value)
  let isWhole = true
  return {
    append(line) {
      isWhole = appender.append(`${JSON.stringify(line)}\n`) && isWhole
    },
    async close() {
      await appender.flush()
      const { problem = 'the disk was too slow' } = appender.stats()
      await appender.close()
      return appender.stats().dropped > 0 || !isWhole
        ? `${problem}: the records in ${file} are not complete`
        : undefined
    },
  }
}
