/** Processing times of the recorded partner: from 202 to the effect, and from the final status to CONCLUDED. */
import { compact } from '../../core/base/compact.ts'
import type { OrderStatus } from '../../core/protocol/orders/order.ts'
import type { Anomaly } from '../../core/scenario/decision.ts'
import type { RecordingHistory } from './history.ts'
import { statusRankOf, type RecordedCall, type StatusStage } from './order-history.ts'
import { roundDelay } from './time-axis.ts'

/** An effect is slow when it exceeds the median by both this many ms and this factor. */
const slowMs = 1500
const slowFactor = 3
/** Maximum deviation from the median, in ms, for CONCLUDED to count as automatic. */
const steadyMs = 250
/** The same on a fast clock, as a multiple of its resolution. */
const steadySteps = 5
const slowSteps = 15
/** After this time, in ms, a status read would show the effect of a call. */
const readDelayMs = 10_000

export const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

interface Effect {
  readonly call: RecordedCall
  readonly slot: string
  readonly trigger: string
  readonly tookMs: number
}

/** Accepted calls with the time to their effect, by event times only: polls would blur it. */
function effectsOf({ axis, orders }: RecordingHistory): readonly Effect[] {
  if (!axis.hasExchangeTimes) return []
  return orders.flatMap(({ slot, calls, stages }) =>
    stages.flatMap(({ status, event }): readonly Effect[] => {
      const madeAt = event?.madeAt
      if (madeAt === undefined) return []
      const call = calls.find(({ target, ok, began }) => ok && target === status && began <= madeAt)
      return call?.trigger
        ? [{ call, slot, trigger: call.trigger, tookMs: Math.max(0, madeAt - call.ended) }]
        : []
    }),
  )
}

function slowEffects(
  effects: readonly Effect[],
  medianMs: number,
  resolutionMs: number,
): readonly Anomaly[] {
  const leastMs = medianMs + Math.max(slowMs, slowSteps * resolutionMs)
  return effects
    .filter(({ tookMs }) => tookMs > Math.max(leastMs, slowFactor * medianMs))
    .map(({ call, slot, trigger, tookMs }) => ({
      spec: {
        'slow-effect': {
          trigger,
          order: slot,
          by: roundDelay(tookMs - medianMs, Math.max(50, resolutionMs)),
        },
      },
      recordIds: [call.recordId],
    }))
}

/** Accepted calls whose effect was overdue when the order was cancelled, and so never came. */
function overtakenByCancellation(
  { axis, orders }: RecordingHistory,
  medianMs: number,
): readonly Anomaly[] {
  if (!axis.hasExchangeTimes) return []
  const leastMs = slowFactor * medianMs + slowSteps * axis.resolutionMs
  return orders.flatMap(({ slot, calls, stages }) => {
    const cancelledAt = stages.find(({ status }) => status === 'CANCELLED')?.at
    if (cancelledAt === undefined) return []
    const call = calls.find(
      ({ target, ok, ended }) =>
        ok && target && cancelledAt - ended > leastMs && !isReached(target, stages),
    )
    if (!call) return []
    const by = roundDelay(cancelledAt - call.ended + slowMs, Math.max(50, axis.resolutionMs))
    return [
      {
        spec: { 'slow-effect': { trigger: call.trigger, order: slot, by } },
        recordIds: [call.recordId],
      },
    ]
  })
}

/** Whether an order that was cancelled had come to this status, or past it. */
const isReached = (target: OrderStatus, stages: readonly StatusStage[]): boolean =>
  stages.some(
    ({ status }) =>
      status !== 'CANCELLED' &&
      status !== 'CONCLUDED' &&
      statusRankOf(status) >= statusRankOf(target),
  )

/** Accepted calls without effect, as later status reads show. */
function withoutEffect({ axis, orders }: RecordingHistory): readonly Anomaly[] {
  if (!axis.hasExchangeTimes) return []
  return orders.flatMap(({ slot, calls, stages, readings }) => {
    const ranks = stages.map(({ status }) => statusRankOf(status))
    const reported = new Set<string>()
    return calls.flatMap(({ trigger, target, ok, ended, recordId }): readonly Anomaly[] => {
      if (!trigger || !target || !ok) return []
      if (ranks.some((rank) => rank >= statusRankOf(target))) return []
      const isShown = readings.some(({ call: { began } }) => began > ended + readDelayMs)
      // Once per trigger: the fault applies to every such call.
      if (!isShown || reported.has(trigger)) return []
      reported.add(trigger)
      return [{ spec: { 'no-effect': { trigger, order: slot } }, recordIds: [recordId] }]
    })
  })
}

export interface RecordedPace {
  readonly processing?: number
  readonly concludeAfter?: number
  /** Where CONCLUDED followed the final status, it did after about the same time. */
  readonly concludesSteadily: boolean
  readonly anomalies: readonly Anomaly[]
}

const conclusions = ({ orders }: RecordingHistory): readonly number[] =>
  orders.flatMap(({ stages }) => {
    const end = stages.find(({ status }) => status === 'DELIVERED' || status === 'CANCELLED')
    const concluded = stages.find(({ status }) => status === 'CONCLUDED')
    return end && concluded ? [Math.max(0, concluded.at - end.at)] : []
  })

export function recordedPaceOf(history: RecordingHistory): RecordedPace {
  const { resolutionMs } = history.axis
  const effects = effectsOf(history)
  const processing = median(effects.map(({ tookMs }) => tookMs))
  const known = conclusions(history)
  const concludeAfter = median(known)
  const concludesSteadily =
    concludeAfter !== undefined &&
    known.every(
      (each) => Math.abs(each - concludeAfter) <= Math.max(steadyMs, steadySteps * resolutionMs),
    )
  return {
    ...compact({
      processing: processing && roundDelay(processing, resolutionMs),
      concludeAfter: concludeAfter && roundDelay(concludeAfter, resolutionMs),
    }),
    concludesSteadily,
    anomalies: [
      ...(processing === undefined ? [] : slowEffects(effects, processing, resolutionMs)),
      ...overtakenByCancellation(history, processing ?? 0),
      ...withoutEffect(history),
    ],
  }
}
