/**
 * Cause of a knowledge gap between both sides: the trace of the event that announces the status, and the reads meanwhile.
 * The first cause found wins: fault, manual edit, pending retry, poll, acknowledgment.
 */
import type { Instant } from '../engine/instant.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { RequestedCall, StatusRead } from './explain-calls.ts'
import {
  arrivals,
  type EventTrace,
  type HandoverAttempt,
  filteredOutText,
  firstAcknowledgment,
  abandonedText,
} from './explain-events.ts'
import type { OrderEvidence } from './explain-gather.ts'
import { atTime, endingText, lengthText, exchangeNumbers, seqOf } from './explain-words.ts'
import { timesText } from '../protocol/count-text.ts'

export interface OrderActivity {
  readonly events: readonly EventTrace[]
  readonly reads: readonly StatusRead[]
  readonly calls: readonly RequestedCall[]
}

export interface KnowledgeGap {
  readonly status: OrderStatus
  readonly from: Instant
  readonly until: Instant
}

export interface GapReason {
  readonly because: string
  /** An obstacle, not only ordinary latency. */
  readonly isObstructed: boolean
  readonly exchanges: readonly number[]
}

const editTexts: Readonly<Record<string, string>> = {
  'agenda.dropped': 'the operator dropped it',
  'agenda.held': 'the operator holds it',
  'agenda.delayed': 'the operator delayed it',
  'agenda.edited': 'the operator edited it',
}

const faultName = (id: number, { world }: OrderEvidence): string => {
  const fault = world.faults.live.get(id) ?? world.faults.over.get(id)
  return `fault ${id}${fault ? ` (${fault.text})` : ''}`
}

/** Why an event has not arrived, or only after the gap ended. */
function notArrivedReason(
  trace: EventTrace,
  gathered: OrderEvidence,
): Omit<GapReason, 'exchanges'> {
  const { eventId, eventType, distorted, byHand, abandoned, filteredOut } = trace
  const { world, other, lastPoll } = gathered
  const [later] = arrivals(trace)
  if (later) {
    const [met] = distorted
    const by = met ? `${faultName(met.faultId, gathered)} had ` : ''
    return stood(
      `${by}${eventType} arrive${met ? '' : 'd'} only ${atTime(later.at)} (#${seqOf(later.observed)})`,
    )
  }
  const droppedBy = distorted.find(({ left }) => left.length === 0)
  if (droppedBy) return stood(`${faultName(droppedBy.faultId, gathered)} dropped ${eventType}`)
  const edit = byHand.at(-1)
  if (edit) return stood(`${eventType} was not delivered: ${editTexts[edit.fact.kind] ?? ''}`)
  const met = distorted.at(-1)
  for (const { command, due, held } of world.agenda.byId.values())
    if ('eventId' in command && command.eventId === eventId) {
      const by = met ? `, by ${faultName(met.faultId, gathered)}` : ''
      return {
        because: `${eventType} is still on its way: ${held ? 'it is held back' : `due ${atTime(due)}`}${by}`,
        isObstructed: met !== undefined || held,
      }
    }
  if (filteredOut)
    return stood(`${filteredOutText(filteredOut)}, so ${eventType} counts as acknowledged`)
  if (abandoned)
    return stood(`${eventType} was given up ${atTime(abandoned.at)}: ${abandonedText(abandoned)}`)
  if (world.ordering.waiting.has(eventId))
    return stood(`${eventType} waits: ${other.name} has no valid manifest`)
  if (world.ordering.mailbox.has(eventId))
    return {
      because: `${eventType} is queued for polling, and ${other.name} ${lastPoll ? `polled last with #${lastPoll.seq}` : 'has never polled'}`,
      isObstructed: lastPoll === undefined,
    }
  return { because: `${eventType} never reached ${other.name}`, isObstructed: true }
}

const stood = (because: string): Omit<GapReason, 'exchanges'> => ({ because, isObstructed: true })

const isLate = ({ at: arrived }: HandoverAttempt, { from, until }: KnowledgeGap): boolean =>
  arrived - from > 1000 && arrived <= until + 1

/** Why an event that arrived was not acknowledged, or late. */
function notAcknowledgedReason(
  trace: EventTrace,
  ignorance: KnowledgeGap,
  gathered: OrderEvidence,
): Omit<GapReason, 'exchanges'> {
  const { eventType, acknowledgments, distorted, handings } = trace
  const { other } = gathered
  const came = arrivals(trace)
  const [first] = came
  if (first && isLate(first, ignorance)) {
    const met = distorted.at(-1)
    const lost = handings.filter(({ arrived }) => !arrived)
    const lag = lengthText(first.at - ignorance.from)
    if (met) return stood(`${faultName(met.faultId, gathered)} delayed ${eventType} by ${lag}`)
    if (lost[0])
      return stood(
        `${eventType} arrived ${lag} late: #${seqOf(lost[0].observed)} ended in ${endingText(lost[0].observed)}`,
      )
    if (trace.byHand.length > 0)
      return stood(`${eventType} arrived ${lag} late, by an operator action`)
  }
  const seqs = exchangeNumbers([...new Set(came.map(({ observed }) => seqOf(observed)))])
  const refused = came.find(({ channel, taken }) => channel === 'webhook' && !taken)
  if (refused)
    return stood(
      refused.observed.exchange.failure
        ? `${eventType} arrived (${seqs}), but ${endingText(refused.observed)}`
        : `${other.name} answered ${eventType} with ${endingText(refused.observed)} (${seqs})`,
    )
  const failed = acknowledgments.find(({ ok }) => !ok)
  if (failed)
    return stood(
      `the acknowledgment of ${eventType} (#${seqOf(failed.observed)}) ended in ${endingText(failed.observed)}`,
    )
  const handed = `${eventType} was delivered ${timesText(came.length)} (${seqs})`
  return acknowledgments.length === 0 && !firstAcknowledgment(trace)
    ? stood(`${handed}, and ${other.name} never acknowledged it`)
    : { because: `${handed}, and acknowledged later`, isObstructed: false }
}

/** Status reads of the other side during the gap. */
function readReason(
  reads: readonly StatusRead[],
  { from, until }: KnowledgeGap,
  gathered: OrderEvidence,
): GapReason {
  const { other } = gathered
  const meanwhile = reads.filter(({ observed }) => observed.ended > from && observed.ended < until)
  const failed = meanwhile.filter(({ observed }) => !observed.ok)
  const stale = meanwhile.find(({ status }) => status !== undefined)
  if (stale)
    return {
      because: `its GET #${seqOf(stale.observed)} still showed ${stale.status}`,
      isObstructed: true,
      exchanges: [seqOf(stale.observed)],
    }
  if (failed[0]) {
    const exchanges = failed.map(({ observed }) => seqOf(observed))
    const because = `its GET (${exchangeNumbers(exchanges)}) ended in ${endingText(failed[0].observed)}`
    return { because, isObstructed: true, exchanges }
  }
  // A V1 order has no status, and its last event may tell none.
  const silent = meanwhile[0]
  if (silent)
    return {
      because: `its GET #${seqOf(silent.observed)} showed no status`,
      isObstructed: false,
      exchanges: [seqOf(silent.observed)],
    }
  const before = reads.findLast(({ observed }) => observed.ok && observed.ended <= from)
  return {
    because: before
      ? `${other.name} has not read the order since #${seqOf(before.observed)} (${before.status ?? 'without a status'})`
      : `${other.name} had not read the order`,
    isObstructed: false,
    exchanges: before ? [seqOf(before.observed)] : [],
  }
}

export function gapReasonOf(
  gathered: OrderEvidence,
  activity: OrderActivity,
  ignorance: KnowledgeGap,
): GapReason {
  const { status, from } = ignorance
  const trace = activity.events.find(
    (each) => each.status === status && (each.emitted?.at ?? from) >= from,
  )
  const read = readReason(activity.reads, ignorance, gathered)
  if (!trace)
    return { ...read, because: `no event says ${status}, and ${read.because}`, isObstructed: true }
  const event = arrivals(trace).every((arrival) => arrival.at > ignorance.until)
    ? notArrivedReason(trace, gathered)
    : notAcknowledgedReason(trace, ignorance, gathered)
  const handed = trace.handings.map(({ observed }) => seqOf(observed))
  return {
    because: `${event.because}, and ${read.because}`,
    isObstructed: event.isObstructed || read.isObstructed,
    exchanges: [...handed, ...read.exchanges],
  }
}
