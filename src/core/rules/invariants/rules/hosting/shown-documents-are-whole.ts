/**
 * HO-1. An Ordering Application shows orders and events with all that its generation of the protocol requires: its
 * partners read no more than that, and nothing else says what was ordered (fields.md, O1, O12, 4.3 and 4.5). Further
 * fields are its own affair.
 */
import type { z } from 'zod'
import type { ProtocolGeneration } from '../../../../protocol/dialects/settings.ts'
import { jsonProblemText, shortValue } from '../../../../protocol/issue-text.ts'
import { ShownOrderEvent } from '../../../../protocol/orders/event.ts'
import { Order } from '../../../../protocol/orders/order.ts'
import { textMember } from '../../../../protocol/unknown-record.ts'
import { V1Event } from '../../../../protocol/v1/bodies.ts'
import { V1Order } from '../../../../protocol/v1/order.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'

/** Deviations of one document that are reported. */
const maxProblems = 20

type Place = z.core.$ZodIssue['path']

/** The same member of each element counts once: `items.*.name`. */
const memberAt = (place: Place): string =>
  place.map((key) => (typeof key === 'number' ? '*' : String(key))).join('.')

/** What each generation requires. */
const required: Readonly<
  Record<ProtocolGeneration, { readonly order: z.ZodType; readonly event: z.ZodType }>
> = {
  v1: { order: V1Order, event: V1Event },
  v2: { order: Order, event: ShownOrderEvent },
}

/** The clauses of fields of V2, the more specific field first; V1 has none of its own. */
const clausesOfFields = [
  ['event.eventType', 'ORD-EVF-02'],
  ['event.orderURL', 'ORD-EVF-03'],
  ['event', 'ORD-EVF-01'],
  ['order.status', 'ORD-FLD-02'],
  ['order.fulfillment.orderType', 'ORD-FLD-04'],
  ['order.customer', 'ORD-FLD-06'],
  ['order.timing', 'ORD-FLD-07'],
  ['order.items.*.pricing', 'ORD-FLD-13'],
  ['order', 'ORD-OPS-04'],
] as const

const eventName = (event: unknown): string => {
  const eventType = textMember(event, 'eventType')
  return eventType === undefined ? 'an event' : `an event ${eventType.slice(0, 60)}`
}

function compare(
  [kind, document]: readonly ['order' | 'event', unknown],
  { evidence, orderId, bodyOrderId }: ObservedExchange,
  { settings }: TrackerState,
  report: InvariantReporter,
): void {
  report.premise()
  const { speaks } = settings.conduct
  const read = required[speaks][kind].safeParse(document)
  const what = kind === 'order' ? 'an order' : eventName(document)
  for (const issue of read.error?.issues.slice(0, maxProblems) ?? []) {
    const member = `${kind}.${memberAt(issue.path)}`
    report.failed({
      because: `The service shows ${what} without what ${speaks.toUpperCase()} requires: ${jsonProblemText({ issues: [issue] }, document)}.`,
      evidence: [evidence],
      orderId: orderId ?? bodyOrderId,
      deduplicationKey: member,
      clauses: clausesOfFields
        .filter(([field]) => speaks === 'v2' && `${member}.`.startsWith(`${field}.`))
        .slice(0, 1)
        .map(([, clause]) => clause),
    })
  }
}

/** The events of a poll that is answered with something else than their list are not found. */
function noList(
  body: unknown,
  { evidence }: ObservedExchange,
  { settings }: TrackerState,
  report: InvariantReporter,
): void {
  report.premise()
  const { speaks } = settings.conduct
  report.failed({
    because: `The service answers a poll with ${shortValue(body)}, where ${speaks.toUpperCase()} requires a list of events.`,
    evidence: [evidence],
    deduplicationKey: 'event list',
    clauses: speaks === 'v2' ? ['ORD-OPS-01'] : [],
  })
}

export const shownDocumentsAreWhole = defineInvariant({
  id: 'HO-1',
  name: 'shown-documents-are-whole',
  sentence:
    'Must show orders and events with every field that the protocol requires, each of its type.',
  remedy:
    'Send the named field, with a value of its type: a partner can neither follow, prepare nor bill what it cannot read.',
  kind: 'safety',
  clauses: [
    'ORD-OPS-01',
    'ORD-OPS-04',
    'ORD-EVF-01',
    'ORD-EVF-03',
    'ORD-FLD-06',
    'MIG-ORD-07',
    'MIG-ORD-08',
  ],
  premise: 'the service showed an order or an event',
  binds: ['ordering-application'],
  calls: ['receiveOrderEvent'],
  call(_state, exchange, tracker, report) {
    if (!exchange.isFaulted) compare(['event', exchange.requestJson()], exchange, tracker, report)
  },
  answers: ['getOrder', 'pollingEvents'],
  answer(_state, exchange, tracker, report) {
    if (!exchange.ok || exchange.isFaulted) return
    const body = exchange.responseJson()
    if (exchange.operation === 'getOrder') compare(['order', body], exchange, tracker, report)
    else if (Array.isArray(body))
      for (const event of body as readonly unknown[])
        compare(['event', event], exchange, tracker, report)
    else if (body !== undefined) noList(body, exchange, tracker, report)
  },
})
