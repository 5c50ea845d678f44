// @module-tag slow
/** Services that are correct in another way: what the documents leave open fails no check of Indoor or Logistics. */
import { expect, test } from 'vitest'
import {
  certifyCounterpart,
  type CounterpartVariant,
} from '../../../test/support/certified-counterpart.ts'
import type { Role } from '../../core/protocol/role.ts'
import { indoorChecks, logisticsChecks } from '../../core/rules/checks/catalogue.ts'

const variants: readonly (readonly [what: string, role: Role, variant: CounterpartVariant])[] = [
  [
    'accounts without an id, as a summary, whose key stands for nothing once they are closed',
    'software-service',
    {
      conduct: {
        indoor: { usesAccountId: false, accountShape: 'summary', accountLookup: 'open-only' },
      },
    },
  ],
  [
    'accounts without an id, of which an operator brings about nothing',
    'software-service',
    { conduct: { indoor: { usesAccountId: false } } },
  ],
  [
    'no event that may be left out, an unlock in use refused, locked orders left alone',
    'software-service',
    {
      conduct: {
        indoor: {
          omittedEvents: ['ACCOUNT_ITEM_REMOVED', 'PAYMENT_UPDATED', 'ACCOUNT_UNLOCKED'],
          unlockInUse: 409,
          lockedOrder: 'ignore',
          fiscalOnClosed: 'never',
          eventDetails: 'data',
        },
        invalidTransition: { indoor: 422 },
      },
    },
  ],
  [
    'a slow store',
    'software-service',
    { counterparts: { 'software-service': { behaviour: 'slow', pollEvery: '10s' } } },
  ],
  [
    'account calls under the path of the account, payments as prices',
    'ordering-application',
    { conduct: { indoor: { accountPaths: 'scoped', paymentBody: 'price' } } },
  ],
  [
    'accounts named in bodies, events answered with 200',
    'ordering-application',
    { conduct: { indoor: { accountNaming: 'body', eventAnswer: 200 } } },
  ],
  [
    'tracking by reads, a cancel on the way accepted, no optional fields',
    'delivery-platform',
    {
      counterparts: { 'delivery-platform': { trackingMode: 'pull' } },
      conduct: {
        logistics: {
          cancelInTransit: 'cancel',
          receipts: 'empty',
          withheldFields: ['courier', 'price', 'eta', 'trackingUrl'],
        },
      },
    },
  ],
  [
    'one event for each change, with few fields; a cancel on the way fails the delivery',
    'delivery-platform',
    {
      conduct: {
        logistics: { eventNames: 'status', eventPayload: 'plain', cancelInTransit: 'fail' },
        passedTarget: 202,
      },
    },
  ],
  [
    'names of the documents only, a slow platform',
    'delivery-platform',
    {
      counterparts: { 'delivery-platform': { behaviour: 'slow' } },
      conduct: { logistics: { names: 'documents', receipts: 'delivery' } },
    },
  ],
  [
    'names of the public standard',
    'ordering-application',
    { conduct: { logistics: { names: 'standard' } } },
  ],
  [
    'names of the public standard',
    'software-service',
    { conduct: { logistics: { names: 'standard' } } },
  ],
]

/** A variant of the one alone leaves the other as it is. */
function checksOf({ conduct }: CounterpartVariant) {
  if (!conduct) return [...indoorChecks, ...logisticsChecks]
  return conduct.indoor ? indoorChecks : logisticsChecks
}

test.each(variants)('%s: no check of the %s fails', async (_, role, variant) => {
  const checks = checksOf(variant).filter(({ roles }) => roles.includes(role))
  const { results } = await certifyCounterpart({ role, checks, variant })
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  expect(failed.map(({ clause, problems }) => `${clause}: ${problems[0]?.text}`)).toEqual([])
  const passed = results.filter(({ outcome }) => outcome === 'passed')
  expect(passed.length).toBeGreaterThan(checks.length * 0.7)
})
