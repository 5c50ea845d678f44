/**
 * Detects anomalies in the answers and calls of the recorded partner and maps them to faults of the catalogue: errors,
 * missing or late answers, lost answers. Valid refusals are no faults.
 */
import { compact } from '../../core/base/compact.ts'
import { msUntilDate } from '../../core/rules/invariants/helpers/call-outcome.ts'
import { valueAt } from '../../core/rules/invariants/tracking/exchange-fields.ts'
import { operation as rowOf, operations } from '../../core/protocol/catalogue.ts'
import type { Anomaly, PartnerDecision, RecordedFaultSpec } from '../../core/scenario/decision.ts'
import { lifecycleOf } from './calls.ts'
import { type CrashOptions, isCrash, type RecordingHistory } from './history.ts'
import { type EventHistory, statusAt, type RecordedCall } from './order-history.ts'
import { median } from './pace.ts'
import { roundDelay } from './time-axis.ts'

/** An answer is late beyond all: this duration in ms, a multiple of the median, and of the resolution. */
const slowMs = 1000
const slowFactor = 8
const slowSteps = 10

/** The most tries that `burst` takes. */
const maxBurst = 100

const failStatuses: ReadonlySet<number> = new Set([500, 502, 503, 504])
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 409, 422])

type Options = Readonly<Record<string, unknown>>
interface Distortion {
  readonly name: string
  readonly options: Options
}

const ownFaultNames: ReadonlySet<string> = new Set([
  'truncate',
  'slow-body',
  'hang',
  'reset',
  'drop-response',
])

export interface AnswerContext {
  readonly history: RecordingHistory
  /** How a crash of the recorded session ends and starts the service, where that is known. */
  readonly crash: CrashOptions | undefined
  /** How long the service was away then. */
  readonly downMs: number
  /** The messages at which it was ended. */
  readonly crashed: readonly RecordedCall[]
  readonly warn: (text: string) => void
}

/** Whether a failed call took effect nevertheless, before it was retried. */
function tookEffect(call: RecordedCall, { history }: AnswerContext): boolean {
  const order = history.orders.find(({ orderId }) => orderId === call.orderId)
  const { trigger } = call
  if (!order || !trigger) return false
  const next = order.calls.find(
    ({ operation, seq }) => operation === call.operation && seq > call.seq,
  )
  // Never retried, and yet the status was reached.
  if (!next && order.stages.some(({ status }) => status === call.target)) return true
  const before = statusAt(order, call.began)
  const then = order.stages.find(({ at }) => at >= call.began && at < (next?.began ?? Infinity))
  if (!before || !then || !order.type) return false
  const moved = lifecycleOf(call).step(before, trigger, order.type)
  return moved.kind === 'moves' && moved.row.to === then.status
}

/** Whether a refusal is invalid: the lifecycle allows the call in the status at that time. */
function isWrongRefusal(call: RecordedCall, { history }: AnswerContext): boolean {
  // Without times the status is unknown; only the recorded fault can tell.
  if (!history.axis.hasExchangeTimes) return call.fault === 'refuse'
  const order = history.orders.find(({ orderId }) => orderId === call.orderId)
  const { trigger } = call
  const status = order && statusAt(order, call.began)
  if (!order?.type || !trigger || !status) return false
  const { kind } = lifecycleOf(call).step(status, trigger, order.type)
  return kind === 'moves' || kind === 'applied'
}

/** A header that is no time, or one beyond any number, is as good as absent. */
const retryOf = ({ observed, ended }: RecordedCall): Options => {
  const retryAfter = observed.responseHeader('retry-after')?.trim() ?? ''
  const inSeconds = /^\d+$/.test(retryAfter)
  const by = Math.max(
    1000,
    Math.round(
      inSeconds ? Number(retryAfter) * 1000 : msUntilDate(Date.parse(retryAfter), observed),
    ),
  )
  if (!Number.isSafeInteger(by) || (!inSeconds && ended < 0)) return { retry: 'absent' }
  return inSeconds ? { by } : { retry: 'date', by }
}

/** An expired token is answered 401 too; `revoke` when the service fetched a new one. */
function unauthorized(call: RecordedCall, { history }: AnswerContext): Distortion {
  const next = history.calls.find(({ seq, from }) => seq > call.seq && from === call.from)
  return {
    name: 'unauthorized',
    options: next?.operation === 'issueToken' ? { revoke: true } : {},
  }
}

function byStatus(call: RecordedCall, answering: AnswerContext): Distortion | undefined {
  const { status } = call
  if (failStatuses.has(status)) {
    const effect = tookEffect(call, answering) ? { effect: 'after' } : {}
    const isPage = /^\s*</.test(call.observed.exchange.reply?.body ?? '')
    const options = { ...(status === 503 ? {} : { status }), ...effect }
    return { name: 'fail', options: { ...options, ...(isPage ? { page: true } : {}) } }
  }
  if (status === 429) return { name: 'rate-limit', options: retryOf(call) }
  if (status === 401 && call.operation !== 'issueToken') return unauthorized(call, answering)
  if (refusals.has(status) && isWrongRefusal(call, answering))
    return { name: 'refuse', options: status === 409 ? {} : { status } }
  return undefined
}

const isAcknowledgment = ({ operation }: RecordedCall): boolean =>
  operation !== undefined && rowOf(operation).handler.name === 'events.acknowledge'

/** The process of the service was ended at this message: at which moment shows by what became of it. */
function byCrash(call: RecordedCall, answering: AnswerContext): Distortion | undefined {
  const { operation, observed, status } = call
  const { crash } = answering
  if (!isCrash(call) || operation === undefined) return undefined
  const isAnswered = status > 0
  if (observed.caller === 'sparring' || isAcknowledgment(call))
    return { name: 'crash', options: { when: isAnswered ? 'after-ack' : 'before-ack', ...crash } }
  const moment = tookEffect(call, answering) ? 'before-answer' : 'during-call'
  return { name: 'crash', options: { when: isAnswered ? 'after-answer' : moment, ...crash } }
}

/** A crash at the acknowledgment of one event alone: by that event, which may come at another time. */
function acknowledgmentCrash(call: RecordedCall, answering: AnswerContext): Anomaly | undefined {
  if (!isAcknowledgment(call)) return undefined
  const ids = valueAt(call.observed.requestJson(), 'eventIds')
  const isIn = ({ eventId }: EventHistory): boolean => Array.isArray(ids) && ids.includes(eventId)
  const [only, ...others] = answering.history.orders.flatMap(({ slot, events }) =>
    events.filter(isIn).map(({ eventType }) => ({ event: eventType, order: slot })),
  )
  const crash = byCrash(call, answering)
  if (!crash || !only || others.length > 0) return undefined
  const spec = { crash: { ...only, channel: 'polling', ...crash.options, limit: 1 } }
  return { spec, recordIds: [call.recordId] }
}

/**
 * The fault of a service that is not ours to end: the answer that its process did not get. Undefined where it got one, for
 * then a partner sees no difference.
 */
export function withoutCrash(spec: RecordedFaultSpec): RecordedFaultSpec | undefined {
  const { crash } = spec
  if (!crash) return spec
  const { when, ...match } = crash
  if (when === 'after-ack' || when === 'after-answer') return undefined
  const isWebhook = operations.some(({ id, webhook }) => id === match['operation'] && webhook)
  if (isWebhook) return { 'drop-response': match }
  return { reset: when === 'before-answer' ? { ...match, effect: 'after' } : match }
}

/** Whether the process that made a call was ended before it had its answer. */
const isCutShort = (call: RecordedCall, { crashed, downMs }: AnswerContext): boolean =>
  crashed.some(({ began, ended }) => call.began <= ended + downMs && call.ended >= began)

/** A truncated or missing answer to the service. */
function byFailure(call: RecordedCall, answering: AnswerContext): Distortion | undefined {
  const { failure, fault } = call
  if (failure === undefined) return undefined
  // Its caller gave up, or is gone: it was to come later than that.
  if (fault === 'slow-response') {
    const by = slowMs + roundDelay(call.observed.exchange.tookMs, 50)
    return { name: fault, options: { by } }
  }
  if (isCutShort(call, answering)) return undefined
  const effect = tookEffect(call, answering) ? { effect: 'after' } : {}
  if (fault === 'truncate') return { name: 'truncate', options: {} }
  const isHung = fault === 'hang' || /TIME|HUNG|HANG|ABORT/i.test(failure)
  return { name: isHung ? 'hang' : 'reset', options: effect }
}

/** A call of the partner: its failure is the partner's doing only where the recording names one of our faults. */
function byOwnCall(
  { fault, failure, status }: RecordedCall,
  { warn }: AnswerContext,
): Distortion | undefined {
  if (fault !== undefined && ownFaultNames.has(fault)) {
    if (fault !== 'drop-response') return { name: fault, options: {} }
    return { name: fault, options: /TIME|HANG/i.test(failure ?? '') ? { how: 'hang' } : {} }
  }
  if (status === 0 && failure !== undefined)
    warn('your service did not answer some calls of the partner: whether it does now is its own')
  return undefined
}

const medianTookMs = (calls: readonly RecordedCall[]): number =>
  median(calls.flatMap(({ status, observed }) => (status > 0 ? observed.exchange.tookMs : []))) ?? 0

function bySlowness(
  call: RecordedCall,
  medianMs: number,
  resolutionMs: number,
): Distortion | undefined {
  const took = call.observed.exchange.tookMs
  // On a virtual clock the duration is not measurable; the recorded fault tells.
  if (call.fault === 'slow-response' && took < slowMs) return { name: 'slow-response', options: {} }
  // What is named so may be shorter than what transmission takes on a fast clock.
  const leastMs = Math.max(slowMs, call.fault === 'slow-response' ? 0 : slowSteps * resolutionMs)
  if (call.observed.caller !== 'subject' || took < Math.max(leastMs, slowFactor * medianMs))
    return undefined
  return {
    name: 'slow-response',
    options: { by: roundDelay(took - medianMs, Math.max(50, resolutionMs)) },
  }
}

const isSame = (a: Distortion, b: Distortion): boolean =>
  a.name === b.name && JSON.stringify(a.options) === JSON.stringify(b.options)

interface DistortionRun {
  readonly distorted: Distortion
  readonly calls: RecordedCall[]
  /** 1-based index of the first call among those of the same operation and order. */
  readonly first: number
}

/** Groups consecutive calls with the same distortion. */
function runsOf(
  calls: readonly RecordedCall[],
  distortionOf: (call: RecordedCall) => Distortion | undefined,
): readonly DistortionRun[] {
  const runs: DistortionRun[] = []
  let open: DistortionRun | undefined
  for (const [index, call] of calls.entries()) {
    const distortion = distortionOf(call)
    if (!distortion) {
      open = undefined
      continue
    }
    if (open && isSame(open.distorted, distortion)) open.calls.push(call)
    else runs.push((open = { distorted: distortion, calls: [call], first: index + 1 }))
  }
  return runs
}

/** Faults for a run of one order: selected by call index, so independent of time; a webhook by its event as well. */
function orderAnomalies(
  run: DistortionRun,
  slot: string,
  message: { readonly operation: string; readonly event?: string | undefined },
): readonly Anomaly[] {
  const { distorted: distortion, calls, first } = run
  const specOf = (more: Options): RecordedFaultSpec => ({
    [distortion.name]: { ...compact(message), order: slot, ...distortion.options, ...more },
  })
  const many = calls.length > maxBurst ? { limit: calls.length } : { burst: calls.length }
  if (first === 1) return [{ spec: specOf(many), recordIds: calls.map((each) => each.recordId) }]
  return calls.map(({ recordId }, index) => ({
    spec: specOf({ nth: first + index }),
    recordIds: [recordId],
  }))
}

/** Decision for a run without an order: the fault is added at that time. */
function unassignedFault(
  { distorted: distortion, calls }: DistortionRun,
  operation: string,
): readonly PartnerDecision[] {
  const [first] = calls
  if (!first) return []
  const spec = { [distortion.name]: { operation, ...distortion.options, limit: calls.length } }
  return [
    {
      at: first.began,
      seq: first.seq - 0.5,
      what: { kind: 'fault', spec },
      after: [],
      recordIds: calls.map(({ recordId }) => recordId),
    },
  ]
}

export interface AnswerAnomalies {
  readonly anomalies: readonly Anomaly[]
  readonly decisions: readonly PartnerDecision[]
}

export function answerAnomalies(options: Omit<AnswerContext, 'crashed'>): AnswerAnomalies {
  const { history } = options
  const answering = { ...options, crashed: history.calls.filter(isCrash) }
  const crashes = new Map(
    answering.crashed.flatMap((call) => {
      const found = acknowledgmentCrash(call, answering)
      return found ? [[call, found] as const] : []
    }),
  )
  const webhookEvents = new Map(
    history.events.flatMap((event) =>
      event.handovers.flatMap(({ call, channel }) =>
        channel === 'webhook' ? [[call, event] as const] : [],
      ),
    ),
  )
  const groups = Map.groupBy(
    history.calls.filter((call) => !crashes.has(call)),
    (call) => `${call.operation} ${call.orderId ?? ''} ${webhookEvents.get(call)?.eventId ?? ''}`,
  )
  const medianMs = medianTookMs(history.calls.filter((call) => call.observed.caller === 'subject'))
  const slowness = (call: RecordedCall): Distortion | undefined =>
    bySlowness(call, medianMs, history.axis.resolutionMs)
  const anomalies: Anomaly[] = [...crashes.values()]
  const decisions: PartnerDecision[] = []
  for (const calls of groups.values()) {
    const [first] = calls as [RecordedCall, ...RecordedCall[]]
    const { operation, orderId, observed } = first
    if (operation === undefined) continue
    const distortionOf = (call: RecordedCall): Distortion | undefined =>
      byCrash(call, answering) ??
      (observed.caller === 'sparring'
        ? byOwnCall(call, answering)
        : (byFailure(call, answering) ?? byStatus(call, answering) ?? slowness(call)))
    const slot = history.orders.find((order) => order.orderId === orderId)?.slot
    const message = { operation, event: webhookEvents.get(first)?.eventType }
    for (const run of runsOf(calls, distortionOf))
      if (slot === undefined) decisions.push(...unassignedFault(run, operation))
      else anomalies.push(...orderAnomalies(run, slot, message))
  }
  return { anomalies, decisions }
}
