import { describe, expect, test } from 'vitest'
import { observeMessages, pointText } from './observed-points.ts'

describe('the messages of a workload', () => {
  test('are each there once, in the same order, whatever order they came in', () => {
    const one = observeMessages()
    one.handover('o1', 'CREATED', 'polling')
    one.effect('o1', 'confirm')
    one.handover('o1', 'CREATED', 'webhook')
    const other = observeMessages()
    for (let times = 0; times < 2; times++) {
      other.handover('o1', 'CREATED', 'webhook')
      other.handover('o1', 'CREATED', 'polling')
      other.effect('o1', 'confirm')
    }
    expect(one.points()).toEqual([
      { kind: 'effect', match: { trigger: 'confirm', order: 'o1' } },
      { kind: 'handover', match: { event: 'CREATED', order: 'o1', channel: 'polling' } },
      { kind: 'handover', match: { event: 'CREATED', order: 'o1', channel: 'webhook' } },
    ])
    expect(other.points()).toEqual(one.points())
  })

  test('include attempts that a run without faults does not have', () => {
    const messages = observeMessages()
    messages.answer('o1', 'confirmOrder')
    expect(messages.points().map(pointText)).toEqual([
      'answer operation=confirmOrder order=o1 nth=1',
      'answer operation=confirmOrder order=o1 nth=2',
      'answer operation=confirmOrder order=o1 nth=3',
    ])
  })

  test('tell apart more readings of an order than attempts of a call', () => {
    const messages = observeMessages()
    messages.answer('o1', 'getOrder')
    expect(messages.points().map(({ match }) => match.nth)).toEqual([1, 2, 3, 4, 5])
  })

  test('tell apart eight polls, which are about no single order', () => {
    const messages = observeMessages()
    messages.answer(undefined, 'pollingEvents')
    expect(messages.points()).toHaveLength(8)
    expect(messages.points()[7]).toEqual({
      kind: 'answer',
      match: { operation: 'pollingEvents', nth: 8 },
    })
  })

  test('tell apart the events that our calls carry', () => {
    const messages = observeMessages()
    messages.call('o1', 'receiveOrderEvent', 'CREATED')
    messages.call('o1', 'receiveOrderEvent', 'CONFIRMED')
    messages.call(undefined, 'receiveDeliveryEvent', undefined)
    const texts = messages.points().map(pointText)
    expect(texts).toContain('call operation=receiveOrderEvent event=CREATED order=o1 nth=2')
    expect(texts).toContain('call operation=receiveOrderEvent event=CONFIRMED order=o1 nth=1')
    expect(texts).toContain('call operation=receiveDeliveryEvent nth=8')
  })

  test('leave out discovery, which says nothing about how orders are handled', () => {
    const messages = observeMessages()
    messages.answer(undefined, 'getManifest')
    messages.call(undefined, 'getManifest', undefined)
    expect(messages.points()).toEqual([])
  })
})
