/** Checks of the operations and the events of a Delivery Platform: LOG-GEN, LOG-OPS and LOG-EVT. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { parseManifest } from '../../../protocol/discovery/parse-manifest.ts'
import { Delivery } from '../../../protocol/logistics/bodies.ts'
import type { DeliveryStatus } from '../../../protocol/logistics/status.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { type Check, defineChecks, type Assertion } from '../check.ts'
import {
  answersOf,
  atSteps,
  bodyValue,
  each,
  every,
  fits,
  hasStatus,
  replyIs,
  observation,
  successful,
  where,
  isAcceptedCall,
} from '../assertion.ts'
import { inSessions } from '../status-life.ts'
import type { Observed, Trace } from '../trace.ts'
import { isFoundByOrder, isTaken, pullSendsNone } from './delivery-life.ts'
import { deliveryStatus } from './delivery-assertions.ts'
import {
  changesNothing,
  isReachable,
  lastAt,
  platformOperations,
  quietCalls,
  sentDeliveryEvents,
} from './delivery-assertions.ts'

const platform = { roles: ['delivery-platform'], needs: ['logistics'] } as const
const life = { ...platform, procedures: ['delivery-life'] } as const
const inLife = (step: string): string => `delivery-life/${step}`

/** A call, the read before it with the status in which it must be accepted, and what is answered. */
const calls = [
  ['LOG-OPS-02', 'create', 'createDelivery', undefined, 'POST /logistics/delivery'],
  [
    'LOG-OPS-05',
    'collected',
    'setDeliveryCollected',
    'ASSIGNED',
    'collected on an ASSIGNED delivery',
  ],
  [
    'LOG-OPS-06',
    'delivered',
    'setDeliveryDelivered',
    'IN_TRANSIT',
    'delivered on a delivery that is IN_TRANSIT',
  ],
  [
    'LOG-OPS-07',
    'problem',
    'reportDeliveryProblem',
    'IN_TRANSIT',
    'a problem report on a delivery that is IN_TRANSIT',
  ],
] as const satisfies readonly (readonly [
  clause: string,
  step: string,
  OperationId,
  DeliveryStatus | undefined,
  path: string,
])[]

const callCheck = ([clause, step, operation, status, path]: (typeof calls)[number]): Check => ({
  clauses: [clause],
  ...life,
  assertion: every(
    function* (trace) {
      const call = lastAt(trace, inLife(step))
      const read = status && lastAt(trace, inLife(`read-before-${step}`))
      if (!call || (status && (!read || deliveryStatus(read) !== status))) return
      yield observation([...(read ? [read] : []), call], hasStatus(202)(call, trace))
    },
    inSessions(each(successful(answersOf(operation)), hasStatus(202))),
    ...(status ? [isTaken(operation, status)] : []),
  ),
  remedy: `Answer ${path} with 202.`,
})

/** The tracking mode that the manifest declares. */
function trackingMode(trace: Trace): string | undefined {
  const manifest = lastAt(trace, 'delivery-lookups/manifest')
  const parsed = manifest && parseManifest(manifest.reply)
  return parsed?.ok ? parsed.value.capabilities['logistics']?.trackingMode : undefined
}

const eventsFollowMode: Assertion = function* (trace) {
  const manifest = lastAt(trace, 'delivery-lookups/manifest')
  const created = lastAt(trace, inLife('create'))
  const mode = trackingMode(trace)
  if (!manifest || !created || !isAcceptedCall(created) || mode === undefined) return
  const events = sentDeliveryEvents(trace).map(({ observed }) => observed)
  const problem =
    mode === 'push' && events.length === 0
      ? 'its manifest declares push, and it sent no delivery event'
      : mode === 'pull' && events.length > 0
        ? 'its manifest declares pull, and it sends delivery events'
        : undefined
  yield observation([manifest, created, ...events.slice(0, 2)], problem)
}

/** Statuses of an order that no delivery has. */
const orderWords: ReadonlySet<unknown> = new Set([
  'CONFIRMED',
  'PREPARING',
  'READY',
  'IN_DELIVERY',
  'CONCLUDED',
])

const isOfDelivery = ({ request }: Observed): string | undefined => {
  if (bodyValue(request, '/orderStatus') !== undefined) return 'a delivery event has an orderStatus'
  const words = ['/status', '/event/status'].map((pointer) => bodyValue(request, pointer))
  const found = words.find((word) => orderWords.has(word))
  return typeof found === 'string'
    ? `a delivery event states the status of an order: ${found}`
    : undefined
}

/** The scopes of tokens that were issued to the service, by the token. */
function grantedScopes(trace: Trace): ReadonlyMap<string, string> {
  const granted = new Map<string, string>()
  for (const { request, exchange, reply } of trace.calls('issueToken')) {
    const token = bodyValue(reply, '/access_token')
    const asked = isUnknownRecord(request)
      ? request['scope']
      : new URLSearchParams(exchange.request.body).get('scope')
    const scope = bodyValue(reply, '/scope') ?? asked
    if (typeof token === 'string' && typeof scope === 'string') granted.set(token, scope)
  }
  return granted
}

const allows = (scopes: string): boolean =>
  scopes
    .split(/\s+/)
    .some((scope) => scope === 'logistics.events.write' || /\.(logistics|all)$/.test(scope))

const eventsHaveScope: Assertion = function* (trace) {
  const granted = grantedScopes(trace)
  for (const { observed } of sentDeliveryEvents(trace)) {
    const token = observed.requestHeader('authorization')?.replace(/^Bearer\s+/i, '')
    const scopes = token === undefined ? undefined : granted.get(token)
    if (token === undefined) yield observation([observed], 'a delivery event carries no token')
    else if (scopes !== undefined)
      yield observation(
        [observed],
        !allows(scopes) &&
          `a delivery event carries a token with the scopes ${scopes}, without logistics.events.write`,
      )
  }
}

/** Statuses in which the food may become ready. */
const openStatuses: ReadonlySet<string> = new Set(['PENDING', 'ASSIGNED'])

/** The status of a delivery in the last read before a call about it. */
function statusBefore(trace: Trace, { exchange: { seq, orderId } }: Observed): string | undefined {
  const read = trace
    .answers('getDelivery')
    .findLast(({ exchange }) => exchange.seq < seq && exchange.orderId === orderId)
  return read && deliveryStatus(read)
}

export const platformOperationChecks = defineChecks(
  { ...platform, procedures: ['delivery-lookups', 'delivery-life', 'delivery-cancel'] },
  {
    'LOG-GEN-03': {
      assertion: function* (trace) {
        for (const operation of platformOperations) {
          const made = trace.answers(operation)
          const good = made.filter(isAcceptedCall)
          // A procedure that came to no end may have called it only where it is refused.
          const isTried = made.some(
            ({ step }) => step !== undefined && !((step.split('/')[0] ?? '') in trace.skipped),
          )
          if (good.length > 0 || isTried)
            yield observation(
              good.length > 0 ? good.slice(0, 3) : made.slice(0, 3),
              good.length === 0 && `it answers no call of ${operation} with success`,
            )
        }
      },
      remedy: 'Serve every operation of Logistics: the Delivery Platform is their provider.',
    },
  },
  calls.map(callCheck),
  {
    'LOG-OPS-03': {
      procedures: ['delivery-life', 'delivery-lookups'],
      assertion: every(
        each(atSteps(inLife('read-new')), hasStatus(200)),
        each(
          where(atSteps(inLife('read-new')), ({ status }) => status === 200),
          replyIs(fits(() => Delivery)),
        ),
        each(atSteps('delivery-lookups/read-unknown'), hasStatus(404)),
      ),
      remedy:
        'Answer a read of a delivery with 200 and the delivery, and with 404 for an unknown order.',
    },
    'LOG-OPS-04': {
      procedures: ['delivery-life', 'delivery-cancel'],
      assertion: every(
        isTaken('setDeliveryReadyForPickup', 'PENDING', 'ASSIGNED'),
        each(
          where(atSteps(inLife('ready'), 'delivery-cancel/transit-ready'), (call, trace) =>
            openStatuses.has(statusBefore(trace, call) ?? ''),
          ),
          hasStatus(202),
        ),
        (trace) =>
          changesNothing(
            quietCalls(trace, [
              [inLife('read-before-ready'), inLife('ready'), inLife('read-ready')],
              [
                'delivery-cancel/transit-read-assigned',
                'delivery-cancel/transit-ready',
                'delivery-cancel/transit-read-ready',
              ],
            ]).filter(({ from }) => openStatuses.has(from)),
            (from, to) => to !== 'DELIVERED' && isReachable(from, to),
          ),
      ),
      whyUnobserved: 'the courier acted in the moment of the only call: run it again',
      remedy: 'Answer ready-for-pickup with 202, and change no status because of it.',
    },
    'LOG-TEN-02': {
      procedures: ['delivery-life', 'delivery-cancel'],
      assertion: every(
        each(
          (trace) =>
            trace.at('delivery-life').filter(({ exchange }) => exchange.params !== undefined),
          ({ status, operation }) =>
            status === 404 && `it answered 404 to ${operation} by the orderId of the creation`,
        ),
        inSessions(isFoundByOrder),
      ),
      remedy: 'Find the delivery by the orderId of its creation in every path.',
    },
    'LOG-EVT-01': {
      ...life,
      assertion: each(
        (trace) => sentDeliveryEvents(trace).map(({ observed }) => observed),
        isOfDelivery,
      ),
      remedy: 'Tell of the delivery in delivery events, and never of the status of its order.',
    },
    'LOG-EVT-02': {
      procedures: ['delivery-lookups', 'delivery-life'],
      assertion: every(eventsFollowMode, inSessions(pullSendsNone)),
      remedy:
        'Send delivery events in the mode push, and none in the mode pull, as your manifest declares.',
    },
    'LOG-EVT-04': {
      ...life,
      assertion: eventsHaveScope,
      remedy: 'Send delivery events with a token that has the scope logistics.events.write.',
    },
  },
)
