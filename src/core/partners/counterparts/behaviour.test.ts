// @module-tag slow
/** Behaviour profiles are data: the counterparts' durations, frequencies and deviations match it. */
import { describe, expect, test } from 'vitest'
import type { JournalEntry } from '../../engine/journal.ts'
import { minimalOrder } from '../../../../test/support/minimal-order.ts'
import {
  openSoftwareServiceSession,
  type SoftwareServiceSession,
} from '../../../../test/support/software-service-session.ts'
import { openOrdersWire, type OrdersWire } from '../../../../test/support/wire.ts'
import {
  orderingBehaviours,
  type DurationRange,
  storeBehaviours,
  type StoreBehaviour,
  type BehaviourName,
  behaviourNames,
} from './behaviour.ts'

const profiles = ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const

const asConfigured = 'as the data says'

/** Whether all durations are within the range, and vary if the range does. */
function checkRange(lengths: readonly number[], [min, max]: DurationRange): string {
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)]
  const varied = max === min || lengths.length <= 5 || shortest < longest
  return lengths.length > 0 && shortest >= min && longest <= max && varied
    ? asConfigured
    : `${lengths.length} lengths from ${shortest} to ${longest}, not ${min} to ${max}`
}

/** Whether the count is plausible for a probability of 1/n; 0 means never. */
function checkRate(n: number, happened: number, chances: number): string {
  const likely =
    n === 0 ? happened === 0 : happened > (chances / n) * 0.4 && happened < (chances / n) * 2
  return likely ? asConfigured : `${happened} of ${chances}, not one in ${n}`
}

async function storeOf(behaviour: BehaviourName, orders: number): Promise<SoftwareServiceSession> {
  const store = await openSoftwareServiceSession({
    counterparts: { 'software-service': { behaviour } },
  })
  for (let number = 0; number < orders; number++)
    store.originator.place(minimalOrder(`o-${number}`, profiles[number % 3]))
  await store.session.settle()
  return store
}

const stepOf: Readonly<Record<string, keyof StoreBehaviour>> = {
  confirm: 'confirm',
  preparing: 'prepare',
  'ready-for-pickup': 'ready',
  dispatch: 'dispatch',
  delivered: 'deliver',
}

/** Times in ms from the read of an order to the request for the next step, by step. */
function stepDelays(entries: readonly JournalEntry[]): ReadonlyMap<string, readonly number[]> {
  const readAt = new Map<string, number>()
  const lengths = new Map<string, number[]>()
  for (const { at, fact } of entries) {
    if (fact.kind === 'ticket.read') readAt.set(fact.orderId, at)
    if (fact.kind !== 'ticket.asked') continue
    const list = lengths.get(fact.trigger) ?? []
    list.push(at - (readAt.get(fact.orderId) ?? 0))
    lengths.set(fact.trigger, list)
  }
  return lengths
}

/** Polls with events, and how many of them were not acknowledged. */
function acknowledgment({ originator, facts }: SoftwareServiceSession) {
  const bringing = facts('ticket.polled').filter(({ eventIds }) => eventIds.length > 0).length
  return { bringing, forgotten: bringing - originator.callsOf('acknowledge').length }
}

describe('a Software Service', () => {
  test.each(['prompt', 'slow'] as const)(
    'that is %s takes each step within its configured time, and deviates never',
    async (name) => {
      await using store = await storeOf(name, 12)
      const behaviour = storeBehaviours[name]
      const lengths = stepDelays(store.session.facts())
      for (const [trigger, field] of Object.entries(stepOf))
        expect(checkRange(lengths.get(trigger) ?? [], behaviour[field] as DurationRange)).toBe(
          asConfigured,
        )
      const statuses = [...store.originator.orders.values()].map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set(['DELIVERED']))
      expect(acknowledgment(store).forgotten).toBe(0)
      expect(store.originator.callsOf('cancellation')).toEqual([])
      expect(store.facts('ticket.asked')).toHaveLength(4 * 12 + 4)
      const times = store.times('pollingEvents')
      expect(times[1]).toBe(behaviour.pollEvery[0])
    },
  )

  test('that is forgetful sometimes omits acknowledgments and steps until the next event or read, and still finishes every order', async () => {
    await using store = await storeOf('forgetful', 90)
    const { forgetsAckOneIn, forgetsStepOneIn, itemMissingOneIn, reconcile } =
      storeBehaviours.forgetful
    const { bringing, forgotten } = acknowledgment(store)
    expect(checkRate(forgetsAckOneIn, forgotten, bringing)).toBe(asConfigured)
    expect(checkRate(itemMissingOneIn, store.originator.callsOf('cancellation').length, 90)).toBe(
      asConfigured,
    )
    // A forgotten step is taken after a reconciling read, as no event arrives.
    const waiting = new Set(store.originator.callsOf('cancellation').map(({ orderId }) => orderId))
    const reads = new Map<string, number>()
    let again = 0
    let steps = 0
    for (const { at, fact } of store.session.facts()) {
      if (fact.kind === 'ticket.asked') steps++
      if (fact.kind !== 'ticket.read' || waiting.has(fact.orderId)) continue
      const before = reads.get(`${fact.orderId} ${fact.status}`)
      if (before !== undefined && at - before >= reconcile[0]) again++
      reads.set(`${fact.orderId} ${fact.status}`, before ?? at)
    }
    expect(checkRate(forgetsStepOneIn, again, steps)).toBe(asConfigured)
    const open = [...store.originator.orders.values()].filter(
      ({ status }) => status !== 'DELIVERED',
    )
    // Cancellation requests are never answered here: those orders stay open, all others finish.
    expect(open).toHaveLength(store.originator.callsOf('cancellation').length)
  })

  test('that is hostile repeats calls, skips ahead, cancels, omits acknowledgments and misses items at its configured rates', async () => {
    const { repeatsCallOneIn, skipsAheadOneIn, itemMissingOneIn, cancelsOneIn, forgetsAckOneIn } =
      storeBehaviours.hostile
    const store = await openSoftwareServiceSession({
      counterparts: { 'software-service': { behaviour: 'hostile' } },
    })
    const { originator } = store
    let skipped = 0
    originator.script('delivered', ({ orderId }) => {
      const { status = '' } = originator.orders.get(orderId) ?? {}
      if (['READY', 'IN_DELIVERY', 'DELIVERED'].includes(status)) return undefined
      skipped++
      return { status: 409 }
    })
    for (let number = 0; number < 90; number++)
      originator.place(minimalOrder(`o-${number}`, profiles[number % 3]))
    await store.session.settle()
    await store.session.close()
    const codes = originator.callsOf('cancellation').map(({ json }) => json['code'])
    const missing = codes.filter((code) => code === 'UNAVAILABLE_ITEM').length
    const refused = codes.filter(
      (code) => code === 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
    ).length
    expect(checkRate(itemMissingOneIn, missing, 90)).toBe(asConfigured)
    const confirmed = [...originator.orders.values()].filter(
      ({ status }) => status !== 'CREATED',
    ).length
    expect(checkRate(cancelsOneIn, refused, confirmed)).toBe(asConfigured)
    const confirms = originator.callsOf('confirm')
    const orders = new Set(confirms.map(({ orderId }) => orderId)).size
    expect(checkRate(repeatsCallOneIn, confirms.length - orders, orders)).toBe(asConfigured)
    // Before READY it can skip ahead three times per order.
    expect(checkRate(skipsAheadOneIn, skipped, 3 * orders)).toBe(asConfigured)
    const { bringing, forgotten } = acknowledgment(store)
    expect(checkRate(forgetsAckOneIn, forgotten, bringing)).toBe(asConfigured)
  })

  test('uses a configured poll interval in place of its behaviour’s', async () => {
    await using store = await openSoftwareServiceSession({
      counterparts: { 'software-service': { behaviour: 'slow', pollEvery: '2s' } },
    })
    await store.pass(9000)
    expect(store.times('pollingEvents')).toEqual([0, 2000, 4000, 6000, 8000])
  })
})

const wireOf = (behaviour: BehaviourName): Promise<OrdersWire> =>
  openOrdersWire({ listen: false, counterparts: { 'ordering-application': { behaviour } } })

/** Times in ms from a fact of the first kind to the next of the second, by order. */
function between(
  { session }: OrdersWire,
  from: JournalEntry['fact']['kind'],
  to: JournalEntry['fact']['kind'],
  which: (fact: JournalEntry['fact']) => boolean = () => true,
): readonly number[] {
  const begun = new Map<string, number>()
  const lengths: number[] = []
  for (const { at, fact } of session.facts()) {
    if (!('orderId' in fact) || fact.orderId === undefined) continue
    const begin = begun.get(fact.orderId)
    if (fact.kind === to && begin !== undefined && which(fact)) {
      lengths.push(at - begin)
      begun.delete(fact.orderId)
    }
    if (fact.kind === from) begun.set(fact.orderId, at)
  }
  return lengths
}

/** Creates this many orders and asks each to become CONFIRMED, then PREPARING. */
async function prepared(wire: OrdersWire, orders: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let number = 0; number < orders; number++) ids.push(await wire.create({ type: 'TAKEOUT' }))
  for (const call of ['confirm', 'preparing']) {
    for (const id of ids) await wire.ask(id, call)
    await wire.pass(9000)
  }
  return ids
}

describe('an Ordering Application', () => {
  test.each(behaviourNames)(
    'that is %s applies a 202 within its configured processing time',
    async (name) => {
      await using wire = await wireOf(name)
      await prepared(wire, 20)
      expect(
        checkRange(
          between(wire, 'order.requested', 'order.moved'),
          orderingBehaviours[name].processing,
        ),
      ).toBe(asConfigured)
    },
  )

  test.each(behaviourNames)(
    'that is %s hands events over within its configured delay',
    async (name) => {
      await using wire = await wireOf(name)
      await prepared(wire, 20)
      const emitted = new Map<string, number>()
      const lengths: number[] = []
      for (const { at, fact } of wire.session.facts()) {
        if (fact.kind === 'event.emitted') emitted.set(fact.event.eventId, at)
        if (fact.kind === 'event.offered') lengths.push(at - (emitted.get(fact.eventId) ?? 0))
      }
      expect(checkRange(lengths, orderingBehaviours[name].handover)).toBe(asConfigured)
    },
  )

  test.each(behaviourNames)(
    'that is %s answers a cancellation request as configured',
    async (name) => {
      await using wire = await wireOf(name)
      const { after, answer } = orderingBehaviours[name].cancellation
      const ids: string[] = []
      for (let number = 0; number < 10; number++) ids.push(await wire.create())
      for (const id of ids) await wire.ask(id, 'requestCancellation', {})
      await wire.pass(after[1] + 10_000)
      const statuses = new Map<string, string>()
      for (const id of ids) statuses.set(id, (await wire.read(id)).status)
      // A hostile one also cancels orders by itself, which settles pending requests.
      const alive = (id: string): boolean => answer === 'accept' || statuses.get(id) === 'CREATED'
      const answers = wire.session
        .facts()
        .flatMap(({ fact }) =>
          fact.kind === 'cancellation.answered' && alive(fact.orderId) ? [fact.answer] : [],
        )
      expect(new Set(answers)).toEqual(new Set([answer]))
      expect(
        checkRange(between(wire, 'cancellation.requested', 'cancellation.answered'), after),
      ).toBe(asConfigured)
      const open = ids.filter((id) => statuses.get(id) === 'CREATED').length
      if (answer === 'accept') expect(open).toBe(0)
      else expect(open).toBeGreaterThan(name === 'hostile' ? 2 : 9)
    },
  )

  test.each(behaviourNames)(
    'that is %s omits optional events at its configured rate, and never a mandatory one',
    async (name) => {
      await using wire = await wireOf(name)
      await prepared(wire, 60)
      const moved = new Map<string, number>()
      const announced = new Map<string, number>()
      for (const { fact } of wire.session.facts()) {
        if (fact.kind === 'order.moved') moved.set(fact.to, (moved.get(fact.to) ?? 0) + 1)
        if (fact.kind !== 'event.emitted') continue
        const { eventType } = fact.event
        announced.set(eventType, (announced.get(eventType) ?? 0) + 1)
      }
      const preparing = moved.get('PREPARING') ?? 0
      expect(preparing).toBeGreaterThan(20)
      const silent = preparing - (announced.get('PREPARING') ?? 0)
      expect(checkRate(orderingBehaviours[name].omitsOptionalOneIn, silent, preparing)).toBe(
        asConfigured,
      )
      expect(announced.get('CONFIRMED')).toBe(moved.get('CONFIRMED'))
      expect(announced.get('CANCELLED')).toBe(moved.get('CANCELLED'))
    },
  )

  test.each(behaviourNames)(
    'that is %s repeats events and cancels orders at its configured rates',
    async (name) => {
      await using wire = await wireOf(name)
      const { repeatsOneIn, cancelsOneIn } = orderingBehaviours[name]
      for (let number = 0; number < 60; number++) await wire.create({ type: 'TAKEOUT' })
      await wire.pass(6000)
      const events = await wire.poll()
      const ids = new Set(events.map(({ eventId }) => eventId))
      expect(ids.size).toBeGreaterThanOrEqual(60)
      expect(checkRate(repeatsOneIn, events.length - ids.size, ids.size)).toBe(asConfigured)
      await wire.pass(19_000)
      const cancelled = wire.session
        .facts()
        .filter(({ fact }) => fact.kind === 'order.moved' && fact.to === 'CANCELLED')
      expect(checkRate(cancelsOneIn, cancelled.length, 60)).toBe(asConfigured)
    },
  )

  test.each(behaviourNames)(
    'that is %s concludes finished orders within its configured time',
    async (name) => {
      await using wire = await wireOf(name)
      const ids = await prepared(wire, 8)
      for (const id of ids)
        await wire.session.submit({ kind: 'order.apply', orderId: id, trigger: 'cancel' })
      await wire.pass(40_000)
      const { conclude } = orderingBehaviours[name]
      expect(
        checkRange(
          between(
            wire,
            'order.moved',
            'order.moved',
            (fact) => 'to' in fact && fact.to === 'CONCLUDED',
          ),
          conclude,
        ),
      ).toBe(asConfigured)
    },
  )

  test('uses a configured processing time in place of its behaviour’s', async () => {
    await using wire = await openOrdersWire({
      listen: false,
      counterparts: { 'ordering-application': { behaviour: 'hostile', processing: '777ms' } },
    })
    const id = await wire.create()
    await wire.ask(id, 'confirm')
    await wire.pass(776)
    expect((await wire.read(id)).status).toBe('CREATED')
    await wire.pass(1)
    expect((await wire.read(id)).status).toBe('CONFIRMED')
  })
})
