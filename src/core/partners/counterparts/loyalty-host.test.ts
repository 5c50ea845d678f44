/** Behaviour profiles of the Loyalty host, without a session: processing time, suspensions, repeated events. */
import { expect, test } from 'vitest'
import {
  loyaltyTranscript,
  type LoyaltyTranscript,
  orderNotification,
} from '../../../../test/support/loyalty-transcript.ts'
import { loyaltyHost } from './loyalty-host.ts'
import { behaviourNames, type BehaviourName } from './behaviour.ts'

/** Runs this many completed orders of one customer, one a minute. */
function runOrders(behaviour: BehaviourName, orders: number): LoyaltyTranscript {
  const host = loyaltyTranscript({ reactors: [loyaltyHost(behaviour)] })
  for (let count = 0; count < orders; count++)
    host
      .given(orderNotification(`o-${count}`, 'open'), orderNotification(`o-${count}`, 'completed'))
      .pass(60_000)
  return host
}

const statuses = (host: LoyaltyTranscript): readonly string[] =>
  host.account().way.map(({ status }) => status)

/** How often each event was pushed again. */
function pushes(host: LoyaltyTranscript): readonly number[] {
  const counts = new Map<string, number>()
  for (const { fact } of host.engine.journal.after(0, 100_000))
    if (fact.kind === 'agenda.planned' && fact.item.command.kind === 'event.push') {
      const { eventId } = fact.item.command
      counts.set(eventId, (counts.get(eventId) ?? 0) + 1)
    }
  return [...counts.values()]
}

test('[LOY-ACC-03, LOY-ACC-04] a hostile host suspends and reactivates accounts; the others never do', () => {
  const hostile = runOrders('hostile', 60)
  const suspensions = statuses(hostile).filter((status) => status === 'SUSPENDED').length
  expect(suspensions).toBeGreaterThan(3)
  expect(statuses(hostile).at(-1)).toBe('ACTIVE')
  for (const behaviour of ['prompt', 'slow', 'forgetful'] as const)
    expect(statuses(runOrders(behaviour, 60))).toEqual(['ENROLLED', 'ACTIVE'])
})

test('a hostile host repeats events, each at most once; a prompt host never does', () => {
  expect(pushes(runOrders('prompt', 20))).toEqual([])
  const again = pushes(runOrders('hostile', 60))
  expect(again.length).toBeGreaterThan(20)
  expect(new Set(again)).toEqual(new Set([1]))
})

test.each(behaviourNames)('a %s host completes an accepted redemption', (behaviour) => {
  const host = runOrders(behaviour, 2)
  const { id: accountId } = host.account()
  host.given({ kind: 'loyalty.move-account', accountId, trigger: 'reactivation', force: true })
  host.given({ kind: 'loyalty.redeem', request: { accountId, rewardId: 'coffee' } })
  host.pass(behaviour === 'prompt' ? 150 : 60_000)
  expect(host.redemptions().map(({ status }) => status)).toEqual(['COMPLETED'])
})
