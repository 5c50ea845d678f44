/**
 * Checks of how a service receives events of its partner: CUS-MAP-04, CUS-FLW-07, CUS-PAY-03, CUS-TEN-05, CUS-EVT-02,
 * CUS-EVR-01.
 */
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { defineChecks, type Assertion } from '../check.ts'
import {
  answersOf,
  bodyValue,
  each,
  every,
  hasStatusClass,
  notice,
  observation,
  successful,
  type Test,
} from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { ofConsentLife } from './consent-life.ts'
import { ofLoyaltyLife } from './loyalty-life.ts'
import { loyaltyEventsOf, withoutRepetitions } from './records.ts'
import { entriesIn } from './assertions.ts'
import { application, served, ofCrm, ofApplication, ofCustomer } from './assertions.ts'
import { operationNamesIn } from '../transport/manifests.ts'
import { customerBlockIn, manifestsAt } from './manifest.ts'
import { containsText, recordsAt, servedAt, notesOf } from './records.ts'

const received = served(
  servedAt(
    'customer-events/identifier-only',
    'customer-events/receiveCustomerEventByBinding',
    'customer-events/receiveCustomerEvent',
  ),
)

const receivers = answersOf(
  'receiveCustomerEvent',
  'receiveCustomerEventByBinding',
  'receiveCustomerEventByFlow',
  'receiveLoyaltyEvent',
  'receiveLoyaltyEventByFlow',
)

/** 204 in the flow, 202 in the binding: both are right, another success is not (CUS-TEN-05). */
const isReceipt: Test<Observed> = ({ status }) => {
  if (status === 202 || status === 204) return undefined
  const text = `it answers ${status} to an event, not 202 or 204`
  return status >= 200 && status < 300 ? notice(text) : text
}

const declared = (trace: Trace, name: string): boolean =>
  manifestsAt(trace, 'customer-events/manifest').some(({ reply }) => {
    const block = customerBlockIn(reply)
    return block !== undefined && operationNamesIn(block).includes(name)
  })

/** A receiver that is declared answers. */
const declaredReceivers: Assertion = function* (trace) {
  const rows = [
    ['receiveCustomerEvent', 'customer-events/identifier-only'],
    ['receiveLoyaltyEvent', 'customer-events/receiveLoyaltyEvent'],
  ] as const
  for (const [name, step] of rows)
    if (declared(trace, name))
      for (const call of servedAt(step)(trace))
        yield observation([call], hasStatusClass(2)(call, trace))
}

/** A repeated event has no second effect: no second customer, and points are earned once. */
const hasOneEffect: Assertion = function* (trace) {
  for (const call of served(
    servedAt('customer-events/repeated', 'loyalty-accrual/completed-again'),
  )(trace))
    yield observation([call], hasStatusClass(2)(call, trace))
  for (const { text } of notesOf(trace, ['customer-events'], 'event-customer')) {
    const lists = trace.at('customer-events/after-repeated').filter(({ status }) => status === 200)
    const found = recordsAt(trace, 'customer-events/after-repeated', 'customer').filter(
      ({ record }) => containsText(record, text),
    )
    if (found.length > 0)
      yield observation(
        lists,
        found.length > 1 && 'it has two customers after an event that was repeated',
      )
  }
  const [earned] = trace.at('loyalty-accrual/completed-transactions')
  const [again] = trace.at('loyalty-accrual/repeated-transactions')
  const earnings = (observed: Observed): number =>
    entriesIn(observed.reply).filter(({ type }) => type === 'earn').length
  if (earned?.status === 200 && again?.status === 200)
    yield observation(
      [earned, again],
      earnings(again) > earnings(earned) &&
        earnings(earned) > 0 &&
        'it accrues points again after an event that was repeated',
    )
  for (const { text } of notesOf(trace, ['loyalty-accrual'], 'order-completed')) {
    const accruals = withoutRepetitions(loyaltyEventsOf(trace, 'loyalty.points_accrued')).filter(
      ({ event }) => containsText(event, text),
    )
    const opened = trace.at('loyalty-accrual/opened-transactions').at(-1)
    const last = again ?? earned
    const isMovedTwice =
      opened?.status === 200 && last?.status === 200 && earnings(last) - earnings(opened) > 1
    const accounts = accruals.map(({ event }) => bodyValue(event, '/payload/accountId'))
    if (accruals.length > 0 && accounts.every((id) => typeof id === 'string'))
      yield observation(
        accruals.map(({ observed }) => observed),
        new Set(accounts).size < accounts.length &&
          (isMovedTwice
            ? 'it accrues points twice for one order'
            : 'it announces the points of one order twice, with two event ids'),
      )
  }
}

/** The consent to marketing of the known customer, in the list of a step; undefined when it is not shown. */
function consentAt(
  trace: Trace,
  step: string,
  id: string,
): { observed: Observed; marketing: unknown } | undefined {
  for (const { observed, record } of recordsAt(trace, step, 'customer')) {
    const { consent } = record
    if (record['id'] === id && isUnknownRecord(consent))
      return { observed, marketing: consent['marketing'] }
  }
  return undefined
}

/** A withdrawal shows at once, and an older consent that comes later does not undo it. */
const withdrawalPrevails: Assertion = function* (trace) {
  const [out] = servedAt('customer-consents/opted-out')(trace)
  const [{ text: id } = { text: '' }] = notesOf(trace, ['customer-consents'], 'known-customer')
  if (!out || out.status >= 300) return
  for (const [step, when] of [
    ['after-opted-out', 'after the customer has opted out'],
    ['after-late-opted-in', 'after an older consent that came late'],
  ] as const) {
    const shown = consentAt(trace, `customer-consents/${step}`, id)
    if (shown)
      yield observation(
        [out, shown.observed],
        shown.marketing !== false &&
          `it shows the consent to marketing as ${String(shown.marketing)} ${when}`,
      )
  }
}

/** What a CRM says about an order leaves its status in Orders as it is. */
const statusStays: Assertion = function* (trace) {
  const [before] = trace.at('order-facts/before')
  const [after] = trace.at('order-facts/after')
  const accepted = served(servedAt('order-facts/order.canceled', 'order-facts/order.completed'))(
    trace,
  )
  const [was, is] = [before, after].map((observed) => bodyValue(observed?.reply, '/status'))
  if (before && after && accepted.length > 0 && was !== undefined)
    yield observation(
      [before, ...accepted, after],
      (is === 'CANCELLED' || is === 'DELIVERED' || is === 'CONCLUDED') &&
        `an event of a CRM has taken its order from ${JSON.stringify(was)} to ${is}`,
    )
}

export const eventReceiptChecks = defineChecks(
  { ...ofCustomer, procedures: ['customer-events'] },
  {
    'CUS-MAP-04': {
      assertion: declaredReceivers,
      remedy: 'Answer each event with success at the receivers that you declare.',
    },
    'CUS-FLW-07': {
      assertion: each(received, isReceipt),
      remedy: 'Answer a valid event with 204.',
    },
    'CUS-PAY-03': {
      assertion: each(received, isReceipt),
      remedy: 'Read the object event of the body, and answer with 202.',
    },
    'CUS-TEN-05': {
      assertion: every(each(received, isReceipt), each(successful(receivers), isReceipt)),
      remedy: 'Answer a valid event with 202 or 204.',
    },
    'CUS-EVT-02': {
      ...ofApplication,
      procedures: ['customer-events'],
      assertion: hasOneEffect,
      remedy: 'Find a repeated event by its id, answer it with success and do nothing again.',
    },
  },
  {
    'CUS-EVT-02': {
      ...ofCrm,
      procedures: ['customer-events', 'loyalty-accrual'],
      assertion: every(hasOneEffect, ofLoyaltyLife('CUS-EVT-02')),
      remedy:
        'Find a repeated event by its id, answer it with success, and move and announce nothing again.',
    },
    'CUS-EVR-01': {
      procedures: ['customer-consents'],
      assertion: every(withdrawalPrevails, ofConsentLife('CUS-EVR-01')),
      remedy: 'Apply customer.opted_out at once, and let no older consent undo it.',
    },
    'CUS-GEN-12': {
      roles: application,
      needs: ['customer', 'orders'],
      procedures: ['order-facts'],
      assertion: statusStays,
      remedy: 'Take events of a CRM for facts about a customer, never for a change of an order.',
    },
    'CUS-TEN-02': {
      roles: application,
      needs: ['orders'],
      procedures: ['order-facts'],
      assertion: each(
        (trace) => trace.at('order-facts/post-orders'),
        ({ status }) =>
          status >= 200 && status < 300 && 'it serves POST /orders below the base of Orders',
      ),
      remedy: 'Serve POST /orders below the base of Customer only.',
    },
    'CUS-GEN-08': {
      ...ofApplication,
      procedures: ['customer-events', 'customer-orders', 'customer-operations'],
      assertion: every(each(received, hasStatusClass(2)), function* (trace) {
        const pushed = trace.calls('ingestCustomer', 'upsertCustomers')
        const listed = trace
          .answers('getCustomers', 'listCustomers')
          .filter(({ status }) => status === 200)
        if (notesOf(trace, ['customer-orders'], 'order-created').length === 0) return
        yield observation(
          [...pushed, ...listed].slice(0, 3),
          pushed.length + listed.length > 0
            ? undefined
            : 'it neither pushes customers nor answers queries for them',
        )
      }),
      remedy: 'Push customers or serve queries for them, and accept the events of your CRM.',
    },
  },
)
