/**
 * HO-1. A V1 Ordering Application shows orders and events with all that V1 requires: its partners read no more than
 * that, and nothing else says what was ordered (fields.md, 4.3 and 4.5). Further fields are its own affair.
 */
import type { z } from 'zod'
import type { OperationId } from '../../../../protocol/catalogue.ts'
import { jsonProblemText } from '../../../../protocol/issue-text.ts'
import { textMember } from '../../../../protocol/unknown-record.ts'
import { V1Event } from '../../../../protocol/v1/bodies.ts'
import { V1Order } from '../../../../protocol/v1/order.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'

/** Deviations of one document that are reported. */
const maxProblems = 20

type Place = z.core.$ZodIssue['path']

/** The same member of each element counts once: `items.*.name`. */
const memberAt = (place: Place): string =>
  place.map((key) => (typeof key === 'number' ? '*' : String(key))).join('.')

interface Shown {
  readonly document: unknown
  readonly schema: z.ZodType
  readonly what: string
}

function compare(
  { document, schema, what }: Shown,
  { evidence, orderId }: ObservedExchange,
  report: InvariantReporter,
): void {
  report.premise()
  const read = schema.safeParse(document)
  for (const issue of read.error?.issues.slice(0, maxProblems) ?? [])
    report.failed({
      because: `The service shows ${what} without what V1 requires: ${jsonProblemText({ issues: [issue] }, document)}.`,
      evidence: [evidence],
      orderId,
      deduplicationKey: `${what.split(' ', 2).join(' ')} ${memberAt(issue.path)}`,
    })
}

const eventName = (event: unknown): string => {
  const eventType = textMember(event, 'eventType')
  return eventType === undefined ? 'an event' : `an event ${eventType.slice(0, 60)}`
}

const shownEvent = (document: unknown): Shown => ({
  document,
  schema: V1Event,
  what: eventName(document),
})

const read: OperationId = 'getOrder'

export const shownDocumentsAreWhole = defineInvariant({
  id: 'HO-1',
  name: 'shown-documents-are-whole',
  sentence: 'Must show orders and events with every field that V1 requires, each of its type.',
  remedy: 'Add the named field: a partner can neither prepare nor bill what it cannot read.',
  kind: 'safety',
  clauses: ['ORD-GEN-03', 'MIG-ORD-07', 'MIG-ORD-08'],
  premise: 'the service showed an order or an event',
  binds: ['ordering-application'],
  speaks: 'v1',
  calls: ['receiveOrderEvent'],
  call(_state, exchange, _tracker, report) {
    if (exchange.isFaulted) return
    const event = exchange.requestJson()
    compare(shownEvent(event), exchange, report)
  },
  answers: [read, 'pollingEvents'],
  answer(_state, exchange, _tracker, report) {
    if (!exchange.ok || exchange.isFaulted) return
    const body = exchange.responseJson()
    if (exchange.operation === read)
      compare({ document: body, schema: V1Order, what: 'an order' }, exchange, report)
    else if (Array.isArray(body))
      for (const event of body as readonly unknown[]) compare(shownEvent(event), exchange, report)
  },
})
