/** Mistakes in the body of a request, and in the ids of its path. */
import type { World } from '../../../engine/world.ts'
import { type Mistake, unmetRequirementsLine } from '../mistake.ts'
import { invalidBodyText, noJsonText, type RefusedRequest } from './refused-request.ts'

/** What a client sends that filled no value into the path. */
const unfilled = /^(?:\{.*\}|%7B.*%7D|:\w+|undefined|null|NaN|\[object Object\]|<.*>)$/i

const shown = (text: string): string => text.slice(0, 100)

/** Orders that are looked through for a displayId. */
const maxSearched = 10_000

function orderByDisplayId(displayId: string, { ordering }: World): string | undefined {
  let searched = 0
  for (const [orderId, { order }] of ordering.orders) {
    if (order.displayId === displayId) return orderId
    if (++searched >= maxSearched) return undefined
  }
  return undefined
}

const eventOf = (id: string, { ordering }: World) =>
  ordering.events.get(ordering.eventIdByAlias.get(id) ?? id)

/** The line of a mistake with the order id of a request that was answered 404. */
const onlyUnknownOrder =
  (lineFor: (orderId: string, request: RefusedRequest) => string | undefined) =>
  (request: RefusedRequest): string | undefined => {
    const orderId = request.params['orderId']
    const isUnknown = request.refusal.code === 'NOT_FOUND' && orderId !== undefined
    return isUnknown ? lineFor(orderId, request) : undefined
  }

export const bodyAndIdMistakes: readonly Mistake<RefusedRequest>[] = [
  {
    name: 'refused-by-every-partner',
    lineFor: ({ refusal: { unmet } }) => unmet && unmetRequirementsLine(unmet, true),
  },
  {
    name: 'unfilled-path',
    clauses: ['ORD-OPS-04'],
    lineFor: ({ params }) => {
      const found = Object.entries(params).find(
        ([name, value]) => value === name || unfilled.test(value),
      )
      return found
        ? `the path has ${shown(found[1])} where a value belongs: fill in ${found[0]}, as the event names it`
        : undefined
    },
  },
  {
    name: 'event-id-as-order-id',
    clauses: ['ORD-OPS-04'],
    lineFor: onlyUnknownOrder((orderId, { world }) => {
      const event = eventOf(orderId, world)
      return event
        ? `${shown(orderId)} is the id of an event, ${event.eventType}: its order is ${event.orderId} (orderId of the event)`
        : undefined
    }),
  },
  {
    name: 'display-id-as-order-id',
    clauses: ['ORD-OPS-04'],
    lineFor: onlyUnknownOrder((displayId, { world }) => {
      const orderId = orderByDisplayId(displayId, world)
      return orderId === undefined
        ? undefined
        : `${shown(displayId)} is the displayId of an order: its id is ${orderId}`
    }),
  },
  {
    name: 'order-of-another-merchant',
    clauses: ['AUT-CRE-01'],
    lineFor: onlyUnknownOrder((orderId, { world }) => {
      const order = world.ordering.orders.get(orderId)?.order
      return order
        ? `the order belongs to the merchant ${order.merchant.id}, and these credentials are not for it: use those of an application, or of that merchant`
        : undefined
    }),
  },
  {
    name: 'unknown-order',
    clauses: ['ORD-OPS-04'],
    lineFor: onlyUnknownOrder((orderId, { world }) => {
      const { size } = world.ordering.orders
      const there =
        size === 0 ? 'there is none yet' : `sparring orders list shows the ${size} there are`
      return `there is no order ${shown(orderId)} in this session: ${there}; orders of an earlier session are gone`
    }),
  },
  {
    name: 'form-instead-of-json',
    clauses: ['TRN-CON-03', 'TRN-HDR-02'],
    lineFor: ({ row, refusal, body }) =>
      refusal.code === 'INVALID_PAYLOAD' &&
      row?.form !== true &&
      /^[\w.-]+=[^{}\s]*$/.test(body.trim())
        ? 'the body is a form, and bodies are JSON here: send a JSON object with Content-Type: application/json'
        : undefined,
  },
  {
    name: 'no-json',
    clauses: ['TRN-CON-03'],
    lineFor: ({ refusal }) =>
      refusal.message.startsWith(noJsonText)
        ? `${refusal.message}: send one JSON document, whole, with double quotes around names and texts`
        : undefined,
  },
  {
    name: 'acknowledgment-without-ids',
    clauses: ['ORD-OPS-02'],
    lineFor: ({ row, refusal }) =>
      row?.id === 'acknowledgeEvents' && refusal.message.startsWith(invalidBodyText)
        ? `${refusal.message}: send {"eventIds": ["…"]}, with the eventId of each event that a poll returned`
        : undefined,
  },
  {
    name: 'invalid-body',
    lineFor: ({ row, host, refusal }) =>
      row !== undefined && refusal.message.startsWith(invalidBodyText)
        ? `${refusal.message}: sparring schema openapi --role ${host} prints the shape of ${row.id}`
        : undefined,
  },
  {
    name: 'rate-limited',
    clauses: ['TRN-STA-10'],
    lineFor: ({ refusal }) =>
      refusal.code === 'RATE_LIMITED'
        ? `${refusal.message}: wait as long as Retry-After says before the next request`
        : undefined,
  },
]
