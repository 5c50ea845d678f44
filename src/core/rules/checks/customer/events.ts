/** Checks of the events of Customer that a service emits: CUS-EVT, REV-EVT, CUS-EVO, CUS-EVR-02. */
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { type Check, type Assertion } from '../check.ts'
import { every, observation } from '../assertion.ts'
import { perMessage } from '../live.ts'
import type { ObservedEvent } from '../trace.ts'
import { ofConsentLife } from './consent-life.ts'
import { customerEventsOf, payloadOf, eventSeq } from './records.ts'
import { ofCustomer } from './assertions.ts'
import { containsText, sharedRecords, notesOf } from './records.ts'
import { factIsAnnounced, facts, factProcedures } from './facts.ts'

const isMisspelt = (type: string): boolean =>
  type === 'order.cancelled' || type === 'order.delivered'

/** Events of orders in relationship context are spelt as the documents do. */
const spelling = perMessage(function* (trace) {
  for (const { observed, eventType = '' } of customerEventsOf(trace))
    if (eventType.startsWith('order.cancel'))
      yield observation(
        [observed],
        isMisspelt(eventType) && `it emits ${eventType}, not order.canceled`,
      )
})

/** A completion is not announced before its beginning, where both are. */
const completionFollows: Assertion = function* (trace) {
  const events = customerEventsOf(trace)
  for (const done of events.filter(({ eventType }) => eventType === 'order.completed')) {
    const { orderId } = payloadOf(done)
    if (typeof orderId !== 'string') continue
    const isOfOrder = ({ eventType, event }: ObservedEvent): boolean =>
      eventType === 'order.created' && containsText(event, orderId)
    const begun = events.find(isOfOrder)
    if (begun)
      yield observation(
        [begun.observed, done.observed],
        eventSeq(begun) < eventSeq(done)
          ? undefined
          : 'it emits order.completed before order.created of the same order',
      )
  }
}

const consentOf = (record: Readonly<Record<string, unknown>>): unknown =>
  isUnknownRecord(record['consent']) ? record['consent']['marketing'] : undefined

/** The next that it shows of the customer agrees with the consent that it has announced. */
const consentIsShown = (noteName: string, marketing: boolean): Assertion =>
  function* (trace) {
    const eventType = marketing ? 'customer.opted_in' : 'customer.opted_out'
    for (const note of notesOf(trace, factProcedures, noteName)) {
      const emitted = customerEventsOf(trace).find(
        (event) => event.eventType === eventType && eventSeq(event) > note.after,
      )
      if (!emitted) continue
      const shown = sharedRecords(trace, 'customer').find(
        ({ observed, record }) =>
          observed.exchange.seq > eventSeq(emitted) &&
          containsText(record, note.text) &&
          consentOf(record) !== undefined,
      )
      if (shown)
        yield observation(
          [emitted.observed, shown.observed],
          consentOf(shown.record) !== marketing &&
            `after ${eventType} it shows the consent to marketing as ${String(!marketing)}`,
        )
    }
  }

const furtherAssertions: Readonly<Record<string, Assertion>> = {
  'CUS-EVT-05': every(consentIsShown('opted-in', true), ofConsentLife('CUS-EVT-05')),
  'CUS-EVT-06': every(consentIsShown('opted-out', false), ofConsentLife('CUS-EVT-06')),
  'CUS-EVT-09': completionFollows,
  'CUS-EVT-10': spelling,
}

const factChecks = facts.map((row): Check => ({
  clauses: [row.clause],
  ...ofCustomer,
  procedures: row.procedures,
  assertion: every(factIsAnnounced(row), furtherAssertions[row.clause] ?? (() => [])),
  remedy: `Emit ${row.eventType} for each such fact of your side.`,
}))

export const eventChecks: readonly Check[] = factChecks
