/**
 * Splits between the two sides' views of an order. The other side knows only what it acknowledged or read, not what was
 * sent to it. Ordinary latency is no split: one is reported when it lasted, had an obstacle, or caused a call in vain.
 */
import { compact } from '../base/compact.ts'
import type { Instant } from '../engine/instant.ts'
import { speaksV1 } from '../protocol/dialects/settings.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { Split, StoryStep } from '../session-api/session-api.ts'
import type { RequestedCall } from './explain-calls.ts'
import { type EventTrace, firstAcknowledgment, refusals } from './explain-events.ts'
import type { OrderEvidence } from './explain-gather.ts'
import { gapReasonOf, type OrderActivity } from './explain-reason.ts'
import { exchangeNumbers, seqOf } from './explain-words.ts'

/** Statuses that the other side demonstrably knew, each with its first instant. */
export function knownStatuses({ events: traces, reads }: OrderActivity): readonly StoryStep[] {
  const steps: StoryStep[] = []
  for (const trace of traces) {
    const { status } = trace
    const taken = status && firstAcknowledgment(trace)
    if (status && taken) steps.push({ status, at: taken.at, exchange: seqOf(taken.observed) })
  }
  for (const { observed, status } of reads)
    if (status) steps.push({ status, at: observed.ended, exchange: seqOf(observed) })
  const first = new Map<OrderStatus, StoryStep>()
  for (const step of steps.toSorted((one, other) => one.at - other.at))
    if (!first.has(step.status)) first.set(step.status, step)
  return [...first.values()]
}

/**
 * The newest known status, by the order's history: an earlier status may be acknowledged after a newer one was read.
 */
export function newestKnown(
  known: readonly StoryStep[],
  host: readonly StoryStep[],
): StoryStep | undefined {
  const place = ({ status, at }: StoryStep): number =>
    host.findLastIndex((step) => step.status === status && step.at <= at)
  return known.toSorted((one, other) => place(one) - place(other) || one.at - other.at).at(-1)
}

/** The event of a status that the other side turned away and never took, with the last refusal. */
export function refusedEventOf(
  { status }: StoryStep,
  { events }: OrderActivity,
): { readonly trace: EventTrace; readonly at: Instant } | undefined {
  for (const trace of events) {
    const last = refusals(trace).at(-1)
    if (last && trace.status === status && !firstAcknowledgment(trace))
      return { trace, at: last.observed.ended }
  }
  return undefined
}

/** The event of a new order that was taken, where the other side neither read the order nor called anything for it. */
export function unreadEventOf(
  { status }: StoryStep,
  { events, reads, calls }: OrderActivity,
): EventTrace | undefined {
  if (status !== 'CREATED' || calls.length > 0 || reads.some(({ observed }) => observed.ok))
    return undefined
  return events.find((trace) => trace.status === status && firstAcknowledgment(trace))
}

/**
 * Whether the other side took a status since the host has it: a read within a webhook that it turned away is no proof.
 */
export function isConfirmed(step: StoryStep, activity: OrderActivity): boolean {
  const { status, at } = step
  if (unreadEventOf(step, activity)) return false
  const refusedAt = refusedEventOf(step, activity)?.at ?? Number.NEGATIVE_INFINITY
  return (
    activity.events.some((trace) => {
      const taken = firstAcknowledgment(trace)
      return taken && taken.at >= at && trace.status === status
    }) ||
    activity.reads.some(
      ({ observed, status: shown }) =>
        shown === status && observed.ended >= at && observed.ended > refusedAt,
    )
  )
}

/** A lag above this, in ms, may be reported without a call in vain. */
const longLagMs = 10_000

/** Period from a status of the host until the other side knew it or a later one. */
interface KnowledgePeriod {
  readonly status: OrderStatus
  readonly from: Instant
  readonly to: Instant | undefined
}

function periodsOf(
  host: readonly StoryStep[],
  known: readonly StoryStep[],
): readonly KnowledgePeriod[] {
  return host.map(({ status, at }, index) => {
    const later = new Set(host.slice(index).map((step) => step.status))
    const moments = known.filter((step) => later.has(step.status) && step.at >= at)
    const [first] = moments.toSorted((one, other) => one.at - other.at)
    return { status, from: at, to: first?.at }
  })
}

/** HTTP statuses that refuse the request itself, not its credentials. */
const requestRefusals: ReadonlySet<number> = new Set([400, 404, 409, 422])

/** A call without effect because the host's status had changed. */
const isInVain = ({ observed, asked, effect, accepted }: RequestedCall): boolean =>
  asked !== undefined &&
  !observed.isFaulted &&
  ((requestRefusals.has(observed.status) && !accepted) || effect?.kind === 'lapsed')

/** CONCLUDED after a known final status need not be known. */
const isNews = ({ status }: KnowledgePeriod, known: readonly StoryStep[]): boolean =>
  status !== 'CONCLUDED' ||
  !known.some((step) => step.status === 'DELIVERED' || step.status === 'CANCELLED')

export function splitsOf(
  gathered: OrderEvidence,
  activity: OrderActivity,
  host: readonly StoryStep[],
  known: readonly StoryStep[],
): readonly Split[] {
  const { other, now, settings, wholeSince = -Infinity } = gathered
  const isV1 = speaksV1(settings.conduct)
  const hostName = gathered.host.name
  const splits: Split[] = []
  for (const period of periodsOf(host, known)) {
    const { status, from, to } = period
    if (to === from || from < wholeSince || !isNews(period, known)) continue
    // A V1 order has no status: nothing shows a step that no event announces.
    if (isV1 && !activity.events.some((each) => each.status === status)) continue
    const until = to ?? now
    const last = splits.at(-1)
    // Periods that end with the same news are one split, with the cause of the first.
    if (last && last.to === to && from <= (last.to ?? now)) continue
    const callsInVain = activity.calls.filter(
      (call) => isInVain(call) && call.observed.began >= from && call.observed.began <= until,
    )
    const reason = gapReasonOf(gathered, activity, { status, from, until })
    const isReported =
      callsInVain.length > 0 || (until - from > longLagMs && (reason.isObstructed || !to))
    if (!isReported && !(reason.isObstructed && !to)) continue
    const seqs = callsInVain.map(({ observed }) => seqOf(observed))
    const meanwhile =
      callsInVain.length > 0
        ? `; meanwhile it called ${[...new Set(callsInVain.map(({ name }) => name))].join(', ')} without success (${exchangeNumbers(seqs)})`
        : ''
    splits.push({
      from,
      ...compact({ to }),
      text: `${hostName} had it ${status}, and ${other.name} did not know${to === undefined ? ', nor does it yet' : ''}${meanwhile}`,
      because: reason.because,
      exchanges: [...new Set([...reason.exchanges, ...seqs])].toSorted((a, b) => a - b),
    })
  }
  return splits
}
