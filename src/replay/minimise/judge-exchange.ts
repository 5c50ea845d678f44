/**
 * Judges a replayed exchange: when it ends, and again by other rules or once all are there and show what is noise.
 * While a replay runs, noise is recognised by the exchanges so far.
 */
import type { NameConflict } from '../../core/traffic/recording/binding.ts'
import type { Difference, Rule } from '../../core/traffic/recording/difference.ts'
import { type Exchange, type ExchangeReply, missingBytes } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { ReplayedExchange, ReplayReport } from '../../core/traffic/recording/replay-report.ts'
import { isBodyPlaceholder, isPlaceholder } from '../../core/traffic/redaction/pseudonyms.ts'
import {
  isAnswerUnknown,
  standingOfDifferences,
} from '../../core/traffic/recording/failure-comparison.ts'
import { type Standing, unremarkableStandings } from '../../core/traffic/recording/standing.ts'
import {
  compareExchanges,
  type ComparisonHistory,
  createMonotonicHistory,
} from '../difference/compare-exchanges.ts'
import { acceptNoise, type ComparedPair, withoutNoise } from '../difference/noise.ts'
import { createRuleBook } from '../difference/protocol-rules.ts'
import type { RuleBook } from '../difference/rule-book.ts'

/** Standings that follow from the differences alone. */
const comparisonStandings = new Set<Standing>(['same', 'noise', 'gone', 'changed'])

/** It was noise for a reason of its own, whatever differs. */
const isExcused = ({ standing, because }: ReplayedExchange): boolean =>
  standing === 'noise' && because !== undefined

function comparedPairOf({
  recorded,
  renamed,
  standing,
  differences,
}: ReplayedExchange): ComparedPair | undefined {
  if (!recorded || !renamed || !comparisonStandings.has(standing)) return undefined
  return { recorded, live: renamed, differences }
}

const openPlaces = (differences: readonly Difference[]): string =>
  differences
    .flatMap(({ accepted, side, where }) => (accepted ? [] : [`${side}${where}`]))
    .join(' ')

function withDifferences(
  replayed: ReplayedExchange,
  differences: readonly Difference[],
): ReplayedExchange {
  const { recorded, renamed } = replayed
  const isSame = openPlaces(differences) === openPlaces(replayed.differences)
  if (!recorded || !renamed || isSame || isExcused(replayed)) return { ...replayed, differences }
  return {
    ...replayed,
    differences,
    standing: standingOfDifferences(recorded, renamed, differences),
  }
}

/** The differences that other rules leave, and those that are not found by comparing the two messages. */
function comparedAgain(
  { recorded, live, differences }: ComparedPair,
  rules: RuleBook,
  history: ComparisonHistory,
): readonly Difference[] {
  const kept = differences.filter(({ accepted, rule }) => accepted && rule.from === 'default')
  const isKept = ({ side, where, kind }: Difference): boolean =>
    kept.some((each) => each.side === side && each.where === where && each.kind === kind)
  const again = compareExchanges(recorded, live, rules, history)
  return [...kept, ...again.filter((each) => !isKept(each))]
}

/** A result by other rules, and by what the history shows to be noise. */
export function rejudge(
  replayed: ReplayedExchange,
  rules: RuleBook,
  history: ComparisonHistory,
): ReplayedExchange {
  const pair = comparedPairOf(replayed)
  return pair ? withDifferences(replayed, comparedAgain(pair, rules, history)) : replayed
}

/** The results with what all of them together show to be noise. */
export function settleNoise(exchanges: readonly ReplayedExchange[]): readonly ReplayedExchange[] {
  const pairs = exchanges.flatMap((replayed) => {
    const pair = comparedPairOf(replayed)
    return pair ? [{ replayed, ...pair, differences: withoutNoise(pair.differences) }] : []
  })
  const accepted = acceptNoise(pairs)
  const settled = new Map(
    pairs.map(({ replayed }, index) => [
      replayed,
      withDifferences(replayed, accepted[index] ?? []),
    ]),
  )
  return exchanges.map((each) => settled.get(each) ?? each)
}

/** The report with other results for its exchanges, in the same order. */
function withExchanges(report: ReplayReport, exchanges: readonly ReplayedExchange[]): ReplayReport {
  const counts: Partial<Record<Standing, number>> = { ...report.counts }
  const add = (standing: Standing, by: number): void => {
    const count = (counts[standing] ?? 0) + by
    if (count > 0) counts[standing] = count
    else delete counts[standing]
  }
  for (const [index, { standing }] of exchanges.entries()) {
    add(report.exchanges[index]?.standing ?? standing, -1)
    add(standing, 1)
  }
  const first = exchanges.findIndex(({ standing }) => !unremarkableStandings.has(standing))
  const { first: _first, ...rest } = report
  return { ...rest, exchanges, counts, ...(first < 0 ? {} : { first }) }
}

/** The report of a replay that is over, with its noise. */
export const settleReport = (report: ReplayReport): ReplayReport =>
  withExchanges(report, settleNoise(report.exchanges))

/** The report by other rules. */
export function rejudgeReport(report: ReplayReport, rules: readonly Rule[]): ReplayReport {
  const book = createRuleBook(rules)
  const history = createMonotonicHistory()
  return settleReport(
    withExchanges(
      report,
      report.exchanges.map((each) => rejudge(each, book, history)),
    ),
  )
}

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

type Message = Pick<ExchangeReply, 'body' | 'wire'>

/** Why we did not send the body that was recorded; undefined where we did. */
export function unsentBodyText(recorded: Message, { body }: Message): string | undefined {
  const missing = missingBytes(recorded)
  if (missing === 0 && (body === undefined || !isPlaceholder(body))) return undefined
  const why =
    missing > 0
      ? `of ${missing} bytes is not in the recording, so none`
      : 'was replaced whole when it was recorded, so a placeholder'
  return `its body ${why} was sent: record with --raw to replay it`
}

/** Whether a reply refuses a request for its signature, as it says itself. */
export const refusesSignature = ({ reply }: Pick<Exchange, 'reply'>): boolean =>
  reply?.status === 401 && /signature|assinatura/i.test(reply.body ?? '')

export function judgeExchange({
  recorded,
  live,
  differences,
  conflicts,
}: JudgedExchange): Pick<ReplayedExchange, 'standing' | 'because'> {
  const { reply, failure } = live
  if (failure && live.fault !== undefined)
    return { standing: 'noise', because: `${failure.message} (${live.fault})` }
  // Where the recorded answer is not known, any answer is right, and none is not.
  const isUnanswered = isAnswerUnknown(recorded) && !isAnswerUnknown(live)
  if (!reply && (recorded.reply || isUnanswered))
    return { standing: 'error', because: failure?.message ?? 'there was no answer' }
  if (reply?.status === 401 && recorded.reply && recorded.reply.status !== 401)
    return {
      standing: 'auth',
      because: refusesSignature(live)
        ? 'it would not have our signature: the secret of the two has to be the same'
        : 'it would have neither our token nor another one',
    }
  if (wasFaulty(recorded) && differences.some(({ accepted }) => !accepted))
    return { standing: 'noise', because: `it was spoilt when it was recorded: ${recorded.fault}` }
  const isOurs = live.from.party === 'sparring' || isBodyPlaceholder(live.request.body)
  const unsent = isOurs && unsentBodyText(recorded.request, live.request)
  if (unsent && differences.some(({ accepted }) => !accepted))
    return { standing: 'noise', because: unsent }
  if (isAnswerUnknown(recorded) && reply)
    return {
      standing: 'noise',
      because: recorded.open
        ? 'it was still under way when the recording ended'
        : 'the recording does not hold its answer',
    }
  const [conflict] = conflicts
  if (conflict)
    return {
      standing: 'identity',
      because: `${conflict.kind} ${conflict.old} is ${conflict.new} now, and ${conflict.against} as well`,
    }
  return { standing: standingOfDifferences(recorded, live, differences) }
}
