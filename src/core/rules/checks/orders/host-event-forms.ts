/** Checks of the form of events of an Ordering Application: ids, types, content, the URL of the order. */
import { defineChecks, type Assertion } from '../check.ts'
import { orderEventTypes } from '../../../protocol/orders/events.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { atSteps, bodyValue, each, every, hasStatus, isOneOf, observation } from '../assertion.ts'
import type { ObservedEvent } from '../trace.ts'
import { endOf } from '../../../traffic/exchange.ts'
import { perMessage } from '../live.ts'
import { ofOrders } from './order-life.ts'
import { acknowledgedBy } from './client-assertions.ts'
import { orderHost, distinctEvents, eachOrder, orderEventsOf } from './hosted-orders.ts'

/** Members of an object at every depth in the order of their names, for comparison. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isUnknownRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  )
}

const contentOf = ({ event }: ObservedEvent): string => JSON.stringify(sorted(event))

/** All that two events with different ids can have in common. */
const contentBesideId = ({ event }: ObservedEvent): string =>
  JSON.stringify(sorted({ ...event, eventId: '' }))

/** An event that waits comes in the next poll with the same id, until it is acknowledged. */
const polledIdsStay: Assertion = function* (trace) {
  const byPoll = Map.groupBy(
    orderEventsOf(trace).filter(({ observed }) => observed.operation === 'pollingEvents'),
    ({ observed }) => observed,
  )
  const acknowledged = new Set(
    trace.answers('acknowledgeEvents').flatMap((call) => [...acknowledgedBy(call)]),
  )
  const polls = [...byPoll.entries()]
  for (const [index, [poll, events]] of polls.entries()) {
    const [next, later = []] = polls[index + 1] ?? []
    if (!next || next.exchange.startedAt < endOf(poll.exchange)) continue
    const ids = new Set(later.map(({ eventId }) => eventId))
    for (const event of events) {
      const same = later.find((other) => contentBesideId(other) === contentBesideId(event))
      if (!same || (!ids.has(event.eventId) && acknowledged.has(event.eventId ?? ''))) continue
      yield observation(
        [poll, next],
        !ids.has(event.eventId) &&
          `its ${event.eventType} event, which was not acknowledged, came in the next poll with another eventId`,
      )
    }
  }
}

/** An event that comes again, on whichever channel, has the same content. */
const repeatedEventsAreEqual: Assertion = function* (trace) {
  const byId = Map.groupBy(orderEventsOf(trace), ({ eventId }) => eventId)
  for (const [eventId, events] of byId) {
    const [first] = events
    if (eventId === undefined || !first || events.length < 2) continue
    const other = events.find((event) => contentOf(event) !== contentOf(first))
    yield observation(
      [first.observed, (other ?? first).observed],
      other && `it handed over a ${first.eventType} event again with another content`,
    )
  }
}

const haveIds = perMessage(function* (trace) {
  for (const { eventId, eventType, observed } of orderEventsOf(trace))
    yield observation([observed], !eventId && `a ${eventType} event of it has no eventId`)
})

/** An event has an id that no other event has, and what happens once has one event. */
const idsAreUnique = ofOrders(function* (moment) {
  if (moment.kind !== 'event') return
  const { event, first, isRepeated } = moment
  const isSameId = first?.eventId === event.eventId
  if (first && isRepeated && !isSameId) return
  const types = [...new Set([first?.eventType, event.eventType])].join(' and ')
  yield observation(
    [...(first ? [first.observed] : []), event.observed],
    first &&
      (isSameId
        ? `its ${types} events${first.orderId === event.orderId ? '' : ' of two orders'} have the same eventId`
        : `its ${types} event of one order came with different eventIds`),
  )
})

export const orderHostEventFormChecks = defineChecks(
  { ...orderHost, procedures: ['order-life'] },
  {
    'ORD-GEN-02': {
      assertion: repeatedEventsAreEqual,
      remedy: 'Hand an event over with the same content each time, whatever the channel.',
    },
    'ORD-EVF-01': {
      assertion: every(haveIds, idsAreUnique, polledIdsStay),
      remedy:
        'Give each event one eventId, keep it when the event is handed over again, and use it for no other event.',
    },
    'ORD-EVF-02': {
      assertion: perMessage(function* (trace) {
        for (const { event, observed } of orderEventsOf(trace)) {
          const problem = isOneOf(...orderEventTypes)(event['eventType'])
          yield observation(
            [observed],
            problem && `the eventType of its event is wrong: ${problem}`,
          )
        }
      }),
      remedy: 'Use the names of events as the protocol has them, in upper case.',
    },
    'ORD-EVF-03': {
      assertion: every(
        eachOrder(function* (history) {
          for (const { event, observed } of distinctEvents(history, 'CREATED')) {
            const url = event['orderURL']
            yield observation(
              [observed],
              (typeof url !== 'string' || !URL.canParse(url)) &&
                `orderURL of its CREATED event is ${JSON.stringify(url)}, not an absolute URL`,
            )
          }
        }),
        each(atSteps('order-life/read-url'), hasStatus(200)),
        each(
          atSteps('order-life/read-url'),
          ({ reply, exchange }) =>
            bodyValue(reply, '/id') !== exchange.orderId &&
            'the orderURL of its CREATED event shows another order',
        ),
      ),
      remedy: 'Put into orderURL of CREATED an absolute URL at which GET returns the order.',
    },
  },
)
