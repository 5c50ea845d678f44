/**
 * What a message is about, in words: where a fault met it, and under which names it is counted. By content and cause, never
 * by how many came before it of everything else, so the same message has the same place in another run.
 */
import type { World } from '../world.ts'
import type { CheckedFault } from './fault.ts'
import type { CarriedEvent, Meeting } from './meeting.ts'
import { slotOf } from './world.ts'

/** What a meeting carries: its own event, or those of a poll or an acknowledgment. */
export const carried = (meeting: Meeting): readonly Partial<CarriedEvent>[] =>
  'events' in meeting && meeting.events.length > 0 ? meeting.events : [meeting]

/** The order and the event that a message is told by: those of the first event, where it carries several. */
function aboutOf(meeting: Meeting, { faults }: World): readonly string[] {
  const told = meeting.orderId === undefined ? carried(meeting)[0] : meeting
  const { orderId, eventType } = told ?? meeting
  return [
    ...(orderId === undefined ? [] : [slotOf(faults, orderId) ?? orderId]),
    ...(eventType === undefined ? [] : [eventType]),
  ]
}

/** As one who reads a list of faults would say it: `req(confirmOrder,o2)`, `req(pollingEvents,o1,CREATED)`. */
export function placeOf(meeting: Meeting, world: World): string {
  const about = aboutOf(meeting, world)
  switch (meeting.kind) {
    case 'handover':
      return `ev(${[...about, meeting.channel].join(',')})`
    case 'effect':
      return `effect(${[...about, meeting.trigger].join(',')})`
    case 'answer':
      return `req(${[meeting.operation, ...about].join(',')})`
    case 'call':
      return `call(${[meeting.operation, ...about].join(',')})`
    default:
      meeting satisfies never
      return ''
  }
}

/** Under which names a fault counts a message. */
export interface Keys {
  /** Those that are about the very same; for its draws. */
  readonly place: string
  /** Tries of the same call, whatever it would bring; for bursts. */
  readonly tries?: string
  /** Those of the same order, of whatever type; for the n-th. */
  readonly order?: string
}

export function keysOf(
  id: number,
  { anchor, burst }: CheckedFault,
  meeting: Meeting,
  place: string,
): Keys {
  const { kind, orderId = '' } = meeting
  const by = 'channel' in meeting ? meeting.channel : kind
  const tried = 'operation' in meeting && orderId === '' ? `tries of ${meeting.operation}` : place
  return {
    place: `${id}/${place}`,
    ...(burst === undefined ? {} : { tries: `${id}/${tried}` }),
    ...(anchor.nth === undefined ? {} : { order: `${id}/of ${orderId} by ${by}` }),
  }
}

/** Each of them once. */
export const allKeys = ({ place, tries, order }: Keys): readonly string[] => [
  place,
  ...(tries === undefined || tries === place ? [] : [tries]),
  ...(order === undefined ? [] : [order]),
]
