/** Appends the records of a campaign to a file as they come, so that a killed campaign is resumed. */
import { resolve } from 'node:path'
import { createAppender } from '../../edge/recording/appender.ts'
import { openLineFile } from '../../edge/recording/line-file.ts'
import type { CampaignRecord } from '../../exploration/campaign/campaign-record.ts'
import { Problem } from '../../problem.ts'
import type { CampaignHeader } from './record-schema.ts'

export interface RecordFile {
  readonly append: (line: CampaignHeader | CampaignRecord) => void
  /** Writes the rest; returns the problem when not everything could be written. */
  readonly close: () => Promise<string | undefined>
}

/** Throws a problem when the file holds something else. `isResumed`: it holds a campaign, which was read before. */
export function openRecordFile(file: string, cwd: string, isResumed: boolean): RecordFile {
  const opened = openLineFile(resolve(cwd, file), {
    accept: (beginning) =>
      isResumed || beginning === ''
        ? undefined
        : 'it is there already. Continue it with --resume, or name another file',
  })
  if (!opened.ok) throw new Problem(`${opened.error}.`, 2)
  const appender = createAppender(opened.value)
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
