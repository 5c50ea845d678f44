/** Lines of an explanation: one sentence per fact, handover, acknowledgment, read, call and effect. */
import { assertNever } from '../protocol/result.ts'
import { formatDuration } from '../protocol/duration.ts'
import { fullRoleName } from '../protocol/role.ts'
import type { JournalEntry } from '../engine/journal.ts'
import type { StoryKind, StoryLine } from '../session-api/session-api.ts'
import type { RequestedCall, CallEffect, StatusRead } from './explain-calls.ts'
import {
  type FaultedHandover,
  type EventTrace,
  type HandoverAttempt,
  filteredOutText,
  abandonedText,
} from './explain-events.ts'
import { type OrderEvidence, hostStatusAt } from './explain-gather.ts'
import type { OrderActivity } from './explain-reason.ts'
import { serviceLines } from './explain-service.ts'
import { atTime, endingText, lengthText, ordinalText, seqOf } from './explain-words.ts'
import { commandText } from '../engine/command.ts'
import { timesText } from '../protocol/count-text.ts'

type Draft = Omit<StoryLine, 'exchanges'> & { readonly exchanges?: readonly number[] }

const line = (draft: Draft): StoryLine => ({ exchanges: [], ...draft })

const factLine = (
  { at: when, seq }: JournalEntry,
  kind: StoryKind,
  text: string,
  more: Partial<Draft> = {},
): StoryLine => line({ at: when, kind, text, fact: seq, ...more })

const byHand = ({ by }: JournalEntry): string => (by === 'operator' ? ', by hand' : '')

/** Changes by the host, and manual edits of the agenda. */
function hostLines(
  { facts, host, other, world }: OrderEvidence,
  ofCalls: ReadonlySet<JournalEntry>,
): readonly StoryLine[] {
  return facts.flatMap((entry): readonly StoryLine[] => {
    const { fact } = entry
    switch (fact.kind) {
      case 'order.created': {
        const { displayId, fulfillment, merchant } = fact.order
        const what = `${fulfillment.orderType} order ${displayId} of ${merchant.name ?? merchant.id}`
        return [factLine(entry, 'host', `${host.name} has a new ${what}`)]
      }
      case 'order.moved': {
        if (ofCalls.has(entry)) return []
        const forced = fact.forced ? ', forced' : ''
        const text = `${host.name} moves it by ${fact.trigger}: ${fact.from} > ${fact.to}`
        return [factLine(entry, 'host', `${text}${forced || byHand(entry)}`)]
      }
      case 'order.lapsed':
        return ofCalls.has(entry)
          ? []
          : [factLine(entry, 'host', `${fact.trigger} has no effect: it is ${fact.status}`)]
      case 'cancellation.answered':
        return ofCalls.has(entry)
          ? []
          : [
              factLine(
                entry,
                'host',
                `${host.name} answers the cancellation request: ${fact.answer}`,
              ),
            ]
      case 'ticket.stuck':
        return [factLine(entry, 'call', `${other.name} gives up waiting`, { odd: true })]
      case 'agenda.dropped':
      case 'agenda.held':
      case 'agenda.delayed':
      case 'agenda.released':
      case 'agenda.edited': {
        const did = fact.kind.slice('agenda.'.length)
        const what =
          'eventId' in fact.command ? 'the handover of an event' : commandText(fact.command, world)
        const odd = fact.kind === 'agenda.released' ? {} : { odd: true as const }
        return entry.by === 'operator'
          ? [factLine(entry, 'fault', `the operator ${did} ${what} (item ${fact.id})`, odd)]
          : []
      }
      default:
        return []
    }
  })
}

function remainingText({ left, fired }: FaultedHandover): string {
  if (left.length === 0) return 'it is not delivered there at all'
  const waiting = left.filter(({ wait }) => wait)
  const after = Math.max(...left.map(({ due }) => due)) - fired.at
  if (waiting.length === left.length) return 'it is held back until something else has happened'
  if (waiting.length > 0)
    return `it is delivered there, and ${timesText(waiting.length)} more when something else has happened`
  if (left.length === 1) return `it goes out after ${lengthText(after)}`
  const late = after >= 1000 ? `, the last time after ${lengthText(after)}` : ''
  return `it is delivered ${timesText(left.length)} there${late}`
}

const isHanded = ({ observed, arrived }: HandoverAttempt): boolean =>
  arrived && (observed.caller === 'subject' || observed.ok)

function handingLine(
  handing: HandoverAttempt,
  nth: number,
  { eventId, eventType }: EventTrace,
  { other }: OrderEvidence,
): StoryLine {
  const { at: when, channel, observed, arrived, taken } = handing
  const again = nth > 1 && arrived ? `, for the ${ordinalText(nth)} time` : ''
  const by = channel === 'polling' ? `poll #${seqOf(observed)}` : `webhook #${seqOf(observed)}`
  const odd = isHanded(handing) ? {} : { odd: true as const }
  const text = !arrived
    ? `${eventType} does not arrive by ${by}: ${endingText(observed)}`
    : channel === 'polling'
      ? `${eventType} reaches ${other.name} by ${by}${again}`
      : `${eventType} reaches ${other.name} by ${by}${again}, ${taken ? `and is accepted (${endingText(observed)})` : `and is not accepted: ${endingText(observed)}`}`
  return line({ at: when, kind: 'handover', text, exchanges: [seqOf(observed)], eventId, ...odd })
}

function eventLines(trace: EventTrace, gathered: OrderEvidence): readonly StoryLine[] {
  const { eventId, eventType, emitted, distorted, handings, acknowledgments } = trace
  const { abandoned, filteredOut } = trace
  const { host, other, world } = gathered
  const lines: StoryLine[] = []
  if (emitted) {
    const { fact } = emitted
    const from =
      fact.kind === 'event.announced' ? `the ${fullRoleName[fact.event.from]}` : host.name
    lines.push(factLine(emitted, 'event', `${from} announces ${eventType}`, { eventId }))
  }
  for (const each of distorted) {
    const fault = world.faults.live.get(each.faultId) ?? world.faults.over.get(each.faultId)
    const name = `fault ${each.faultId} (${fault?.text ?? each.name})`
    const text = `${name} acts on ${eventType}, by ${each.channel}: ${remainingText(each)}`
    lines.push(factLine(each.fired, 'fault', text, { eventId, odd: true }))
  }
  let nth = 0
  for (const handing of handings) {
    if (handing.arrived) nth++
    lines.push(handingLine(handing, nth, trace, gathered))
  }
  for (const { observed, ok } of acknowledgments)
    lines.push(
      line({
        at: observed.began,
        kind: 'acknowledgment',
        text: ok
          ? `${other.name} acknowledges ${eventType} (#${seqOf(observed)})`
          : `${other.name} would acknowledge ${eventType} (#${seqOf(observed)}): ${endingText(observed)}`,
        exchanges: [seqOf(observed)],
        eventId,
        ...(ok ? {} : { odd: true }),
      }),
    )
  if (filteredOut) {
    const { entry, poll } = filteredOut
    const text = `${filteredOutText(filteredOut)}: ${eventType} is not delivered, and counts as acknowledged`
    lines.push(
      factLine(entry, 'acknowledgment', text, {
        eventId,
        odd: true,
        ...(poll ? { exchanges: [seqOf(poll)] } : {}),
      }),
    )
  }
  if (abandoned)
    lines.push(
      factLine(abandoned, 'event', `${eventType} is given up: ${abandonedText(abandoned)}`, {
        eventId,
        odd: true,
      }),
    )
  return lines
}

function readLine({ observed, status }: StatusRead, gathered: OrderEvidence): StoryLine {
  const truth = hostStatusAt(gathered, observed.began)
  const isV1 = observed.exchange.operation === 'getOrderV1'
  const stale = !isV1 && status !== undefined && truth !== undefined && status !== truth
  const text = `${gathered.other.name} reads the order (#${seqOf(observed)}): ${status ?? endingText(observed)}`
  return line({
    at: observed.began,
    kind: 'read',
    text: stale ? `${text}, though it is ${truth}` : text,
    exchanges: [seqOf(observed)],
    ...(stale || !observed.ok ? { odd: true } : {}),
  })
}

function effectLine({ name, observed, accepted, effect }: RequestedCall): StoryLine | undefined {
  if (effect?.kind !== 'done' && effect?.kind !== 'lapsed') return undefined
  const { entry } = effect
  const { fact } = entry
  const after = accepted ? ` after ${lengthText(entry.at - accepted.at)}` : ''
  const what =
    fact.kind === 'order.moved'
      ? `${fact.from} > ${fact.to}`
      : fact.kind === 'cancellation.answered'
        ? fact.answer
        : fact.kind === 'order.lapsed'
          ? `it is ${fact.status}`
          : 'done'
  const text =
    effect.kind === 'lapsed'
      ? `${name} (#${seqOf(observed)}) has no effect${after}: ${what}`
      : `${name} (#${seqOf(observed)}) takes effect${after}: ${what}`
  return factLine(entry, 'effect', text, {
    exchanges: [seqOf(observed)],
    ...(effect.kind === 'lapsed' ? { odd: true } : {}),
  })
}

function effectText(effect: CallEffect | undefined, status: string | undefined): string {
  switch (effect?.kind) {
    case undefined:
      return ''
    case 'done':
    case 'lapsed':
      return ', accepted for later'
    case 'pending':
      return effect.held
        ? ', accepted, and its effect is held back'
        : `, accepted, and its effect is due ${atTime(effect.due)}`
    case 'repeated':
      return `, but it changes nothing: it is ${status ?? 'so'} already`
    case 'none':
      return ', accepted, and nothing has come of it'
    default:
      return assertNever(effect)
  }
}

function callLine(call: RequestedCall, gathered: OrderEvidence): StoryLine {
  const { observed, name, to, accepted, effect } = call
  const truth = hostStatusAt(gathered, observed.began)
  const target = to === gathered.host.role ? '' : ` at the ${fullRoleName[to]}`
  const hidden = accepted && !observed.ok ? ', but it was accepted all the same' : ''
  const text = `${gathered.other.name} calls ${name}${target} (#${seqOf(observed)}): ${endingText(observed)}${hidden || effectText(effect, truth)}`
  const odd = !observed.ok || effect?.kind === 'repeated' || effect?.kind === 'none'
  return line({
    at: observed.began,
    kind: 'call',
    text,
    exchanges: [seqOf(observed)],
    ...(odd ? { odd: true } : {}),
  })
}

/** Faults that hit the effect of an accepted call: `effect(o1,confirm)`. */
function effectFaults({ facts, world }: OrderEvidence): readonly StoryLine[] {
  return facts.flatMap((entry) => {
    const { fact } = entry
    if (fact.kind !== 'fault.fired' || !fact.on.startsWith('effect(')) return []
    const fault = world.faults.live.get(fact.id) ?? world.faults.over.get(fact.id)
    const left = facts.flatMap(({ cause, fact: each }) =>
      cause === entry.cause && each.kind === 'agenda.planned' ? [each.item] : [],
    )
    const [first] = left
    const became =
      first === undefined
        ? 'it will have none'
        : `it comes after ${formatDuration(first.due - entry.at)}`
    const text = `fault ${fact.id} (${fault?.text ?? fact.name}) acts on the effect of a call: ${became}`
    return [factLine(entry, 'fault', text, { odd: true })]
  })
}

/** Sort key at one instant: facts by `seq`, then exchanges. */
const sortKey = ({ fact, exchanges }: StoryLine): number =>
  fact === undefined ? factSeqLimit + Math.min(...exchanges) : fact

/** Offset above every fact `seq`. */
const factSeqLimit = 1e12

/** All lines, oldest first. */
export function storyLinesOf(
  gathered: OrderEvidence,
  { events: traces, reads, calls }: OrderActivity,
): readonly StoryLine[] {
  const ofCalls = new Set(
    calls.flatMap(({ effect }) =>
      effect?.kind === 'done' || effect?.kind === 'lapsed' ? [effect.entry] : [],
    ),
  )
  return [
    ...hostLines(gathered, ofCalls),
    ...traces.flatMap((trace) => eventLines(trace, gathered)),
    ...effectFaults(gathered),
    ...reads.map((read) => readLine(read, gathered)),
    ...calls.map((call) => callLine(call, gathered)),
    ...calls.flatMap((call) => effectLine(call) ?? []),
    ...serviceLines(gathered),
  ].toSorted((one, two) => one.at - two.at || sortKey(one) - sortKey(two))
}
