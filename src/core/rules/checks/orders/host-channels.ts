/** Checks of the channels of an Ordering Application: polling, acknowledgment and webhooks. */
import { defineChecks, type Assertion, type Fold } from '../check.ts'
import {
  answersOf,
  body,
  callsOf,
  each,
  every,
  hasStatus,
  isObject,
  isText,
  requestIs,
  required,
  observation,
} from '../assertion.ts'
import { setBounded } from '../../../engine/bounded.ts'
import { eachMoment, ofTrace } from '../live.ts'
import { EventArrivals, isCleanSuccess, precedes } from '../status-life.ts'
import { emittedEvents, type Observed } from '../trace.ts'
import { acknowledgedBy } from './client-assertions.ts'
import { declaredOrders, declaredToIt, manifests, neverCalls } from './host-assertions.ts'
import {
  orderHost,
  distinctEvents,
  eachOrder,
  orderEventsOf,
  orderPhrase,
} from './hosted-orders.ts'

const maxAcknowledged = 2000

/** A poll with an event that was acknowledged before, if there is one. */
interface PollMoment {
  readonly poll: Observed
  readonly acknowledgment: Observed | undefined
}

const acknowledgedPolls: Fold<PollMoment> = {
  begin: () => {
    const acknowledged = new Map<string, Observed>()
    const arrivals = new EventArrivals()
    const take = (observed: Observed): readonly PollMoment[] => {
      const { operation, isCall, exchange } = observed
      if (isCall || !isCleanSuccess(observed) || exchange.fault !== undefined) return []
      if (operation === 'acknowledgeEvents')
        for (const id of acknowledgedBy(observed))
          setBounded(acknowledged, id, observed, maxAcknowledged)
      if (operation !== 'pollingEvents') return []
      const events = emittedEvents([observed]).filter((event) => !arrivals.underSameId(event))
      if (acknowledged.size === 0) return []
      const acknowledgment = events
        .map(({ eventId = '' }) => acknowledged.get(eventId))
        .find((call) => call && precedes(call, observed))
      return [{ poll: observed, acknowledgment }]
    }
    return { take }
  },
}

/** An event that was acknowledged does not come in a later poll. */
const pollsLeaveAcknowledged = eachMoment(acknowledgedPolls, function* ({ poll, acknowledgment }) {
  yield observation(
    acknowledgment ? [acknowledgment, poll] : [poll],
    acknowledgment && 'it returned an event again that was acknowledged',
  )
})

/** The events of new orders come in polls, where it declares polling. */
const pollsHoldEvents: Assertion = function* (trace) {
  if (declaredOrders(trace)?.originator?.supportsPolling !== true) return
  const created = orderEventsOf(trace).filter(({ eventType }) => eventType === 'CREATED')
  const polled = created.filter(({ observed }) => observed.operation === 'pollingEvents')
  if (created.length > 0 && trace.answers('pollingEvents').length > 0)
    yield observation(
      (polled.length > 0 ? polled : created).slice(0, 3).map(({ observed }) => observed),
      polled.length === 0 && 'it declares polling, and no poll returned a CREATED event',
    )
}

const channelRows = [
  ['webhook', 'receiveOrderEvent', 'supportsWebhook'],
  ['polling', 'pollingEvents', 'supportsPolling'],
] as const

/** Events come on the channels that it and the Software Service declare, and on no other. */
const declaredChannelsOnly: Assertion = function* (trace) {
  const declared = declaredOrders(trace)?.originator
  const events = orderEventsOf(trace)
  if (!declared || events.length === 0) return
  for (const [name, operation, field] of channelRows) {
    const found = events.find(({ observed }) => observed.operation === operation)
    const ours = declaredToIt(trace, field)
    const isDue = declared[field] && ours === true
    if (!found && !isDue) continue
    yield observation(
      [...manifests(trace).slice(-1), ...(found ? [found.observed] : [])],
      !found
        ? `it declares ${name}, and handed over no event that way`
        : !declared[field]
          ? `it does not declare ${name}, and hands over events that way`
          : ours === false
            ? `it hands over events by ${name}, which the Software Service does not declare`
            : undefined,
    )
  }
}

/** The first event of a new order, and its channel. */
const createdIsFirst = eachOrder(function* (history, trace) {
  const [first] = history.events
  if (!first || distinctEvents(history, 'CREATED').length === 0) return
  const declared = declaredOrders(trace)?.originator
  const channel = channelRows.find(([, operation]) => operation === first.observed.operation)
  yield observation(
    [first.observed],
    first.eventType !== 'CREATED'
      ? `the first event that it emitted of ${orderPhrase(history)} is ${first.eventType}, not CREATED`
      : channel && declared?.[channel[2]] === false
        ? `it announced ${orderPhrase(history)} by ${channel[0]}, which it does not declare`
        : undefined,
  )
})

const eventForm = body(
  isObject,
  required('/eventId', isText),
  required('/eventType', isText),
  required('/orderId', isText),
)

export const orderHostChannelChecks = defineChecks(
  { ...orderHost, procedures: ['introduction', 'order-life'] },
  {
    'ORD-FLO-02': {
      assertion: createdIsFirst,
      remedy: 'Emit CREATED before any other event of an order, on a channel that you declare.',
    },
    'ORD-OPS-01': {
      assertion: every(
        ofTrace(each(answersOf('pollingEvents'), hasStatus(200, 204))),
        pollsHoldEvents,
      ),
      remedy: 'Answer a poll with 200 and the events that wait, or with 204.',
    },
    'ORD-OPS-02': {
      procedures: ['order-life'],
      assertion: pollsLeaveAcknowledged,
      remedy: 'Return an event that was acknowledged in no later poll.',
    },
    'ORD-OPS-03': {
      procedures: ['order-life'],
      assertion: each(callsOf('receiveOrderEvent'), requestIs(eventForm)),
      remedy:
        'Send each event alone as the body of a webhook, with eventId, eventType and orderId.',
    },
    'ORD-CHN-01': {
      assertion: declaredChannelsOnly,
      remedy:
        'Declare in the manifest whether you support webhook and polling, and hand events over accordingly.',
    },
    'ORD-CHN-02': {
      procedures: ['order-life'],
      assertion: neverCalls(
        /\/events(:polling|%3Apolling|\/acknowledgment)$/i,
        'it polls the Software Service, whose events come from it',
      ),
      remedy: 'Host polling, and call the webhook of the Software Service: never the other way.',
    },
  },
)
