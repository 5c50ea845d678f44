/** Checks of the rules of a delivery at its platform: LOG-RUL, and the tension of a cancel in IN_TRANSIT. */
import { defineChecks, type Assertion } from '../check.ts'
import {
  type Deviation,
  every,
  hasStatus,
  isAcceptedCall,
  notice,
  observation,
} from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { type DeliveryStatus, deliveryStatuses } from '../../../protocol/logistics/status.ts'
import { hasErrorCode } from '../transport/error-body.ts'
import {
  creationIsTakenOnce,
  deliveryStepOf,
  impossibleIsRefused,
  impossibleMovesNothing,
  isTaken,
  problemEndsNothing,
  problemsStay,
  repeatIsTaken,
  targetOf,
} from './delivery-life.ts'
import {
  changesNothing,
  deliveryStatus,
  deliveryStatusAt,
  isBackwards,
  isReachable,
  lastAt,
  quietCalls,
  readsByOrder,
} from './delivery-assertions.ts'
import { orderOf } from './consumer-assertions.ts'
import { inSessions } from '../status-life.ts'

const platform = { roles: ['delivery-platform'], needs: ['logistics'] } as const
const life = { ...platform, procedures: ['delivery-life'] } as const
const cancels = { ...platform, procedures: ['delivery-cancel'] } as const

const inLife = (step: string): string => `delivery-life/${step}`
const inCancel = (step: string): string => `delivery-cancel/${step}`

/** Cancels in the two statuses in which they must be possible. */
const cancelsAccepted: Assertion = function* (trace) {
  for (const label of ['pending', 'assigned']) {
    const before = lastAt(trace, inCancel(`${label}-read-before`))
    const call = lastAt(trace, inCancel(`${label}-cancel`))
    const status = before && deliveryStatus(before)
    if (before && call && (status === 'PENDING' || status === 'ASSIGNED'))
      yield observation([before, call], hasStatus(202)(call, trace))
  }
}

/** A call of a procedure, and the reads around it: the delivery was in one of these statuses when it came. */
interface PlacedCall {
  readonly call: Observed
  readonly before: Observed
  readonly from: DeliveryStatus
  readonly to: DeliveryStatus | undefined
  readonly statuses: readonly DeliveryStatus[]
}

/** A courier may act between the read before a call and the one after it. */
function* placedCalls(trace: Trace): Iterable<PlacedCall> {
  const reads = readsByOrder(trace)
  for (const call of ['delivery-life', 'delivery-cancel', 'delivery-failure'].flatMap(trace.at)) {
    const { seq, orderId } = call.exchange
    const ofOrder = reads.get(orderOf(call) ?? orderId ?? '') ?? []
    const before = ofOrder.findLast(({ exchange }) => exchange.seq < seq)
    const after = ofOrder.find(({ exchange }) => exchange.seq > seq)
    const [from, to] = [before, after].map((read) => read && deliveryStatus(read))
    if (call.operation === 'getDelivery' || !before || !from) continue
    const statuses = deliveryStatuses.filter(
      (status) => isReachable(from, status) && (!to || isReachable(status, to)),
    )
    if (statuses.length > 0) yield { call, before, from, to, statuses }
  }
}

const answerProblem = ({ call, from }: PlacedCall, expected: number, trace: Trace): Deviation => {
  const problem = hasStatus(expected)(call, trace)
  return typeof problem === 'string' && `${problem} to ${call.operation} in ${from}`
}

/** Each call that no row allows is refused; the status stays. */
const invalidIsRefused: Assertion = function* (trace) {
  for (const placed of placedCalls(trace)) {
    const { call, before, statuses } = placed
    if (statuses.some((status) => deliveryStepOf(call, status)?.kind !== 'refused')) continue
    const problem = answerProblem(placed, 422, trace)
    yield observation(
      [before, call],
      problem || (!hasErrorCode(call.reply) && 'its 422 has no error body'),
    )
  }
}

/** Calls without a row that lead where they would. A courier may have come before a single one, and not before each. */
const invalidMovesNothing: Assertion = function* (trace) {
  const calls = [...placedCalls(trace)].filter(
    ({ call, from }) => deliveryStepOf(call, from)?.kind === 'refused',
  )
  const alike = Map.groupBy(calls, ({ call, from }) => `${call.operation} in ${from}`)
  for (const [name, all] of alike) {
    const isMoved = ({ call, to }: PlacedCall): boolean =>
      isAcceptedCall(call) && to === targetOf(call)
    const isCertain = all.length > 1 && all.every(isMoved)
    for (const { before, call, to } of all.filter(isMoved)) {
      const text = `it answered ${name} with ${call.status}, and is ${to} now`
      yield observation([before, call], isCertain ? text : notice(text))
    }
  }
}

/** The food is ready already, or there is the delivery; what is answered when it is past that is open (LOG-UND-04). */
const repeatsOfState: Readonly<Record<string, readonly DeliveryStatus[]>> = {
  [inLife('repeat-create')]: ['PENDING'],
  [inLife('repeat-ready')]: ['PENDING', 'ASSIGNED'],
}

/** Each call whose target is reached already is taken. */
const repeatsAreTaken: Assertion = function* (trace) {
  for (const placed of placedCalls(trace)) {
    const { call, before, statuses } = placed
    const repeated = repeatsOfState[call.step ?? '']
    const isReached = (status: DeliveryStatus): boolean =>
      repeated?.includes(status) ?? deliveryStepOf(call, status)?.kind === 'applied'
    if (statuses.every(isReached))
      yield observation([before, call], answerProblem(placed, 202, trace))
  }
}

export const platformRuleChecks = defineChecks(
  { ...platform, procedures: ['delivery-life', 'delivery-cancel'] },
  {
    'LOG-RUL-01 LOG-OPS-08': {
      ...cancels,
      assertion: every(cancelsAccepted, isTaken('cancelDelivery', 'PENDING', 'ASSIGNED')),
      remedy: 'Answer cancel with 202 while the delivery is PENDING or ASSIGNED.',
    },
    'LOG-RUL-02 LOG-TEN-01': {
      ...cancels,
      assertion: function* (trace) {
        const [before, call, after] = ['read-before', 'cancel', 'read-cancelled'].map((step) =>
          lastAt(trace, inCancel(`transit-${step}`)),
        )
        if (!before || !call || deliveryStatus(before) !== 'IN_TRANSIT') return
        const status = after && deliveryStatus(after)
        const observed = [before, call, ...(after ? [after] : [])]
        if (call.status === 422)
          yield observation(
            observed,
            !hasErrorCode(call.reply)
              ? 'its 422 has no error body'
              : status === 'IN_TRANSIT' ||
                  status === 'DELIVERED' ||
                  isBackwards('IN_TRANSIT', status)
                ? undefined
                : `it refused a cancel in IN_TRANSIT, and the delivery is ${status ?? 'not readable'}`,
          )
        else if (call.status !== 202) yield observation(observed, hasStatus(202, 422)(call, trace))
        else
          yield observation(
            observed,
            status === 'CANCELLED' || status === 'FAILED'
              ? notice(`it accepted a cancel in IN_TRANSIT, and the delivery is ${status}`)
              : `it accepted a cancel in IN_TRANSIT, and the delivery is ${status ?? 'not readable'}`,
          )
      },
      remedy: 'Refuse a cancel in IN_TRANSIT with 422, or end the delivery as CANCELLED or FAILED.',
      noticeRemedy:
        'Refuse a cancel in IN_TRANSIT with 422: no row leads from there to CANCELLED, which means cancelled before pickup.',
    },
    'LOG-RUL-03': {
      procedures: ['delivery-life', 'delivery-failure'],
      assertion: every(problemEndsNothing, (trace) => {
        const reports = quietCalls(trace, [
          [inLife('read-before-problem'), inLife('problem'), inLife('read-problem')],
          [inLife('read-problem'), inLife('problem-again'), inLife('read-problems')],
          [
            'delivery-failure/read-collected',
            'delivery-failure/problem',
            'delivery-failure/read-failed',
          ],
        ]).filter(({ from }) => from === 'IN_TRANSIT')
        const failed = reports.filter(({ after }) => deliveryStatus(after) === 'FAILED')
        return [
          // A problem may be one that cannot be recovered.
          ...failed.map(({ call, after }) => observation([call, after], undefined)),
          ...changesNothing(
            reports.filter((report) => !failed.includes(report)),
            (_, to) => to === 'DELIVERED',
          ),
        ]
      }),
      whyUnobserved: 'the ride ended in the moment of the only problem report: run it again',
      remedy:
        'Keep a delivery IN_TRANSIT after a problem report, unless it cannot be recovered: FAILED.',
    },
    'LOG-RUL-04': {
      ...life,
      assertion: problemsStay,
      remedy: 'Add an entry for each problem report, and never replace an earlier one.',
    },
    'LOG-RUL-05': {
      assertion: every(repeatsAreTaken, inSessions(repeatIsTaken), creationIsTakenOnce),
      remedy: 'Answer a call whose target is reached already with 202, and change nothing.',
    },
    'LOG-RUL-06': {
      procedures: ['delivery-life', 'delivery-cancel', 'delivery-failure'],
      assertion: every(
        invalidIsRefused,
        invalidMovesNothing,
        inSessions(impossibleIsRefused),
        inSessions(impossibleMovesNothing),
        function* (trace) {
          for (const [step, status, targets] of [
            [inLife('read-end'), 'DELIVERED', ['CANCELLED']],
            [inCancel('pending-read-end'), 'CANCELLED', ['IN_TRANSIT', 'DELIVERED']],
          ] as const) {
            const read = lastAt(trace, step)
            const shown = read && deliveryStatus(read)
            const reached = deliveryStatusAt(
              trace,
              status === 'DELIVERED'
                ? inLife('read-delivered')
                : inCancel('pending-read-cancelled'),
            )
            // Where no call leads it has gone by itself (LOG-STA-01).
            const isMoved = targets.some((target) => target === shown)
            if (read && reached === status && (isMoved || shown === status))
              yield observation(
                [read],
                isMoved &&
                  `a call that it must refuse changed the delivery from ${status} to ${shown}`,
              )
          }
        },
      ),
      remedy:
        'Answer a transition that is in no row with 422 and an error body, and change nothing.',
    },
  },
)
