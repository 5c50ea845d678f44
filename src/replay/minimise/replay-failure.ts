/** What a replay proves about a failure that is looked for. */
import { eventTypeOf } from '../../core/traffic/recording/split-by-event.ts'
import { listFailures } from './failure-list.ts'
import { changesOf, isNothingCompared, isSameFailure, operationName } from './failure-signature.ts'
import { changesBefore } from './lanes.ts'
import { createOrderTimeline } from './order-timeline.ts'
import type {
  FailureSignature,
  ReplayedExchange,
  ReplayReport,
} from '../../core/traffic/recording/replay-report.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { TrialOutcome } from './minimise-options.ts'
import { statusClass } from '../../core/traffic/exchange.ts'

const isCompleted = (report: ReplayReport): boolean =>
  !report.interrupted && !isNothingCompared(report) && !report.exchanges.some(isInconclusive)

/** The live exchanges that could show the failure: the same operation, event and order. */
function relatedExchanges(
  report: ReplayReport,
  signature: { readonly operation: string; readonly event?: string; readonly order?: string },
): readonly ReplayedExchange[] {
  const { operation, event, order } = signature
  const { orderOf } = createOrderTimeline(report)
  return report.exchanges.filter(
    (each) =>
      each.live !== undefined &&
      operationName(each) === operation &&
      (event === undefined || eventTypeOf(each.recorded ?? each.live) === event) &&
      (order === undefined || orderOf(each) === order),
  )
}

/** Whether a replay without the failure shows that it is gone, and not only that its place was never reached. */
function provesAbsence(report: ReplayReport, signature: FailureSignature): boolean {
  const wasMade = (wanted: Parameters<typeof relatedExchanges>[1]): boolean =>
    relatedExchanges(report, wanted).some(({ live }) => [2, 3].includes(statusClass(live?.reply)))
  if (signature.kind === 'answer' && signature.by !== 'partner') return wasMade(signature)
  if (signature.kind === 'repeat') return isCompleted(report) && wasMade(signature)
  return isCompleted(report)
}

/**
 * `fail`: the same failure. `pass`: the replay came to the place of the failure, and it is gone. `unresolved`: it proves
 * nothing.
 */
export function failureOutcome(report: ReplayReport, signature: FailureSignature): TrialOutcome {
  if (isShownBy(report, signature)) return 'fail'
  return provesAbsence(report, signature) ? 'pass' : 'unresolved'
}

/** What the replay of the whole recording showed, to which parts of it are held. */
export interface WholeReplay {
  /** Status classes of the replies, by `recordId`. */
  readonly classes: ReadonlyMap<string, number>
  /** Calls that the recording does not have, by `extraKey`. */
  readonly extras: ReadonlySet<string>
  /** Places that differ, noise too, by `recordId`. */
  readonly changes?: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly recorded?: readonly RecordedExchange[]
}

const extraKey = (replayed: ReplayedExchange, order: string | undefined): string =>
  `${operationName(replayed)} ${order ?? ''}`

export function wholeReplayOf(report: ReplayReport): WholeReplay {
  const { orderOf } = createOrderTimeline(report)
  const classes = new Map<string, number>()
  const extras = new Set<string>()
  const changes = new Map<string, ReadonlyMap<string, string>>()
  for (const replayed of report.exchanges) {
    const { recorded, live, standing, differences } = replayed
    if (recorded && live) classes.set(recorded.recordId, statusClass(live?.reply))
    if (recorded) changes.set(recorded.recordId, changesOf(differences))
    if (standing === 'extra') extras.add(extraKey(replayed, orderOf(replayed)))
  }
  const recorded = report.exchanges.flatMap((each) => each.recorded ?? [])
  return { classes, extras, changes, recorded }
}

/** What is looked for in parts of a recording. */
export interface FailureSearch {
  readonly signature: FailureSignature
  /** `recordId` of the recorded exchange where it shows first. */
  readonly culprit: string
  readonly whole: WholeReplay
}

/** Also a call of the service that we refused: what it would have done is not known. */
const isInconclusive = ({ standing, live, strategy }: ReplayedExchange): boolean =>
  ['blocked', 'unresolved', 'auth', 'error'].includes(standing) ||
  (strategy === 'miss' && live?.reply?.status === 401)

/** A reply of another class than it was recorded, and than it was in the replay of the whole. */
function hasOtherReply({ recorded, live }: ReplayedExchange, whole: WholeReplay): boolean {
  if (!recorded?.reply || !live) return false
  const now = statusClass(live?.reply)
  return now !== statusClass(recorded.reply) && now !== whole.classes.get(recorded.recordId)
}

/**
 * The failing exchange differs for want of what was cut away: at a place where it did not in the replay of the whole, or
 * without the calls that its recorded answer comes of.
 */
function hasLostCause(
  { exchanges }: Pick<ReplayReport, 'exchanges'>,
  { signature, whole: { changes, recorded = [] } }: FailureSearch,
): boolean {
  if (signature.kind !== 'difference' || signature.exchange === undefined) return false
  const culprit = exchanges.find((each) => each.recorded?.recordId === signature.exchange)
  const before = changes?.get(signature.exchange)
  const read = recorded.find(({ recordId }) => recordId === signature.exchange)
  if (!culprit || !before || !read) return false
  const open = changesOf(culprit.differences.filter(({ accepted }) => !accepted))
  const left = new Set(exchanges.map((each) => each.recorded?.recordId))
  return (
    [...open.keys()].some((place) => !before.has(place)) ||
    changesBefore(recorded, read).some(({ recordId }) => !left.has(recordId))
  )
}

const isShownBy = (
  report: Pick<ReplayReport, 'exchanges' | 'failedRules' | 'map'>,
  signature: FailureSignature,
): boolean => {
  const exchange = signature.kind === 'difference' ? signature.exchange : undefined
  return listFailures(report).some(
    (each) =>
      isSameFailure(each.signature, signature) &&
      (exchange === undefined || each.places.some(({ recordId }) => recordId === exchange)),
  )
}

/**
 * Asked with each result of a replay: whether its outcome is known, so that the rest need not be replayed. A trial, which
 * is held to the whole, has no outcome either once something else goes wrong.
 */
export function createDecisiveTest({
  signature,
  culprit,
  whole,
}: Omit<FailureSearch, 'whole'> & Partial<Pick<FailureSearch, 'whole'>>) {
  const exchanges: ReplayedExchange[] = []
  let isCulpritPlayed = false
  return (replayed: ReplayedExchange): boolean => {
    exchanges.push(replayed)
    isCulpritPlayed ||= replayed.recorded?.recordId === culprit
    const isCulprit = replayed.recorded?.recordId === culprit
    if (isCulprit && signature.kind === 'answer' && signature.by !== 'partner') return true
    // A call of the subject may belong to an event that it has not answered yet.
    if (isCulpritPlayed && (signature.kind === 'answer' || signature.kind === 'repeat'))
      if (isShownBy({ exchanges, failedRules: [], map: [] }, signature)) return true
    return !isCulprit && !!whole && (isInconclusive(replayed) || hasOtherReply(replayed, whole))
  }
}

/**
 * Whether the service went off the course of the whole recording: a reply of another class, or a call whose answer was
 * cut away. The failure itself does not count. In a replay by decisions our state machine answers whatever the service
 * does, so a rule fails there or does not.
 */
function hasLeftRecording(report: ReplayReport, { signature, whole }: FailureSearch): boolean {
  if (report.driver === 'partner' && signature.kind === 'invariant') return false
  const { orderOf } = createOrderTimeline(report)
  const related = new Set(signature.kind === 'answer' ? relatedExchanges(report, signature) : [])
  return report.exchanges.some((replayed) =>
    replayed.standing === 'extra'
      ? report.driver !== 'partner' && !whole.extras.has(extraKey(replayed, orderOf(replayed)))
      : !related.has(replayed) && hasOtherReply(replayed, whole),
  )
}

/** The outcome of replaying a part: what left the course of the whole proves nothing. */
export const trialOutcome = (report: ReplayReport, looked: FailureSearch): TrialOutcome =>
  hasLeftRecording(report, looked) || hasLostCause(report, looked)
    ? 'unresolved'
    : failureOutcome(report, looked.signature)
