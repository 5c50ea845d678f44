/** Determines the status of one replayed exchange. */
import type { NameConflict } from '../../core/traffic/recording/binding.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import { isBodyPlaceholder } from '../../core/traffic/redaction/pseudonyms.ts'
import { standingOfDifferences } from '../../core/traffic/recording/failure-comparison.ts'
import type { Standing } from '../../core/traffic/recording/standing.ts'

/** Result for a request that led to no exchange. */
export const failedReplay = (
  recorded: RecordedExchange,
  standing: Standing,
  because: string,
): ReplayedExchange => ({ standing, recorded, differences: [], because })

export interface JudgedExchange {
  readonly recorded: RecordedExchange
  readonly live: Exchange
  readonly differences: readonly Difference[]
  readonly conflicts: readonly NameConflict[]
}

/** A fault of ours disturbed the recorded exchange: that it succeeds now is no difference. */
const wasFaulty = ({ fault, reply, failure }: RecordedExchange): boolean =>
  fault !== undefined && (!reply || failure !== undefined || reply.status === 401)

export function judgeExchange({
  recorded,
  live,
  differences,
  conflicts,
}: JudgedExchange): Pick<ReplayedExchange, 'standing' | 'because'> {
  const { reply, failure } = live
  if (failure && live.fault !== undefined)
    return { standing: 'noise', because: `${failure.message} (${live.fault})` }
  if (!reply && recorded.reply)
    return { standing: 'error', because: failure?.message ?? 'there was no answer' }
  if (reply?.status === 401 && recorded.reply && recorded.reply.status !== 401)
    return { standing: 'auth', because: 'it would have neither our token nor another one' }
  if (wasFaulty(recorded) && differences.some(({ accepted }) => !accepted))
    return { standing: 'noise', because: `it was spoilt when it was recorded: ${recorded.fault}` }
  if (isBodyPlaceholder(live.request.body) && differences.some(({ accepted }) => !accepted))
    return {
      standing: 'noise',
      because:
        'its body was replaced whole when it was recorded, so a placeholder was sent: record with --raw to replay it',
    }
  if (recorded.open && reply)
    return { standing: 'noise', because: 'it was still under way when the recording ended' }
  const [conflict] = conflicts
  if (conflict)
    return {
      standing: 'identity',
      because: `${conflict.kind} ${conflict.old} is ${conflict.new} now, and ${conflict.against} as well`,
    }
  return { standing: standingOfDifferences(recorded, live, differences) }
}
