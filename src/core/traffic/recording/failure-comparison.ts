/** Compares the failures of a recording with those of its replay: each came again, is gone, or is new. */
import { compact } from '../../base/compact.ts'
import type { Difference } from './difference.ts'
import type { Exchange } from '../exchange.ts'
import { isUnknownRecord, textMember } from '../../protocol/unknown-record.ts'
import { tryParseJson } from '../json/try-parse-json.ts'
import { pluralise } from '../../protocol/count-text.ts'
import type { RecordedExchange } from './recorded-exchange.ts'
import type { DriverName, ReplayedExchange, ReplayReport } from './replay-report.ts'

/** `network` is a call without a whole reply: connection refused, reset, timeout. */
export const failureKinds = ['network', '5xx', '4xx'] as const
export type FailureKind = (typeof failureKinds)[number]

/** `other`: it fails in another way now. `unplayed`: the replay did not get that far. */
export const failureOutcomes = ['again', 'gone', 'other', 'new', 'unplayed'] as const
export type FailureOutcome = (typeof failureOutcomes)[number]

/** How one exchange failed. */
export interface FailedExchange {
  readonly kind: FailureKind
  /** 0 without a reply. */
  readonly status: number
  /** Of a network failure `ECONNREFUSED`; of an answer the code of its error: `ACCOUNT_NOT_FOUND`. */
  readonly code?: string
}

/** A failure of the recording or of the replay, or of both. */
export interface ComparedFailure {
  /** Index in the exchanges of the report. */
  readonly index: number
  readonly outcome: FailureOutcome
  readonly recorded?: FailedExchange
  readonly live?: FailedExchange
}

/** How often each outcome occurred, by the kind of the recorded failure; of the live one for `new`. */
export type FailureCounts = Readonly<
  Partial<Record<FailureOutcome, Readonly<Partial<Record<FailureKind, number>>>>>
>

type AnswerMembers = Pick<RecordedExchange, 'reply' | 'failure' | 'open'>

/**
 * Whether it is not known how the call was answered: it was still in flight at the end of its recording, or comes from a
 * collection, a pasted command or an archive that holds no answers.
 */
export const isAnswerUnknown = ({ reply, failure, open }: AnswerMembers): boolean =>
  !reply && (open === true || failure === undefined || failure.code === 'NO_REPLY')

const errorCodeIn = (body: unknown): string | undefined =>
  isUnknownRecord(body) ? textMember(body['error'], 'code') : undefined

/** How an exchange failed; undefined for one that succeeded, or whose answer is not known. */
export function failureOf(exchange: AnswerMembers): FailedExchange | undefined {
  const { reply, failure } = exchange
  if (isAnswerUnknown(exchange)) return undefined
  const status = reply?.status ?? 0
  if (!reply || failure) return { kind: 'network', status, ...compact({ code: failure?.code }) }
  if (status < 400) return undefined
  const code = errorCodeIn(tryParseJson(reply.body))
  return { kind: status >= 500 ? '5xx' : '4xx', status, ...compact({ code }) }
}

/** Whatever the code of a network failure is, there was no whole reply. */
const isSameFailure = (before: FailedExchange, now: FailedExchange): boolean =>
  before.kind === now.kind &&
  (now.kind === 'network' || (before.status === now.status && before.code === now.code))

/** Whether two exchanges failed in the same way. */
export function failAlike(recorded: AnswerMembers, live: AnswerMembers): boolean {
  const [before, now] = [failureOf(recorded), failureOf(live)]
  return before !== undefined && now !== undefined && isSameFailure(before, now)
}

/**
 * Whether a call that had no answer when it was recorded, or a 5xx, succeeds now: better behaviour is no difference to
 * be alarmed about. A recorded 4xx may have been right, so its success is one.
 */
export function isRecovered(recorded: RecordedExchange, live: Exchange): boolean {
  const before = failureOf(recorded)?.kind
  return (before === 'network' || before === '5xx') && failureOf(live) === undefined
}

/**
 * The standing that differences lead to. Another reply is no difference where the recorded call failed and succeeds
 * now, or where nothing is known of one of the two.
 */
export function standingOfDifferences(
  recorded: RecordedExchange,
  live: Exchange,
  differences: readonly Difference[],
): 'same' | 'noise' | 'gone' | 'changed' {
  const open = differences.filter(({ accepted }) => !accepted)
  if (open.length === 0) return differences.length > 0 ? 'noise' : 'same'
  if (open.some(({ side }) => side === 'request')) return 'changed'
  if (isAnswerUnknown(recorded) || isAnswerUnknown(live)) return 'noise'
  return isRecovered(recorded, live) ? 'gone' : 'changed'
}

const unplayedStandings: ReadonlySet<ReplayedExchange['standing']> = new Set([
  'blocked',
  'unresolved',
  'auth',
])

/** The failure of the replay. What the recording has no answer to is answered with an error by us. */
function liveFailureOf({ live, standing, strategy }: ReplayedExchange): FailedExchange | undefined {
  if (standing === 'unresolved' || strategy === 'miss') return undefined
  if (live) return failureOf(live)
  // Without a live exchange only an error tells that there was an attempt.
  return standing === 'error' ? { kind: 'network', status: 0 } : undefined
}

function outcomeOf(
  { standing, live }: ReplayedExchange,
  before: FailedExchange | undefined,
  now: FailedExchange | undefined,
  driver: DriverName,
): FailureOutcome | undefined {
  if (!before) return now && 'new'
  if (unplayedStandings.has(standing)) return 'unplayed'
  if (now) return isSameFailure(before, now) ? 'again' : 'other'
  // Playing by decisions, what failed need not be repeated; else a request that is noise was not sent.
  return !live && standing === 'noise' && driver !== 'partner' ? 'unplayed' : 'gone'
}

/** What a request and its retries have in common; undefined where it hands over no event. */
const retriedEvent = ({ operation, eventIds = [] }: Exchange): string | undefined =>
  operation === undefined || eventIds.length === 0
    ? undefined
    : `${operation} ${eventIds.join(' ')}`

/**
 * The failures of both sides, in the order of the report. Each recorded failure counts once, however often it is sent.
 */
export function compareFailures({
  exchanges,
  driver,
}: Pick<ReplayReport, 'exchanges' | 'driver'>): readonly ComparedFailure[] {
  const matched = new Set<string>()
  // Of a request that still fails the last retries may be left; they are not gone.
  const stillFailing = new Set(
    exchanges.flatMap((replayed) =>
      replayed.recorded && liveFailureOf(replayed) ? (retriedEvent(replayed.recorded) ?? []) : [],
    ),
  )
  return exchanges.flatMap((replayed, index) => {
    const { recorded, strategy } = replayed
    // An edited answer is neither a failure of the recording nor one of the service.
    if (strategy !== undefined && recorded?.edits) return []
    if (recorded && matched.has(recorded.recordId)) return []
    if (recorded) matched.add(recorded.recordId)
    const before = recorded && failureOf(recorded)
    const now = liveFailureOf(replayed)
    const found = outcomeOf(replayed, before, now, driver)
    const isLeft = recorded && !replayed.live && stillFailing.has(retriedEvent(recorded) ?? '')
    const outcome = found === 'gone' && isLeft ? 'unplayed' : found
    return outcome ? [{ index, outcome, ...compact({ recorded: before, live: now }) }] : []
  })
}

export function countFailures(failures: readonly ComparedFailure[]): FailureCounts {
  const counts: Partial<Record<FailureOutcome, Partial<Record<FailureKind, number>>>> = {}
  for (const { outcome, recorded, live } of failures) {
    const kind = (recorded ?? live)?.kind
    if (kind === undefined) continue
    const ofOutcome = (counts[outcome] ??= {})
    ofOutcome[kind] = (ofOutcome[kind] ?? 0) + 1
  }
  return counts
}

const kindTexts: Readonly<Record<FailureKind, string>> = {
  network: 'without an answer',
  '5xx': '5xx',
  '4xx': '4xx',
}

const outcomeTexts: Readonly<Record<Exclude<FailureOutcome, 'new'>, readonly [string, string]>> = {
  again: ['came again', 'came again'],
  gone: ['is gone', 'are gone'],
  other: ['fails in another way now', 'fail in another way now'],
  unplayed: ['was not reached', 'were not reached'],
}

const recordedOutcomes = ['again', 'gone', 'other', 'unplayed'] as const

/** `6 5xx, 1 without an answer` and the sum of it. */
function sumOf(counts: FailureCounts, outcome: FailureOutcome) {
  const kinds = counts[outcome] ?? {}
  const total = failureKinds.reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0)
  const text = failureKinds
    .flatMap((kind) => (kinds[kind] === undefined ? [] : [`${kinds[kind]} ${kindTexts[kind]}`]))
    .join(', ')
  return { total, text }
}

/**
 * What became of the failures, one sentence each for those of the recording and the new ones: `the 6 failures of the
 * recording came again (6 5xx)`. Empty when there were none.
 */
export function failureSentences(counts: FailureCounts): readonly string[] {
  const found = recordedOutcomes
    .map((outcome) => ({ outcome, ...sumOf(counts, outcome) }))
    .filter(({ total }) => total > 0)
  const all = found.reduce((sum, { total }) => sum + total, 0)
  const endOf = ({ outcome, total, text }: (typeof found)[number]): string =>
    `${outcomeTexts[outcome][total === 1 ? 0 : 1]} (${text})`
  const [only, ...others] = found
  const created = sumOf(counts, 'new')
  return [
    ...(only === undefined
      ? []
      : others.length === 0
        ? [`${all === 1 ? 'the failure' : `the ${all} failures`} of the recording ${endOf(only)}`]
        : [
            `of the ${all} failures of the recording ${found
              .map((each) => `${each.total} ${endOf(each)}`)
              .join(', ')}`,
          ]),
    ...(created.total === 0
      ? []
      : [
          `${pluralise(created.total, 'failure')} ${created.total === 1 ? 'is' : 'are'} new (${created.text})`,
        ]),
  ]
}
