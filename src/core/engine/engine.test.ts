import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { noon, transcript } from '../../../test/support/transcript.ts'
import type { Reactor } from './engine.ts'
import { journalText } from './journal.ts'

const create = { kind: 'order.create', order: plainOrder('a') } as const

test('a command becomes numbered facts with instant and origin', () => {
  const { engine } = transcript()
  engine.submit(create, 'subject')
  expect(
    engine.journal
      .after(0, 10)
      .map(({ seq, at, by, cause, fact }) => [seq, at, by, cause, fact.kind]),
  ).toEqual([
    [1, noon, 'subject', 0, 'order.created'],
    [2, noon, 'subject', 0, 'event.emitted'],
  ])
})

test('a refusal adds no fact and leaves the world unchanged', () => {
  const session = transcript().given(create)
  const before = session.engine.journal.last()
  expect(session.when(create)).toEqual([
    'CONFLICT: there is an order a already; leave its id out, and the new one gets a fresh id',
  ])
  expect(session.engine.journal.last()).toBe(before)
  expect(session.engine.world.ordering.events.size).toBe(1)
})

test('reactions become agenda items with the number of their causing fact', () => {
  const confirms: Reactor = (fact) =>
    fact.kind === 'order.created'
      ? [
          {
            command: { kind: 'order.apply', orderId: fact.order.id, trigger: 'confirm' },
            afterMs: 250,
          },
        ]
      : []
  const session = transcript({ reactors: [confirms] })
  expect(session.when(create)).toEqual([
    'DELIVERY order a created',
    'planned #1: confirm takes effect at 15:00:00.250',
    'CREATED emitted',
  ])
  expect(session.engine.world.agenda.byId.get(1)?.cause).toBe(1)
  expect(session.take()).toEqual(['taken #1', 'CREATED > CONFIRMED', 'CONFIRMED emitted'])
})

test('facts about the agenda trigger no reactions', () => {
  const seen: string[] = []
  const watches: Reactor = (fact) => {
    seen.push(fact.kind)
    return []
  }
  const session = transcript({ reactors: [watches] })
  session.given({ kind: 'agenda.plan', command: { kind: 'session.open' }, afterMs: 0 })
  session.take()
  expect(seen).toEqual(['session.opened'])
})

test('a reactor that plans without end is stopped by an error', () => {
  const once = { command: { kind: 'session.open' }, afterMs: 0 } as const
  const greedy: Reactor = () => Array.from({ length: 500_001 }, () => once)
  const { engine } = transcript({ reactors: [greedy] })
  expect(() => engine.submit(create)).toThrow(/plans without end/)
  expect(engine.world.agenda.byId.size).toBe(0)
})

test('[DIS-GEN-02] a manifest that becomes valid releases everything that waited for it, even thousands of items', () => {
  const thousands = 3000
  const waiting: Reactor = (fact, { world }) =>
    fact.kind === 'partner.accepted'
      ? Array.from(world.ordering.waiting, ([eventId, attempt]) => ({
          command: { kind: 'event.push', eventId, attempt } as const,
          afterMs: 0,
        }))
      : []
  const { engine } = transcript({ reactors: [waiting] })
  for (let index = 0; index < thousands; index++) {
    const created = engine.submit({ kind: 'order.create', order: plainOrder(`o-${index}`) })
    const emitted = created.ok ? created.value.find(({ kind }) => kind === 'event.emitted') : null
    if (emitted?.kind !== 'event.emitted') throw new Error('nothing was emitted')
    engine.submit({ kind: 'event.push', eventId: emitted.event.eventId, attempt: 1 })
  }
  expect(engine.world.ordering.waiting.size).toBe(thousands)
  engine.submit({
    kind: 'partner.trust',
    from: 'ordering-application',
    partner: 'software-service',
  })
  expect(engine.world.agenda.byId.size).toBe(thousands)
})

test('time never goes back, neither by the driver nor by an overdue item', () => {
  const session = transcript().given(create, {
    kind: 'agenda.plan',
    command: { kind: 'session.open' },
    afterMs: 10,
  })
  session.engine.advanceTo(noon + 5000)
  session.engine.advanceTo(noon + 1000)
  expect(session.engine.now()).toBe(noon + 5000)
  session.take()
  expect(session.engine.now()).toBe(noon + 5000)
})

test('an unsubscribed listener is not called', () => {
  const { engine } = transcript()
  let heard = 0
  const stop = engine.onFact(() => heard++)
  engine.submit(create)
  stop()
  engine.submit({ kind: 'order.track', orderId: 'a', update: {} })
  expect(heard).toBe(2)
})

test('the same seed and commands give the same journal byte for byte; another seed gives another', () => {
  const run = (seed: number): string => {
    const session = transcript({ seed }).given(create, {
      kind: 'token.issue',
      host: 'ordering-application',
      clientId: 'subject',
      clientSecret: 'secret',
    })
    return journalText(session.engine.journal.after(0, 100))
  }
  expect(run(1)).toBe(run(1))
  expect(run(1)).not.toBe(run(2))
})

test('additional draws of one consumer do not change those of the others', () => {
  const draws: Reactor = (_fact, { chance }) => {
    chance('somebody new').below(10)
    return []
  }
  const ids = (reactors: readonly Reactor[]): readonly string[] => [
    ...transcript({ reactors }).given(create).engine.world.ordering.events.keys(),
  ]
  expect(ids([draws])).toEqual(ids([]))
})
