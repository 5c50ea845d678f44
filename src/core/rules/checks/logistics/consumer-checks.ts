/** Checks of a consumer of Logistics: LOG-GEN, LOG-CON, and what the operations and fields ask of their caller. */
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { shortValue } from '../../../protocol/issue-text.ts'
import { isFinalDeliveryStatus } from '../../../protocol/logistics/lifecycle.ts'
import { endOf } from '../../../traffic/exchange.ts'
import { type Check, defineChecks } from '../check.ts'
import {
  answersOf,
  bodyValue,
  callsOf,
  type Deviation,
  each,
  every,
  hasStatusClass,
  isText,
  momentsOf,
  required,
  notice,
  observation,
  where,
} from '../assertion.ts'
import { ofTrace } from '../live.ts'
import { capabilityIn } from '../transport/manifests.ts'
import type { Observed, Trace } from '../trace.ts'
import {
  about,
  cancellationOf,
  creationsOf,
  eachNotedOrder,
  follows,
  reportsOf,
} from './consumer-assertions.ts'
import { consumedDeliveries } from './consumer-life.ts'
import { areSamePlaces } from './delivery-places.ts'
import { platformOperations } from './delivery-assertions.ts'
import { orderOf } from './consumer-assertions.ts'

const consumers = {
  roles: ['software-service', 'ordering-application'],
  needs: ['logistics'],
} as const
const consumed = { ...consumers, procedures: ['consumed-delivery'] } as const
const cancelled = { ...consumers, procedures: ['cancelled-delivery'] } as const

/** Our Delivery Platform has understood the call, whatever came of it. */
const isUnderstood = ({ operation, status }: Observed): string | undefined =>
  [400, 404, 405, 415].includes(status)
    ? `its call of ${operation} is answered ${status}`
    : undefined

const waitsForEffect = eachNotedOrder('cancelled order', function* (orderId, trace) {
  const accepted = about(trace, orderId, 'cancelDelivery').find(({ status }) => status === 202)
  const reports = reportsOf(trace, orderId)
  if (!accepted) return
  const ended = cancellationOf(trace, orderId)
  // What it did before it cancelled the delivery does not follow from that.
  const acted = ended && ended.exchange.startedAt >= endOf(accepted.exchange) ? ended : undefined
  const shown = reports.find(
    ({ status, by }) => status === 'CANCELLED' && by.exchange.seq > accepted.exchange.seq,
  )
  yield observation(
    [accepted, ...(shown ? [shown.by] : []), ...(acted ? [acted] : [])],
    acted && (!shown || shown.at > acted.exchange.startedAt)
      ? 'it acts on the cancel of a delivery before an event or a read has shown it'
      : undefined,
  )
})

const cancelsDeliveryFirst = eachNotedOrder('cancelled order', function* (orderId, trace) {
  const acted = cancellationOf(trace, orderId)
  if (!acted) return
  const before = acted.exchange.seq
  const known = reportsOf(trace, orderId).findLast(({ by }) => by.exchange.seq < before)
  const [cancel] = about(trace, orderId, 'cancelDelivery')
  const isOpen = known
    ? !isFinalDeliveryStatus(known.status)
    : creationsOf(trace, orderId).some(({ exchange }) => exchange.seq < before)
  // What a poll shows may have come about as long as it was under way.
  const shownAt = acted.isCall ? acted.exchange.startedAt : endOf(acted.exchange)
  const isFirst = cancel !== undefined && cancel.exchange.startedAt <= shownAt
  if (isFirst || isOpen)
    yield observation(
      [...(cancel ? [cancel] : []), acted],
      isFirst
        ? undefined
        : trace.role === 'software-service'
          ? notice(
              'it asks to cancel an order without a cancel of its open delivery before; the request may be denied, and the documents do not say that the delivery is to be cancelled all the same',
            )
          : 'it cancels an order without a cancel of its open delivery before',
    )
})

/** By which names of the public standard others may be sent (LOG-UND-05). */
const standIns = { merchant: '/merchantId', pickup: '/origin', dropoff: '/destination' }

function placeProblem(request: unknown): string | undefined {
  for (const [name, standIn] of Object.entries(standIns)) {
    const own = bodyValue(request, `/${name}`) ?? undefined
    const value = own ?? bodyValue(request, standIn)
    const isId = own === undefined && name === 'merchant' && typeof value === 'string'
    if (!isUnknownRecord(value) && !isId)
      return own === undefined
        ? `its creation has no ${name}`
        : `its ${name} is ${shortValue(own)}, not an object`
  }
  return undefined
}

/** No fault of ours has touched it. */
const isUntouched = ({ exchange }: Observed): boolean => exchange.fault === undefined

/** One question may do for several creations between the same places: the documents do not say how long it holds. */
function asksBefore(creation: Observed, trace: Trace): Deviation {
  const before = trace
    .calls('checkDeliveryAvailability')
    .filter(({ exchange }) => exchange.seq < creation.exchange.seq)
    .map((question) => ({
      isOwn: [undefined, orderOf(creation)].includes(orderOf(question)),
      isSame: areSamePlaces(question, creation),
    }))
  if (before.some(({ isOwn, isSame }) => isOwn && isSame !== false)) return undefined
  if (before.some(({ isSame }) => isSame))
    return notice('it creates a delivery, and asked for availability for another order only')
  return `it creates a delivery without a question for availability${before.some(({ isOwn }) => isOwn) ? ' between its places' : ''}`
}

/** The service has read that our Delivery Platform pushes nothing. */
const readsPull = (trace: Trace): boolean =>
  trace
    .calls('getManifest')
    .filter((read) => read.exchange.to.role === 'delivery-platform' && isUntouched(read))
    .some(({ reply }) => capabilityIn(reply, 'logistics')?.block['trackingMode'] === 'pull')

const readsWhatIsPulled = eachNotedOrder('delivered order', function* (orderId, trace) {
  const created = creationsOf(trace, orderId)
  if (created.length === 0 || !readsPull(trace)) return
  const followed = follows(orderId, trace)
  yield observation(
    [...created, ...followed.slice(0, 2)],
    followed.length === 0 &&
      'it does not read the delivery of a platform whose trackingMode is pull',
  )
})

type Consumer = 'software-service' | 'ordering-application'

const checksOf = (role: Consumer): readonly Check[] => [
  {
    clauses: ['LOG-CON-03'],
    ...cancelled,
    roles: [role],
    level: 'SHOULD',
    assertion:
      role === 'ordering-application'
        ? every(waitsForEffect, momentsOf(consumedDeliveries)('LOG-CON-03'))
        : waitsForEffect,
    remedy: 'Take 202 for a receipt, and wait for an event or a read that shows the new status.',
  },
  {
    clauses: ['LOG-CON-04'],
    ...cancelled,
    roles: [role],
    assertion: cancelsDeliveryFirst,
    remedy: 'Cancel the delivery before you cancel its order.',
  },
]

export const consumerChecks = defineChecks(
  consumed,
  {
    'LOG-GEN-04': {
      roles: ['software-service'],
      assertion: eachNotedOrder('delivered order', function* (orderId, trace) {
        if (creationsOf(trace, orderId).length === 0) return
        const ready = about(trace, orderId, 'setDeliveryReadyForPickup')
        const followed = follows(orderId, trace)
        yield observation(
          [...ready, ...followed.slice(0, 2)],
          ready.length === 0
            ? 'it signals no ready-for-pickup to the platform'
            : followed.length === 0
              ? 'it follows the delivery neither by events nor by reads'
              : undefined,
        )
      }),
      remedy: 'Tell the platform that the food is ready, and follow the delivery to its end.',
    },
    'LOG-GEN-05': {
      roles: ['ordering-application'],
      assertion: eachNotedOrder('delivered order', function* (orderId, trace) {
        const created = creationsOf(trace, orderId)
        if (created.length === 0) return
        const followed = follows(orderId, trace)
        yield observation(
          [...created, ...followed.slice(0, 2)],
          followed.length === 0 && 'it follows the delivery neither by events nor by reads',
        )
      }),
      remedy: 'Create the delivery of an order, and follow its status by events or by reads.',
    },
    'LOG-FLD-02': {
      assertion: every(
        each(callsOf('createDelivery'), ({ request }) => required('/orderId', isText)(request)),
        each(
          where(
            callsOf('checkDeliveryAvailability'),
            ({ request }) => isUnknownRecord(request) && 'orderId' in request,
          ),
          ({ request }) => required('/orderId', isText)(request),
        ),
      ),
      remedy:
        'Send the orderId with the creation of a delivery: a text, the same in every later call.',
    },
    'LOG-FLD-04': {
      assertion: each(callsOf('createDelivery'), ({ request }) => placeProblem(request)),
      remedy: 'Send merchant, pickup and dropoff as objects with the creation of a delivery.',
    },
    'LOG-RUL-02': {
      ...consumers,
      procedures: ['refused-delivery-cancel'],
      assertion: eachNotedOrder('refused order', function* (orderId, trace) {
        const cancels = about(trace, orderId, 'cancelDelivery')
        const refused = cancels.findIndex(({ status }) => status === 422)
        if (refused >= 0)
          yield observation(
            cancels,
            refused < cancels.length - 1 && 'it repeats a cancel that was refused with 422',
          )
      }),
      remedy: 'Take a 422 to a cancel for a failure, involve support, and do not repeat it.',
    },
    'LOG-OPS-04': {
      assertion: ofTrace(each(callsOf('setDeliveryReadyForPickup'), isUnderstood)),
      remedy: 'Call POST /logistics/delivery/{orderId}/ready-for-pickup once the food is ready.',
    },
    'LOG-OPS-08': {
      ...cancelled,
      assertion: ofTrace(each(callsOf('cancelDelivery'), isUnderstood)),
      remedy: 'Cancel a delivery by POST /logistics/delivery/{orderId}/cancel.',
    },
    'LOG-TEN-02': {
      assertion: function* (trace) {
        const created = new Set(trace.calls('createDelivery').map(orderOf))
        for (const call of trace.calls(...platformOperations)) {
          const { params } = call.exchange
          if (params?.['orderId'] === undefined || created.size === 0) continue
          yield observation(
            [call],
            !created.has(params['orderId']) &&
              `its call of ${call.operation} names ${params['orderId']}, which is no orderId of a creation`,
          )
        }
      },
      remedy: 'Name a delivery by the orderId of its creation in every path.',
    },
    'LOG-CON-01': {
      // Of a session nothing is known of questions before the service has begun anew, or of those under way.
      assertion: ofTrace(each(where(callsOf('createDelivery'), isUntouched), asksBefore)),
      remedy: 'Ask for availability between the same places before you create a delivery.',
    },
    'LOG-CON-02': {
      ...consumers,
      procedures: ['declined-delivery'],
      assertion: eachNotedOrder('declined order', function* (orderId, trace) {
        const asked = about(trace, orderId, 'checkDeliveryAvailability')
        const isDeclined = ({ reply }: Observed): boolean =>
          bodyValue(reply, '/available') === false
        const declined = asked.find(isDeclined)
        const [creation] = about(trace, orderId, 'createDelivery')
        if (!declined) return
        // It may ask again later, and be answered otherwise.
        const last = asked.findLast(
          ({ exchange }) => !creation || exchange.seq < creation.exchange.seq,
        )
        yield observation(
          [declined, ...(creation ? [creation] : [])],
          creation &&
            last &&
            isDeclined(last) &&
            'it creates a delivery at a platform that is not available',
        )
      }),
      remedy: 'Create no delivery where available is false, and try another platform.',
    },
    'LOG-CON-05': {
      assertion: every(
        each(
          where(answersOf('receiveDeliveryEvent'), ({ request }) => isUnknownRecord(request)),
          hasStatusClass(2),
        ),
        readsWhatIsPulled,
      ),
      remedy:
        'Answer pushed delivery events with 2xx, and read deliveries where trackingMode is pull.',
    },
  },
  checksOf('software-service'),
  checksOf('ordering-application'),
)
