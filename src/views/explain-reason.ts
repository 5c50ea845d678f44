/**
 * Cause of a knowledge gap between both sides: the trace of the event that announces the status, and the reads meanwhile.
 * The first cause found wins: fault, manual edit, pending retry, poll, acknowledgment.
 */
import type { Instant } from '../engine/instant.ts'
import { projectedStatus } from '../invariants/tracking/progress.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { AskedCall, Read } from './explain-calls.ts'
import { arrivals, type EventFate, type Handing, takenBy } from './explain-events.ts'
import type { Gathered } from './explain-gather.ts'
import { at, ended, lasting, numbers, seqOf, times } from './explain-words.ts'

export interface Told {
  readonly fates: readonly EventFate[]
  readonly reads: readonly Read[]
  readonly calls: readonly AskedCall[]
}

export interface Ignorance {
  readonly status: OrderStatus
  readonly from: Instant
  readonly until: Instant
}

export interface Reason {
  readonly because: string
  /** An obstacle, not only ordinary latency. */
  readonly stood: boolean
  readonly exchanges: readonly number[]
}

const editTexts: Readonly<Record<string, string>> = {
  'agenda.dropped': 'somebody dropped it by hand',
  'agenda.held': 'somebody holds it back by hand',
  'agenda.delayed': 'somebody put it off by hand',
  'agenda.edited': 'somebody changed it by hand',
}

const faultName = (id: number, { world }: Gathered): string => {
  const fault = world.faults.live.get(id) ?? world.faults.over.get(id)
  return `fault ${id}${fault ? ` (${fault.text})` : ''}`
}

/** Why an event has not arrived, or only after the gap ended. */
function notArrivedReason(fate: EventFate, gathered: Gathered): Omit<Reason, 'exchanges'> {
  const { eventId, eventType, distorted, byHand, givenUp } = fate
  const { world, other, lastPoll } = gathered
  const [later] = arrivals(fate)
  if (later) {
    const [met] = distorted
    const by = met ? `${faultName(met.faultId, gathered)} had ` : ''
    return stood(
      `${by}${eventType} arrive${met ? '' : 'd'} only ${at(later.at)} (#${seqOf(later.seen)})`,
    )
  }
  const droppedBy = distorted.find(({ left }) => left.length === 0)
  if (droppedBy) return stood(`${faultName(droppedBy.faultId, gathered)} dropped ${eventType}`)
  const edit = byHand.at(-1)
  if (edit) return stood(`${eventType} was not handed over: ${editTexts[edit.fact.kind] ?? ''}`)
  const met = distorted.at(-1)
  for (const { command, due, held } of world.agenda.byId.values())
    if ('eventId' in command && command.eventId === eventId) {
      const by = met ? `, by ${faultName(met.faultId, gathered)}` : ''
      return {
        because: `${eventType} is still on its way: ${held ? 'it is held back' : `due ${at(due)}`}${by}`,
        stood: met !== undefined || held,
      }
    }
  if (givenUp) return stood(`${eventType} was given up ${at(givenUp.at)}: no try was taken`)
  if (world.ordering.waiting.has(eventId))
    return stood(`${eventType} waits: ${other.name} has no valid manifest`)
  if (world.ordering.mailbox.has(eventId))
    return {
      because: `${eventType} lies in the mailbox, and ${other.name} ${lastPoll ? `polled last with #${lastPoll.seq}` : 'has never polled'}`,
      stood: lastPoll === undefined,
    }
  return { because: `${eventType} never reached ${other.name}`, stood: true }
}

const stood = (because: string): Omit<Reason, 'exchanges'> => ({ because, stood: true })

const isLate = ({ at: arrived }: Handing, { from, until }: Ignorance): boolean =>
  arrived - from > 1000 && arrived <= until + 1

/** Why an event that arrived was not acknowledged, or late. */
function notAcknowledgedReason(
  fate: EventFate,
  ignorance: Ignorance,
  gathered: Gathered,
): Omit<Reason, 'exchanges'> {
  const { eventType, acknowledgments, distorted, handings } = fate
  const { other } = gathered
  const came = arrivals(fate)
  const [first] = came
  if (first && isLate(first, ignorance)) {
    const met = distorted.at(-1)
    const lost = handings.filter(({ arrived }) => !arrived)
    const lag = lasting(first.at - ignorance.from)
    if (met) return stood(`${faultName(met.faultId, gathered)} had ${eventType} arrive ${lag} late`)
    if (lost[0])
      return stood(
        `${eventType} arrived ${lag} late: #${seqOf(lost[0].seen)} ended in ${ended(lost[0].seen)}`,
      )
    if (fate.byHand.length > 0) return stood(`${eventType} arrived ${lag} late, by somebody’s hand`)
  }
  const seqs = numbers([...new Set(came.map(({ seen }) => seqOf(seen)))])
  const refused = came.find(({ channel, taken }) => channel === 'webhook' && !taken)
  if (refused)
    return stood(
      refused.seen.exchange.failure
        ? `${eventType} arrived (${seqs}), but ${ended(refused.seen)}`
        : `${other.name} answered ${eventType} with ${ended(refused.seen)} (${seqs})`,
    )
  const failed = acknowledgments.find(({ ok }) => !ok)
  if (failed)
    return stood(
      `the acknowledgment of ${eventType} (#${seqOf(failed.seen)}) ended in ${ended(failed.seen)}`,
    )
  const handed = `${eventType} was handed over ${times(came.length)} (${seqs})`
  return acknowledgments.length === 0 && !takenBy(fate)
    ? stood(`${handed}, and ${other.name} never acknowledged it`)
    : { because: `${handed}, and acknowledged later`, stood: false }
}

/** Status reads of the other side during the gap. */
function readReason(
  reads: readonly Read[],
  { from, until }: Ignorance,
  gathered: Gathered,
): Reason {
  const { other } = gathered
  const meanwhile = reads.filter(({ seen }) => seen.ended > from && seen.ended < until)
  const failed = meanwhile.filter(({ seen }) => !seen.ok)
  const stale = meanwhile.find(({ status }) => status !== undefined)
  if (stale)
    return {
      because: `its GET #${seqOf(stale.seen)} still showed ${stale.status}`,
      stood: true,
      exchanges: [seqOf(stale.seen)],
    }
  if (failed[0]) {
    const exchanges = failed.map(({ seen }) => seqOf(seen))
    const because = `its GET (${numbers(exchanges)}) ended in ${ended(failed[0].seen)}`
    return { because, stood: true, exchanges }
  }
  const before = reads.findLast(({ seen, status }) => status && seen.ended <= from)
  return {
    because: before
      ? `${other.name} has not read the order since #${seqOf(before.seen)} (${before.status})`
      : `${other.name} had not read the order`,
    stood: false,
    exchanges: before ? [seqOf(before.seen)] : [],
  }
}

export function reasonOf(gathered: Gathered, activity: Told, ignorance: Ignorance): Reason {
  const { status, from } = ignorance
  const fate = activity.fates.find(
    ({ eventType, emitted }) =>
      projectedStatus(eventType) === status && (emitted?.at ?? from) >= from,
  )
  const read = readReason(activity.reads, ignorance, gathered)
  if (!fate)
    return { ...read, because: `no event says ${status}, and ${read.because}`, stood: true }
  const event = arrivals(fate).every((arrival) => arrival.at > ignorance.until)
    ? notArrivedReason(fate, gathered)
    : notAcknowledgedReason(fate, ignorance, gathered)
  const handed = fate.handings.map(({ seen }) => seqOf(seen))
  return {
    because: `${event.because}, and ${read.because}`,
    stood: event.stood || read.stood,
    exchanges: [...handed, ...read.exchanges],
  }
}
