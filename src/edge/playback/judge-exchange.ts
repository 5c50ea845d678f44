/** Determines the status of one replayed exchange. */
import type { NameConflict } from '../../traffic/correlation/binding.ts'
import type { Difference } from '../../traffic/difference/difference.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { ReplayedExchange } from '../../traffic/replay/replay-report.ts'
import type { Standing } from '../../traffic/recording/standing.ts'

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
  const [conflict] = conflicts
  if (conflict)
    return {
      standing: 'identity',
      because: `${conflict.kind} ${conflict.old} is ${conflict.new} now, and ${conflict.against} as well`,
    }
  if (differences.some(({ accepted }) => !accepted)) return { standing: 'changed' }
  return { standing: differences.length > 0 ? 'noise' : 'same' }
}
