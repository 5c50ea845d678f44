/** The life of each delivery at its platform, as reads, calls and events show it, and what of it no rule explains. */
import { LogisticsConduct } from '../../../protocol/logistics/conduct.ts'
import {
  deliveryStep,
  deliveryTargets,
  type DeliveryTrigger,
  isFinalDeliveryStatus,
} from '../../../protocol/logistics/lifecycle.ts'
import { readDeliveryEvent } from '../../../protocol/logistics/read.ts'
import { type DeliveryStatus, deliveryStatuses } from '../../../protocol/logistics/status.ts'
import { parseManifest } from '../../../protocol/discovery/parse-manifest.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { setBounded } from '../../../engine/bounded.ts'
import type { Assertion, Fold } from '../check.ts'
import { bodyValue, type Deviation, isDateTime, notice, observation } from '../assertion.ts'
import { eachMoment } from '../live.ts'
import {
  callsInStatus,
  Entities,
  isCleanSuccess,
  isDecided,
  isRefusedCall,
  isSettled,
  precedes,
  type SettledCall,
  type ReadSpan,
  StatusLife,
} from '../status-life.ts'
import type { Observed } from '../trace.ts'
import { orderOf } from './consumer-assertions.ts'
import { deliveryStatus, isReachable, isRow } from './delivery-assertions.ts'

type DeliverySpan = ReadSpan<DeliveryStatus>
export type DeliveryCall = SettledCall<DeliveryStatus>

/** A delivery event with what was known before it. */
interface EventMoment {
  readonly kind: 'event'
  readonly observed: Observed
  readonly orderId: string
  /** The order of the delivery that it names, as reads have shown it. */
  readonly knownOrderId: string | undefined
  /** As the manifest of the platform declares it. */
  readonly trackingMode: string | undefined
}

export type DeliveryMoment =
  | { readonly kind: 'span'; readonly span: DeliverySpan; readonly isRenewed: boolean }
  | EventMoment
  /** A read with an event: a later one must not contradict it. */
  | {
      readonly kind: 'compared'
      readonly event: Observed
      readonly said: DeliveryStatus
      readonly read: Observed
      readonly shown: DeliveryStatus
      readonly isEventFirst: boolean
    }
  /** A read after a creation that was accepted. */
  | { readonly kind: 'created'; readonly creation: Observed; readonly read: Observed }
  /** The end of a delivery whose cancellation was accepted; `from` is what was known of it then. */
  | {
      readonly kind: 'ended'
      readonly cancel: Observed
      readonly from: DeliveryStatus | undefined
      readonly shown: Observed
      readonly to: DeliveryStatus
    }
  /** The food is reported ready when the delivery was on its way. */
  | { readonly kind: 'ready-late'; readonly read: Observed; readonly call: Observed }

const triggers: Readonly<Partial<Record<OperationId, DeliveryTrigger>>> = {
  setDeliveryReadyForPickup: 'ready-for-pickup',
  setDeliveryCollected: 'collected',
  setDeliveryDelivered: 'delivered',
  reportDeliveryProblem: 'problem',
  cancelDelivery: 'cancel',
}

class DeliveryLife {
  readonly #status = new StatusLife<DeliveryStatus>()
  #creation: Observed | undefined
  #isRenewed = false
  #isReady = false
  #event: { readonly observed: Observed; readonly status: DeliveryStatus } | undefined
  /** As the latest read or event shows it. */
  #shown: DeliveryStatus | undefined
  #cancel: { readonly call: Observed; readonly from: DeliveryStatus | undefined } | undefined

  /** A call, also one that a fault has touched. */
  call(call: Observed): readonly DeliveryMoment[] {
    this.#status.call(call)
    if (call.operation === 'createDelivery') {
      this.#isRenewed = true
      this.#event = this.#shown = this.#cancel = undefined
      if (isCleanSuccess(call)) this.#creation ??= call
    }
    if (call.operation === 'cancelDelivery' && isCleanSuccess(call))
      this.#cancel ??= { call, from: this.#shown }
    if (call.operation !== 'setDeliveryReadyForPickup') return []
    const { status, lastRead: read } = this.#status
    const isLate =
      !this.#isReady &&
      this.#creation !== undefined &&
      (status === 'IN_TRANSIT' || status === 'DELIVERED')
    this.#isReady = true
    return isLate && read && precedes(read, call) ? [{ kind: 'ready-late', read, call }] : []
  }

  read(read: Observed): readonly DeliveryMoment[] {
    const creation = this.#creation
    const shown = deliveryStatus(read)
    const isAnswered = read.status === 404 || shown !== undefined
    const created: readonly DeliveryMoment[] =
      isAnswered && this.#status.status === undefined && creation && isSettled(creation, read)
        ? [{ kind: 'created', creation, read }]
        : []
    if (shown === undefined) return created
    const event = this.#event
    const compared: readonly DeliveryMoment[] =
      event && isSettled(event.observed, read)
        ? [
            {
              kind: 'compared',
              event: event.observed,
              said: event.status,
              read,
              shown,
              isEventFirst: true,
            },
          ]
        : []
    if (compared.length > 0) this.#event = undefined
    const ended = this.#ended(read, shown)
    const span = this.#status.read(read, shown)
    const isRenewed = this.#isRenewed
    this.#isRenewed = false
    return [
      ...created,
      ...compared,
      ...ended,
      ...(span ? [{ kind: 'span', span, isRenewed } as const] : []),
    ]
  }

  #ended(shown: Observed, to: DeliveryStatus): readonly DeliveryMoment[] {
    this.#shown = to
    const cancel = this.#cancel
    if (!cancel || !isFinalDeliveryStatus(to) || !precedes(cancel.call, shown)) return []
    this.#cancel = undefined
    return [{ kind: 'ended', cancel: cancel.call, from: cancel.from, shown, to }]
  }

  event(observed: Observed, said: DeliveryStatus): readonly DeliveryMoment[] {
    // One that comes late says less than one before it.
    if (!this.#event || isReachable(this.#event.status, said))
      this.#event = { observed, status: said }
    const { lastRead: read, status: shown } = this.#status
    const ended = this.#ended(observed, said)
    return read && shown && !this.#isRenewed
      ? [{ kind: 'compared', event: observed, said, read, shown, isEventFirst: false }, ...ended]
      : ended
  }
}

const maxDeliveryIds = 2000

class Deliveries {
  readonly #lives = new Entities(() => new DeliveryLife())
  /** The order of a delivery, by its own id. */
  readonly #orderIds = new Map<string, string>()
  #trackingMode: string | undefined

  take(observed: Observed): readonly DeliveryMoment[] {
    const { operation, isCall, exchange } = observed
    if (operation === 'receiveDeliveryEvent' && isCall) return this.#event(observed)
    if (isCall || operation === undefined) return []
    if (operation === 'getManifest' && isCleanSuccess(observed)) {
      const parsed = parseManifest(observed.reply)
      this.#trackingMode = parsed.ok
        ? parsed.value.capabilities['logistics']?.trackingMode
        : undefined
      return []
    }
    const orderId = orderOf(observed) ?? exchange.orderId
    if (orderId === undefined) return []
    if (operation === 'getDelivery') return this.#read(observed, orderId)
    return operation === 'createDelivery' || triggers[operation]
      ? this.#lives.of(orderId).call(observed)
      : []
  }

  #read(read: Observed, orderId: string): readonly DeliveryMoment[] {
    if (read.exchange.fault !== undefined) return []
    const id = bodyValue(read.reply, '/id')
    if (typeof id === 'string' && bodyValue(read.reply, '/orderId') === orderId)
      setBounded(this.#orderIds, id, orderId, maxDeliveryIds)
    return this.#lives.of(orderId).read(read)
  }

  #event(observed: Observed): readonly DeliveryMoment[] {
    if (observed.exchange.fault !== undefined) return []
    const { orderId, deliveryId } = readDeliveryEvent(observed.request)
    // What a name means is our reading; a status is what the documents have.
    const status = ['/status', '/event/status']
      .map((pointer) => bodyValue(observed.request, pointer))
      .find((word) => deliveryStatuses.some((one) => one === word)) as DeliveryStatus | undefined
    const knownOrderId = this.#orderIds.get(deliveryId ?? '')
    const trackingMode = this.#trackingMode
    return [
      { kind: 'event', observed, orderId, knownOrderId, trackingMode },
      ...(status === undefined || orderId === ''
        ? []
        : this.#lives.of(orderId).event(observed, status)),
    ]
  }
}

const deliveries: Fold<DeliveryMoment> = { begin: () => new Deliveries() }

/** What happened to each delivery, moment by moment. */
export const ofDeliveries = (
  judge: (moment: DeliveryMoment) => Iterable<ReturnType<typeof observation>>,
): Assertion => eachMoment(deliveries, judge)

/** Two reads of a delivery. */
export const eachDeliverySpan = (
  test: (span: DeliverySpan) => Deviation,
  applies: (span: DeliverySpan) => boolean,
): Assertion =>
  ofDeliveries(function* (moment) {
    // A creation after the end may make another delivery (LOG-UND-04).
    if (moment.kind !== 'span' || (moment.isRenewed && isFinalDeliveryStatus(moment.span.from)))
      return
    const { span } = moment
    if (applies(span)) yield observation([span.before, ...span.calls, span.after], test(span))
  })

/** A call in a status that the reads before and after it show. */
export const eachDeliveryCall = (
  test: (call: DeliveryCall) => Deviation,
  applies: (call: DeliveryCall) => boolean,
): Assertion =>
  ofDeliveries(function* (moment) {
    if (moment.kind !== 'span' || moment.isRenewed) return
    for (const settled of callsInStatus(moment.span))
      if (applies(settled))
        yield observation([settled.before, settled.call, settled.after], test(settled))
  })

/** A row that the documents leave to the platform is none that it must refuse. */
const lenient = LogisticsConduct.parse({
  cancelInTransit: 'cancel',
  problemStatuses: [...deliveryStatuses],
})

/** What a call does to a delivery in a status. */
export const deliveryStepOf = ({ operation }: Observed, status: DeliveryStatus) => {
  const trigger = operation && triggers[operation]
  return trigger && deliveryStep(status, trigger, lenient)
}

const callPhrase = ({ call, from }: DeliveryCall): string =>
  `it answered ${call.operation} in ${from} with ${call.status}`

/** The status to which a call leads. */
export const targetOf = ({ operation }: Observed): DeliveryStatus | undefined =>
  Object.entries(deliveryTargets).find(([name]) => operation && name === triggers[operation])?.[1]

/** A call that a row of the documents allows is accepted. */
export const isTaken = (operation: OperationId, ...statuses: readonly DeliveryStatus[]) =>
  eachDeliveryCall(
    (settled) => isRefusedCall(settled.call) && callPhrase(settled),
    ({ call, from }) => call.operation === operation && statuses.includes(from) && isDecided(call),
  )

/** A call whose target the delivery has reached already is accepted. */
export const repeatIsTaken = eachDeliveryCall(
  (settled) =>
    isRefusedCall(settled.call) && `${callPhrase(settled)}, which it has reached already`,
  ({ call, from }) => deliveryStepOf(call, from)?.kind === 'applied' && isDecided(call),
)

/** A call without a row is refused with 422. */
export const impossibleIsRefused = eachDeliveryCall(
  (settled) =>
    (isCleanSuccess(settled.call) || settled.call.status === 409) &&
    `${callPhrase(settled)}, not 422`,
  ({ call, from }) => deliveryStepOf(call, from)?.kind === 'refused' && isDecided(call),
)

/** The path names the order of a delivery that both reads show. */
export const isFoundByOrder = eachDeliveryCall(
  ({ call }) =>
    call.status === 404 && `it answered 404 to ${call.operation} by the orderId of the creation`,
  ({ call }) =>
    call.exchange.params?.['orderId'] !== undefined && (call.status === 404 || isDecided(call)),
)

/** One delivery keeps its id. */
const idOf = ({ reply }: Observed): unknown => bodyValue(reply, '/id')
const hasSameId = ({ before, after }: DeliverySpan): boolean => idOf(before) === idOf(after)
const isCreatedAgain = ({ calls }: DeliverySpan): boolean =>
  calls.some((call) => call.operation === 'createDelivery' && isCleanSuccess(call))

export const idStays = eachDeliverySpan(
  (span) =>
    !hasSameId(span) &&
    `the id of a delivery changes: ${String(idOf(span.before))}, ${String(idOf(span.after))}`,
  (span) => !isCreatedAgain(span),
)

export const creationIsTakenOnce = eachDeliverySpan(
  (span) => !hasSameId(span) && 'a repeated creation has made another delivery',
  (span) => isCreatedAgain(span) && !isFinalDeliveryStatus(span.from),
)

/** Changes between two reads, and between a read and an event, that concern FAILED, or do not. */
export const changes = (
  applies: (from: DeliveryStatus, to: DeliveryStatus) => boolean,
  test: (from: DeliveryStatus, to: DeliveryStatus) => Deviation,
): Assertion =>
  eachDeliverySpan(
    ({ from, to }) => test(from, to),
    ({ from, to }) => from !== to && applies(from, to),
  )

/** What an event says is on the way to what a later read shows; one that comes late may be of a time before. */
export const eventsFollow = ofDeliveries(function* (moment) {
  if (moment.kind !== 'compared') return
  const { event, said, read, shown, isEventFirst } = moment
  const rows = isEventFirst ? [isRow(said, shown)] : [isRow(shown, said), isRow(said, shown)]
  const text = `an event says that a delivery is ${said}, and ${isEventFirst ? 'a later read shows' : 'the read before it has shown'} ${shown}`
  yield observation(
    isEventFirst ? [event, read] : [read, event],
    rows.includes(undefined)
      ? undefined
      : rows.some((row) => typeof row === 'object')
        ? notice(text)
        : text,
  )
})

/** Whose cancellation is accepted is not delivered: on its way it may be too late for that, and then it is refused. */
export const cancelledIsNotDelivered = ofDeliveries(function* (moment) {
  if (moment.kind !== 'ended') return
  const { cancel, from, shown, to } = moment
  const text = `it answered cancelDelivery${from === undefined ? '' : ` in ${from}`} with ${cancel.status}, and the delivery is DELIVERED`
  const isWaiting = from === 'PENDING' || from === 'ASSIGNED'
  yield observation([cancel, shown], to === 'DELIVERED' && (isWaiting ? text : notice(text)))
})

/** The food was ready before a delivery was collected. */
export const collectedWhenReady = ofDeliveries(function* (moment) {
  if (moment.kind === 'ready-late')
    yield observation(
      [moment.read, moment.call],
      notice('it shows a delivery as collected before its food was reported ready'),
    )
})

export const createdIsShown = ofDeliveries(function* (moment) {
  if (moment.kind === 'created')
    yield observation(
      [moment.creation, moment.read],
      moment.read.status === 404 && 'it answered 404 to a read of a delivery that was created',
    )
})

export const eventsNameTheOrder = ofDeliveries(function* (moment) {
  if (moment.kind !== 'event') return
  const { observed, orderId, knownOrderId } = moment
  yield observation(
    [observed],
    orderId === ''
      ? 'a delivery event has no orderId'
      : knownOrderId !== undefined && knownOrderId !== orderId
        ? `an event of the delivery of the order ${knownOrderId} has another orderId`
        : undefined,
  )
})

export const pullSendsNone = ofDeliveries(function* (moment) {
  if (moment.kind === 'event' && moment.trackingMode === 'pull')
    yield observation([moment.observed], 'its manifest declares pull, and it sends delivery events')
})

/** Entries that a delivery shows of its problems, under any of their names. */
export function problemsIn({ reply }: Observed): readonly unknown[] | undefined {
  const found = ['/problems', '/problem', '/incidents', '/problemHistory']
    .map((pointer) => bodyValue(reply, pointer))
    .find(Array.isArray)
  return found as readonly unknown[] | undefined
}

/** What a problem says of itself; whether it is solved, and when it was last observed, may change. */
const problemText = (entry: unknown): string =>
  JSON.stringify(
    isUnknownRecord(entry)
      ? Object.entries(entry)
          .filter(([, value]) => typeof value === 'string' && isDateTime(value) !== undefined)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
      : entry,
  )

/** Entries of a list that another one does not have, each as often as it comes. */
const missingOf = (had: readonly unknown[], has: readonly unknown[]): number => {
  const left = has.map(problemText)
  return had.filter((entry) => {
    const at = left.indexOf(problemText(entry))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  }).length
}

/** Reports between two reads that were accepted, and had time to show; the same one may have been tried again. */
const reportsIn = ({ calls, after }: DeliverySpan): number =>
  new Set(
    calls
      .filter(
        (call) =>
          call.operation === 'reportDeliveryProblem' &&
          isCleanSuccess(call) &&
          // A procedure reads it at once, to see.
          (call.step !== undefined || isSettled(call, after)),
      )
      .map(({ exchange }) => exchange.request.body),
  ).size

/** Problems that were shown are shown again, and each report is one more. */
export const problemsStay = eachDeliverySpan(
  (span) => {
    const [had, has] = [problemsIn(span.before) ?? [], problemsIn(span.after) ?? []]
    if (missingOf(had, has) > 0) return 'it no longer shows an earlier problem of a delivery'
    const reports = reportsIn(span)
    return (
      has.length < had.length + reports &&
      `it shows ${has.length} problems after ${had.length} and ${reports === 1 ? 'one report' : `${reports} reports`}`
    )
  },
  (span) =>
    problemsIn(span.after) !== undefined &&
    ((problemsIn(span.before) ?? []).length > 0 || reportsIn(span) > 0),
)

/** A problem report alone cancels nothing. */
export const problemEndsNothing = eachDeliverySpan(
  ({ to }) =>
    to === 'CANCELLED' && 'after a problem report in IN_TRANSIT the delivery is CANCELLED',
  ({ from, calls, isWhole }) =>
    from === 'IN_TRANSIT' &&
    isWhole &&
    calls.length > 0 &&
    calls.every((call) => call.operation === 'reportDeliveryProblem' && isCleanSuccess(call)),
)

/** A call without a row, after which the delivery is where it would lead: the courier alone seldom takes it so far. */
export const impossibleMovesNothing = eachDeliverySpan(
  ({ calls: [call], from, to }) =>
    call && isCleanSuccess(call)
      ? notice(`it answered ${call.operation} in ${from} with ${call.status}, and is ${to} now`)
      : undefined,
  ({ calls, from, to, isWhole, before, after }) => {
    const [call, more] = calls
    const trigger = call?.operation && triggers[call.operation]
    if (!call || more || !isWhole || trigger === undefined || from === to) return false
    const step = deliveryStep(from, trigger, lenient)
    return step.kind === 'refused' && targetOf(call) === to && precedes(before, after)
  },
)
