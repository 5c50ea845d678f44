/**
 * Several faults in force at once: their draws are independent, and none acts on a message that another has dropped or
 * made up.
 */
import { expect, test } from 'vitest'
import { openFaultyEngine, type FaultyEngine } from '../../../../test/support/faulty-engine.ts'

test('two faults of one name draw independently: the second does not hit only where the first did', () => {
  const engine = openFaultyEngine({ seed: 3 }).fault('rate-limited')
  for (let order = 0; order < 1000; order++)
    engine.requestFault({ operation: 'getOrder', method: 'GET', orderId: `order ${order}` })
  const fired = [...engine.engine.world.faults.live.values()].map((each) => each.fired)
  const [seconds = 0, date = 0, absent = 0] = fired
  expect(seconds).toBeGreaterThan(150)
  expect(date).toBeGreaterThan(50)
  expect(absent).toBeGreaterThan(20)
})

test('a fault draws the same whether or not another one of its name was removed before', () => {
  const outcomes = (engine: FaultyEngine): readonly (string | undefined)[] => {
    engine.fault('fail:percent=50').order('a')
    return Array.from({ length: 12 }, () =>
      engine.requestFault({ operation: 'getOrder', method: 'GET', orderId: 'a' }),
    )
  }
  const second = openFaultyEngine({ seed: 3 }).fault('fail:order=o9')
  second.submit({ kind: 'fault.remove', id: 1 })
  expect(outcomes(second)).toEqual(outcomes(openFaultyEngine({ seed: 3 })))
})

test('a dropped event is not distorted by another fault: that one counts it, but is not spent', () => {
  const engine = openFaultyEngine()
    .fault('drop:event=CONFIRMED,order=o1')
    .fault('duplicate:event=CONFIRMED,limit=1')
    .fault('delay:nth=2,by=1s')
  for (const id of ['a', 'b']) engine.order(id).apply(id, 'confirm', 'preparing').pass(0)
  expect(engine.fired()).toEqual([
    'drop on ev(o1,CONFIRMED,polling)',
    'duplicate on ev(o2,CONFIRMED,polling)',
    'delay on ev(o2,CONFIRMED,polling)',
  ])
})

test('a made-up event triggers no further made-up events, with any faults', () => {
  const engine = openFaultyEngine()
    .fault('unknown-event')
    .fault('illegal-transition:says=CONFIRMED,by=0')
    .fault('illegal-transition:says=DISPATCHED,by=0')
    .order('a')
    .pass(60_000)
  expect(
    engine
      .handovers()
      .map((line) => line.split(' ')[1])
      .toSorted((one = '', other = '') => one.localeCompare(other)),
  ).toEqual(['CONFIRMED', 'CREATED', 'DISPATCHED', 'X_LOYALTY_HINT'])
  expect(engine.engine.world.agenda.byId.size).toBe(0)
})

test('slow-body leaves a GET call alone, which has no body', () => {
  const engine = openFaultyEngine().fault('slow-body')
  const met = (operation: 'getOrder' | 'receiveOrderEvent', method: string) =>
    engine.requestFault({ kind: 'call', operation, method, orderId: 'a' })
  expect([met('getOrder', 'GET'), met('receiveOrderEvent', 'POST')]).toEqual([
    undefined,
    'slow-body',
  ])
})
