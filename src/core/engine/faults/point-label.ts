/**
 * Labels of fault points, and the tally keys under which a fault counts them. By content and cause, never by a count of
 * all earlier traffic, so the same message has the same label in another run.
 */
import type { World } from '../world.ts'
import type { CheckedFault } from './fault.ts'
import type { FaultPointEvent, FaultPoint } from './fault-point.ts'
import { slotOf } from './world.ts'

/** The events of a fault point: its own, or those of a poll or an acknowledgment. */
export const carriedEventsOf = (meeting: FaultPoint): readonly Partial<FaultPointEvent>[] =>
  'events' in meeting && meeting.events.length > 0 ? meeting.events : [meeting]

/** The order slot and event type in the label; of the first event, where there are several. */
function labelParts(meeting: FaultPoint, { faults }: World): readonly string[] {
  const labelled = meeting.orderId === undefined ? carriedEventsOf(meeting)[0] : meeting
  const { orderId, eventType } = labelled ?? meeting
  return [
    ...(orderId === undefined ? [] : [slotOf(faults, orderId) ?? orderId]),
    ...(eventType === undefined ? [] : [eventType]),
  ]
}

/** The label: `req(confirmOrder,o2)`, `req(pollingEvents,o1,CREATED)`. */
export function pointLabel(meeting: FaultPoint, world: World): string {
  const about = labelParts(meeting, world)
  switch (meeting.kind) {
    case 'handover':
      return `ev(${[...about, meeting.channel].join(',')})`
    case 'effect':
      return `effect(${[...about, meeting.trigger].join(',')})`
    case 'arrival':
      return `order(${meeting.arrival})`
    case 'answer':
      return `req(${[meeting.operation, ...about].join(',')})`
    case 'call':
      return `call(${[meeting.operation, ...about].join(',')})`
    default:
      meeting satisfies never
      return ''
  }
}

/** Tally keys of a fault for a message. */
export interface TallyKeys {
  /** Messages with the same label; for draws. */
  readonly place: string
  /** Attempts of the same call, whatever events it carries; for bursts. */
  readonly tries?: string
  /** The call is about no order, and is made again and again: a poll, an acknowledgment, a token. */
  readonly isPeriodic: boolean
  /** Messages of the same order, of any type; for nth. */
  readonly order?: string
}

export function tallyKeysOf(
  id: number,
  { anchor, burst }: CheckedFault,
  meeting: FaultPoint,
  place: string,
): TallyKeys {
  const { kind, orderId = '' } = meeting
  const source = 'channel' in meeting ? meeting.channel : kind
  const isPeriodic = 'operation' in meeting && orderId === ''
  const attemptsOf = isPeriodic ? `tries of ${meeting.operation}` : place
  return {
    place: `${id}/${place}`,
    isPeriodic,
    ...(burst === undefined ? {} : { tries: `${id}/${attemptsOf}` }),
    ...(anchor.nth === undefined
      ? {}
      : { order: kind === 'arrival' ? `${id}/orders` : `${id}/of ${orderId} by ${source}` }),
  }
}

/** The keys without duplicates. */
export const distinctTallyKeys = ({ place, tries, order }: TallyKeys): readonly string[] => [
  place,
  ...(tries === undefined || tries === place ? [] : [tries]),
  ...(order === undefined ? [] : [order]),
]
