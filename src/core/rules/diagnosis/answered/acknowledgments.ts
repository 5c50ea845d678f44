/** Acknowledgments that are answered and acknowledge nothing, or something else than was meant. */
import {
  type Acknowledgment,
  acknowledgedIds,
  otherEventNamed,
} from '../../../protocol/orders/acknowledgment.ts'
import { speaksV1 } from '../../../protocol/dialects/settings.ts'
import { firstFew } from '../mistake.ts'
import {
  type AnsweredRequest,
  eventsText,
  type AcceptedMistake,
  servedCall,
} from './answered-request.ts'

const againMs = 10_000

/** The ids of an acknowledgment, as the host has them. */
function namedIds({ input }: AnsweredRequest): readonly string[] {
  const { eventIdByAlias } = input.world.ordering
  return acknowledgedIds(input.body as Acknowledgment).map((id) => eventIdByAlias.get(id) ?? id)
}

const unknownIds = (acknowledgment: AnsweredRequest): readonly string[] =>
  namedIds(acknowledgment).filter((id) => !acknowledgment.input.world.ordering.events.has(id))

const acknowledgedNow = ({ facts }: AnsweredRequest): ReadonlySet<string> =>
  new Set(facts.flatMap((fact) => (fact.kind === 'events.acknowledged' ? fact.eventIds : [])))

/** Ids as a line shows them: a client may send anything. */
const shown = (ids: readonly string[]): string =>
  firstFew(
    ids.map((id) => (id.length > 40 ? `${id.slice(0, 40)}…` : id)),
    2,
  )

const whatItNames = 'an acknowledgment names the eventId of events that a poll returned'

export const acknowledgmentMistakes: readonly AcceptedMistake[] = [
  {
    name: 'acknowledges-an-order',
    clauses: ['ORD-OPS-02'],
    againMs,
    lineFor: (acknowledgment) => {
      const { orders, events } = acknowledgment.input.world.ordering
      const orderId = unknownIds(acknowledgment).find((id) => orders.has(id))
      if (orderId === undefined) return undefined
      const event = [...events.values()].find((each) => each.orderId === orderId)
      const instead = event ? `, such as ${event.eventId} for its ${event.eventType}` : ''
      return `${orderId} is the id of an order, not of an event: ${whatItNames}${instead}; the event comes again`
    },
  },
  {
    name: 'acknowledges-unknown-events',
    clauses: ['ORD-OPS-02'],
    againMs,
    lineFor: (acknowledgment) => {
      const unknown = unknownIds(acknowledgment)
      return unknown.length > 0
        ? `there is no event ${shown(unknown)}: ${whatItNames}; what was meant comes again`
        : undefined
    },
  },
  {
    name: 'acknowledges-as-another-event',
    clauses: ['ORD-OPS-02'],
    againMs,
    lineFor: (acknowledgment) => {
      const { body, settings, world } = acknowledgment.input
      if (!speaksV1(settings.conduct) || !Array.isArray(body)) return undefined
      const ids = namedIds(acknowledgment)
      for (const [index, entry] of body.entries()) {
        const event = world.ordering.events.get(ids[index] ?? '')
        const other = event && otherEventNamed(entry, event)
        if (event && other !== undefined)
          return `${event.eventId} is ${event.eventType} of order ${event.orderId}, and is acknowledged as ${other}: send back id, orderId and eventType as the event has them, since a partner may go by these`
      }
      return undefined
    },
  },
  {
    name: 'acknowledges-without-polling',
    clauses: ['ORD-OPS-02', 'ORD-CHN-02'],
    againMs: 'never',
    lineFor: ({ habits, input }) =>
      habits.polls === 0 && !input.settings.channels.webhook
        ? `events are acknowledged that no poll has returned: poll with ${servedCall(input, 'events.poll').text} first, and acknowledge what it returned`
        : undefined,
  },
  {
    name: 'acknowledges-again',
    clauses: ['ORD-OPS-02'],
    againMs,
    lineFor: (acknowledgment) => {
      const now = acknowledgedNow(acknowledgment)
      const again = namedIds(acknowledgment).filter((id) => !now.has(id))
      return again.length > 0
        ? `${eventsText(again.length)} of this acknowledgment ${again.length === 1 ? 'waits' : 'wait'} for none (${shown(again)}): acknowledged before, or not returned by a poll yet; once is enough`
        : undefined
    },
  },
]
