/** Wait conditions: an item is released as soon as its condition is met, and at the latest after its maximum wait. */
import { expect, test } from 'vitest'
import { openFaultyEngine, type FaultyEngine } from '../../../../test/support/faulty-engine.ts'

const order = (spec: unknown): FaultyEngine => openFaultyEngine().fault(spec).order('a').pass(0)

test('reorder: after that many later events of its own order, not of others', () => {
  const engine = order('reorder:event=CONFIRMED,k=2').apply('a', 'confirm').pass(10)
  engine.order('b').apply('b', 'confirm', 'preparing').pass(10)
  engine.apply('a', 'preparing').pass(10).apply('a', 'ready-for-pickup').pass(10)
  expect(engine.handovers().filter((line) => line.startsWith('a '))).toEqual([
    'a CREATED polling +0',
    'a PREPARING polling +20',
    'a READY_FOR_PICKUP polling +30',
    'a CONFIRMED polling +30',
  ])
})

test('reorder with of=any: after later events of any order', () => {
  const engine = order('reorder:event=CONFIRMED,order=o1,k=2,of=any').apply('a', 'confirm').pass(0)
  engine.order('b').apply('b', 'confirm').pass(0)
  expect(engine.handovers().at(-1)).toBe('a CONFIRMED polling +0')
  expect(engine.handovers()).toHaveLength(4)
})

test('[ORD-EVR-04] reorder by both channels: behind that many later events on each, not behind one that came by both', () => {
  const engine = openFaultyEngine({ channel: 'both' }).fault('reorder:event=CONFIRMED,k=2')
  engine.order('a').apply('a', 'confirm', 'preparing').pass(10)
  expect(engine.handovers().join()).not.toContain('CONFIRMED')
  engine.apply('a', 'ready-for-pickup').pass(0)
  for (const channel of ['polling', 'webhook'])
    expect(engine.handovers().filter((line) => line.includes(channel))).toEqual([
      `a CREATED ${channel} +0`,
      `a PREPARING ${channel} +0`,
      `a READY_FOR_PICKUP ${channel} +10`,
      `a CONFIRMED ${channel} +10`,
    ])
})

test('reorder of=any by both channels: events are counted, not handovers', () => {
  const engine = openFaultyEngine({ channel: 'both' }).fault(
    'reorder:event=CONFIRMED,order=o1,k=2,of=any',
  )
  engine.order('a').pass(0).apply('a', 'confirm').order('b').pass(0)
  expect(engine.handovers().join()).not.toContain('CONFIRMED')
  engine.apply('b', 'confirm').pass(0)
  expect(engine.handovers().filter((line) => line.startsWith('a CONFIRMED'))).toHaveLength(2)
})

test('reorder: a duplicate of a later event is no second later event', () => {
  const engine = order('reorder:event=CONFIRMED,k=2')
    .fault('duplicate:event=PREPARING')
    .apply('a', 'confirm', 'preparing')
    .pass(10)
  expect(engine.handovers()).toHaveLength(3)
  engine.apply('a', 'ready-for-pickup').pass(0)
  expect(engine.handovers().at(-1)).toBe('a CONFIRMED polling +10')
})

test('reorder all: after the last event of its order', () => {
  const engine = order('reorder:event=CONFIRMED,k=all').apply('a', 'confirm', 'preparing').pass(0)
  engine.apply('a', 'ready-for-pickup', 'dispatch', 'delivered').pass(0).apply('a', 'conclude')
  expect(engine.pass(0).handovers().slice(-2)).toEqual([
    'a CONCLUDED polling +0',
    'a CONFIRMED polling +0',
  ])
})

test('reorder leaves the last event of an order alone', () => {
  const engine = order('reorder:k=all,event=CONCLUDED').apply('a', 'cancel', 'conclude').pass(0)
  expect(engine.handovers().at(-1)).toBe('a CONCLUDED polling +0')
  expect(engine.fired()).toEqual([])
})

test('an item whose condition is never met is released after its maximum wait', () => {
  const engine = order('reorder:event=CONFIRMED,atMost=30s').apply('a', 'confirm').pass(29_999)
  expect(engine.handovers()).toEqual(['a CREATED polling +0'])
  engine.pass(1)
  expect(engine.handovers().at(-1)).toBe('a CONFIRMED polling +30000')
  expect(engine.engine.world.agenda.waiting.size).toBe(0)
})

test('acknowledged: after the acknowledgment of the event', () => {
  const engine = order('duplicate-late:event=CREATED').pass(500)
  const [eventId = ''] = engine.engine.world.ordering.events.keys()
  expect(engine.handovers()).toHaveLength(1)
  engine.submit({ kind: 'events.acknowledge', eventIds: [eventId] })
  engine.pass(0)
  expect(engine.handovers()).toEqual(['a CREATED polling +0', 'a CREATED polling +500'])
})

test('gathered: all items are released at once when there are enough', () => {
  const engine = openFaultyEngine().fault('batch:as=backlog,of=3').order('a').pass(1000).order('b')
  expect(engine.pass(1000).handovers()).toEqual([])
  engine.order('c').pass(0)
  expect(engine.handovers()).toEqual([
    'a CREATED polling +2000',
    'b CREATED polling +2000',
    'c CREATED polling +2000',
  ])
})

test('the end of faults releases waiting and delayed items at once, and no fault fires again', () => {
  const engine = openFaultyEngine()
    .fault('reorder:event=CONFIRMED')
    .fault('delay:event=PREPARING,by=1h')
    .order('a')
    .apply('a', 'confirm', 'preparing')
    .pass(5000)
  expect(engine.handovers()).toHaveLength(1)
  engine.submit({ kind: 'fault.end' })
  engine.apply('a', 'ready-for-pickup').pass(0)
  expect(engine.handovers().slice(1)).toEqual([
    'a CONFIRMED polling +5000',
    'a PREPARING polling +5000',
    'a READY_FOR_PICKUP polling +5000',
  ])
  const { faults } = engine.engine.world
  expect([...faults.over.values()].map(({ over }) => over)).toEqual(['ended', 'ended'])
})

test('items held by hand stay held, whatever their condition, and through the end of faults', () => {
  const engine = order('reorder:event=CONFIRMED').apply('a', 'confirm')
  const [item] = engine.engine.world.agenda.waiting.values()
  engine.submit({ kind: 'agenda.hold', id: item?.id ?? 0 })
  engine.apply('a', 'preparing').pass(120_000)
  engine.submit({ kind: 'fault.end' })
  expect(engine.pass(0).handovers().join()).not.toContain('CONFIRMED')
  engine.submit({ kind: 'agenda.release', id: item?.id ?? 0 })
  expect(engine.pass(0).handovers().at(-1)).toBe('a CONFIRMED polling +120000')
})

test('a removed fault distorts nothing more; items that it delayed come at their due instant', () => {
  const engine = order('delay:event=CONFIRMED,by=9s').apply('a', 'confirm').pass(1000)
  engine.submit({ kind: 'fault.remove', id: 1 })
  engine.apply('a', 'preparing').pass(8000)
  expect(engine.handovers().slice(1)).toEqual([
    'a PREPARING polling +1000',
    'a CONFIRMED polling +9000',
  ])
})

test('two faults on one event: the second distorts the result of the first, and delays add up', () => {
  const engine = openFaultyEngine()
    .fault('delay:event=CREATED,by=2s')
    .fault('duplicate:event=CREATED')
    .fault('delay:event=CREATED,by=3s')
    .order('a')
    .pass(10_000)
  expect(engine.handovers()).toEqual(['a CREATED polling +5000', 'a CREATED polling +5000'])
  const dropped = openFaultyEngine()
    .fault('delay:by=2s')
    .fault('drop')
    .order('a')
    .apply('a', 'confirm')
  expect(dropped.pass(10_000).handovers()).toEqual(['a CREATED polling +2000'])
})

test('gathered: items of different faults are counted separately', () => {
  const engine = openFaultyEngine()
    .fault('batch:as=backlog,of=2,order=o1')
    .fault('batch:as=backlog,of=2,order=o2')
    .order('a')
    .order('b')
    .pass(0)
  expect(engine.handovers()).toEqual([])
  engine.apply('b', 'confirm').pass(0)
  expect(engine.handovers()).toEqual(['b CREATED polling +0', 'b CONFIRMED polling +0'])
})

test('gathered: an additional delay does not remove an item from the batch', () => {
  const engine = openFaultyEngine()
    .fault('batch:as=backlog,of=2')
    .fault('delay:order=o2,by=1s')
    .order('a')
    .order('b')
    .pass(0)
  expect(engine.handovers()).toEqual(['a CREATED polling +0', 'b CREATED polling +0'])
})
