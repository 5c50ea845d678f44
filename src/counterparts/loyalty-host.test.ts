/** The moods of a Loyalty host, without a session: how long it takes, whom it suspends, what it says twice. */
import { expect, test } from 'vitest'
import { loyaltyTold, type LoyaltyTold, news } from '../../test/support/loyalty-transcript.ts'
import { loyaltyHost } from './loyalty-host.ts'
import { temperamentNames, type TemperamentName } from './temperament.ts'

/** A day of completed orders, all of one customer’s. */
function lived(mood: TemperamentName, orders: number): LoyaltyTold {
  const told = loyaltyTold({ reactors: [loyaltyHost(mood)] })
  for (let count = 0; count < orders; count++)
    told.given(news(`o-${count}`, 'open'), news(`o-${count}`, 'completed')).pass(60_000)
  return told
}

const statuses = (told: LoyaltyTold): readonly string[] =>
  told.account().way.map(({ status }) => status)

/** How often each event was handed over. */
function pushes(told: LoyaltyTold): readonly number[] {
  const counts = new Map<string, number>()
  for (const { fact } of told.engine.journal.after(0, 100_000))
    if (fact.kind === 'agenda.planned' && fact.item.command.kind === 'event.push') {
      const { eventId } = fact.item.command
      counts.set(eventId, (counts.get(eventId) ?? 0) + 1)
    }
  return [...counts.values()]
}

test('[LOY-ACC-03, LOY-ACC-04] a hostile host suspends now and then, and takes it back; the others never do', () => {
  const hostile = lived('hostile', 60)
  const suspensions = statuses(hostile).filter((status) => status === 'SUSPENDED').length
  expect(suspensions).toBeGreaterThan(3)
  expect(statuses(hostile).at(-1)).toBe('ACTIVE')
  for (const mood of ['prompt', 'slow', 'forgetful'] as const)
    expect(statuses(lived(mood, 60))).toEqual(['ENROLLED', 'ACTIVE'])
})

test('some hosts hand an event over once more; what comes once more is the same event', () => {
  expect(pushes(lived('prompt', 20))).toEqual([])
  const again = pushes(lived('hostile', 60))
  expect(again.length).toBeGreaterThan(20)
  expect(new Set(again)).toEqual(new Set([1]))
})

test.each(temperamentNames)('a %s host does what it accepted, sooner or later', (mood) => {
  const told = lived(mood, 2)
  const { id: accountId } = told.account()
  told.given({ kind: 'loyalty.move-account', accountId, trigger: 'reactivation', force: true })
  told.given({ kind: 'loyalty.redeem', request: { accountId, rewardId: 'coffee' } })
  told.pass(mood === 'prompt' ? 150 : 60_000)
  expect(told.redemptions().map(({ status }) => status)).toEqual(['COMPLETED'])
})
