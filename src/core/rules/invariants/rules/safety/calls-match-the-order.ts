/**
 * SE-9: what a call says of an order equals what GET returned: merchant, number, times, address; of amounts see SE-14.
 * Addresses are compared by the fields that both sides have, since formats differ.
 */
import { parseDateTime } from '../../../../protocol/date-time.ts'
import { readDeliveryPlaces } from '../../../../protocol/logistics/place.ts'
import { defineInvariant } from '../../invariant.ts'
import { valueAt, orderIdOfExchange, textAt } from '../../tracking/exchange-fields.ts'
import { atTimeOfDay, actionText, orderName } from '../../tracking/wording.ts'
import type { TrackedOrder } from '../../tracking/tracker-state.ts'

const normalized = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Equal, or one contains the other: a street with its number, a code without its dash. */
function resembles(one: string, other: string): boolean {
  const [shorter, longer] = [normalized(one), normalized(other)].toSorted(
    (a, b) => a.length - b.length,
  )
  return shorter !== undefined && longer !== undefined && longer.includes(shorter)
}

const identifyingFields = ['street', 'formattedAddress', 'postalCode'] as const

/** Whether no identifying field of two addresses matches. */
function isElsewhere(one: unknown, other: unknown): boolean {
  const both = identifyingFields.flatMap((field) => {
    const [here, there] = [textAt(one, field), textAt(other, field)]
    return here && there ? [[here, there] as const] : []
  })
  return both.length > 0 && both.every(([here, there]) => !resembles(here, there))
}

const differ = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && one !== other

/** Times of an order, as a delivery request and as GET name them. */
const sharedTimes = [
  [['preparationStartDateTime'], ['timing', 'preparationStartDateTime']],
  [['limitTimes', 'orderCreatedAt'], ['createdAt']],
] as const

const minuteMs = 60_000
const toTheMinute = 'yyyy-mm-ddThh:mm'.length
const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/i

/**
 * A time with the digits that GET returned and another offset: a local time was taken for UTC, or the other way round. One with other
 * digits may be what the store intends itself.
 */
function shiftedTime(body: unknown, document: unknown): string | undefined {
  for (const [sentAt, shownAt] of sharedTimes) {
    const [sent = '', shown = ''] = [textAt(body, ...sentAt), textAt(document, ...shownAt)]
    const [began, begins] = [parseDateTime(sent), parseDateTime(shown)]
    if (began === undefined || begins === undefined || !hasOffset.test(sent)) continue
    const isSameDigits = sent.slice(0, toTheMinute) === shown.slice(0, toTheMinute)
    if (isSameDigits && Math.abs(began - begins) >= minuteMs)
      return `${sentAt.join('.')} ${sent} instead of ${shown}`
  }
  return undefined
}

/** The first mismatch between a delivery request and GET, as text; undefined if there is none. */
function mismatchOf(body: unknown, order: TrackedOrder): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const document = order.lastSnapshot?.responseJson()
  const { dropoff, merchant } = readDeliveryPlaces(body as Readonly<Record<string, unknown>>)
  if (differ(merchant.id, textAt(document, 'merchant', 'id')))
    return `the merchant ${merchant.id} instead of ${textAt(document, 'merchant', 'id')}`
  const displayId = textAt(body, 'orderDisplayId') ?? textAt(body, 'displayId')
  if (differ(displayId, textAt(document, 'displayId')))
    return `the number ${displayId} instead of ${textAt(document, 'displayId')}`
  const address = valueAt(document, 'fulfillment', 'delivery', 'address')
  if (isElsewhere(dropoff.address, address))
    return `the address ${textAt(dropoff.address, 'street') ?? textAt(dropoff.address, 'postalCode')} instead of ${textAt(address, 'street') ?? textAt(address, 'postalCode')}`
  return shiftedTime(body, document)
}

/** The same for the pickup code. */
function wrongCode(body: unknown, order: TrackedOrder): string | undefined {
  const namedCode = textAt(body, 'pickupCode')
  // Most calls name none; this avoids parsing the order.
  if (namedCode === undefined) return undefined
  const code = textAt(order.lastSnapshot?.responseJson(), 'fulfillment', 'takeout', 'pickupCode')
  return differ(namedCode, code) ? `the pickup code ${namedCode} instead of ${code}` : undefined
}

export const callsMatchTheOrder = defineInvariant({
  id: 'SE-9',
  name: 'calls-match-the-order',
  sentence:
    'Must send the same data of an order as GET returned: merchant, number, times, address and pickup code.',
  remedy:
    'Copy these fields from the last GET of the order instead of building them from other data.',
  kind: 'safety',
  clauses: ['LOG-FLD-02', 'LOG-FLD-04', 'ORD-EVR-01'],
  premise: 'the service said something of an order that it had read',
  calls: ['createDelivery', 'setOrderReadyForPickup'],
  call(_state, observed, tracker, report) {
    const orderId = orderIdOfExchange(observed)
    const order = orderId === undefined ? undefined : tracker.orders.get(orderId)
    const body = observed.requestJson()
    if (!order?.lastSnapshot || order.lastSnapshot.ended > observed.began || body === undefined)
      return
    report.premise()
    const mismatch =
      observed.operation === 'createDelivery' ? mismatchOf(body, order) : wrongCode(body, order)
    if (mismatch === undefined) return
    report.failed({
      because: `The service ${actionText(observed, orderName(tracker, order.orderId))} ${atTimeOfDay(observed.began)} with other data than GET had returned (${atTimeOfDay(order.lastSnapshot.began)}): ${mismatch}.`,
      evidence: [order.lastSnapshot.evidence, observed.evidence],
      orderId: order.orderId,
      deduplicationKey: `${order.orderId} ${mismatch}`,
    })
  },
})
