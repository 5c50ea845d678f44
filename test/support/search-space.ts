/**
 * A search space as a run without faults teaches it, with the faults of the catalogue: one workload of one order, one
 * of two.
 */
import { createChance } from '../../src/core/engine/chance.ts'
import type { EventChannel } from '../../src/core/engine/emitted-event.ts'
import { faultSitesAt } from '../../src/explore/search/search-space.ts'
import { observeMessages, type ObservedPoint } from '../../src/explore/schedules/observed-points.ts'
import type {
  DrawnFaults,
  FaultSite,
  SearchSpace,
  Strategy,
} from '../../src/explore/search/strategies/strategy.ts'

const channels: readonly EventChannel[] = ['polling', 'webhook']
const events = ['CREATED', 'CONFIRMED', 'PREPARING', 'READY_FOR_PICKUP', 'DISPATCHED'] as const

/** What happens to an order from its placement on. */
export function messagesOf(slots: readonly string[]): readonly ObservedPoint[] {
  const messages = observeMessages()
  for (const slot of slots) {
    for (const event of events)
      for (const channel of channels) messages.handover(slot, event, channel)
    for (const event of events) messages.call(slot, 'receiveOrderEvent', event)
    messages.answer(slot, 'getOrder')
    messages.answer(slot, 'confirmOrder')
    messages.effect(slot, 'confirm')
  }
  return messages.points()
}

/** Messages about no single order. */
export function sharedMessages(): readonly ObservedPoint[] {
  const messages = observeMessages()
  messages.answer(undefined, 'pollingEvents')
  messages.answer(undefined, 'acknowledgeEvents')
  messages.answer(undefined, 'issueToken')
  return messages.points()
}

const sitesAt = (
  points: readonly ObservedPoint[],
  named: readonly string[] = [],
): readonly FaultSite[] => faultSitesAt(points, channels, named)

/** With faults that are searched only where they are named. */
export const exampleSpaceWith = (named: readonly string[]): SearchSpace => ({
  workloads: ['one', 'two'],
  own: new Map([
    ['one', sitesAt(messagesOf(['o1']), named)],
    ['two', sitesAt(messagesOf(['o1', 'o2']), named)],
  ]),
  shared: sitesAt(sharedMessages(), named),
  later: new Map([['two', new Set(['o2'])]]),
})

export const exampleSpace = exampleSpaceWith([])

/** A delivered order, and one that is cancelled when its delivery was requested. */
function cancellationMessages(types: readonly string[]): readonly ObservedPoint[] {
  const messages = observeMessages()
  for (const event of types) for (const channel of channels) messages.handover('o1', event, channel)
  for (const event of types) messages.call('o1', 'receiveOrderEvent', event)
  for (const operation of ['getOrder', 'confirmOrder', 'createDelivery'] as const)
    messages.answer('o1', operation)
  if (types.includes('CANCELLED')) messages.answer('o1', 'cancelDelivery')
  return messages.points()
}

/** One workload in which nothing is cancelled, two in which the order is. */
export const cancellationSpace: SearchSpace = {
  workloads: ['delivery', 'early', 'late'],
  own: new Map([
    ['delivery', sitesAt(cancellationMessages(events))],
    ['early', sitesAt(cancellationMessages(['CREATED', 'CANCELLED']))],
    ['late', sitesAt(cancellationMessages(['CREATED', 'CONFIRMED', 'PREPARING', 'CANCELLED']))],
  ]),
  shared: sitesAt(sharedMessages()),
  later: new Map(),
}

/** It has no messages at all. */
export const emptySpace: SearchSpace = {
  workloads: ['none'],
  own: new Map(),
  shared: [],
  later: new Map(),
}

/** What a strategy draws in its first turns, each with chances of its own. */
export const drawMany = (
  strategy: Strategy,
  times: number,
  space = exampleSpace,
): readonly DrawnFaults[] =>
  Array.from(
    { length: times },
    (_, turn) => strategy.draw(space, turn, createChance(turn, strategy.name)) ?? [],
  ).flat()
