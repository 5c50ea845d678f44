/** Processing times of the recorded partner: from 202 to the effect, and from the final status to CONCLUDED. */
import { targetOf, triggerOf } from './calls.ts'
import type { Anomaly } from './decision.ts'
import type { History } from './history.ts'
import { rankOf, type Stage } from './status-history.ts'
import type { Call, OrderHistory } from './order-history.ts'

type WayOf = (order: OrderHistory) => readonly Stage[]

/** An effect is slow when it exceeds the median by both this many ms and this factor. */
const slowerMs = 1500
const timesUsual = 3
/** Maximum deviation from the median, in ms, for CONCLUDED to count as automatic. */
const steadyMs = 250
/** After this time, in ms, a status read would show the effect of a call. */
const patienceMs = 10_000

const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

interface Effect {
  readonly call: Call
  readonly slot: string
  readonly trigger: string
  readonly tookMs: number
}

/** Accepted calls with the time to their effect, by event times only: polls would blur it. */
function effectsOf(history: History, wayOf: WayOf): readonly Effect[] {
  if (!history.axis.honest) return []
  return history.orders.flatMap((order) =>
    wayOf(order).flatMap(({ status, event }): readonly Effect[] => {
      const madeAt = event?.madeAt
      if (madeAt === undefined) return []
      const call = order.calls.find(({ operation, ok, began }) => {
        const trigger = triggerOf(operation)
        return ok && trigger !== undefined && targetOf(trigger) === status && began <= madeAt
      })
      const trigger = triggerOf(call?.operation)
      return call && trigger
        ? [{ call, slot: order.slot, trigger, tookMs: Math.max(0, madeAt - call.ended) }]
        : []
    }),
  )
}

function slowOnes(effects: readonly Effect[], usual: number): readonly Anomaly[] {
  return effects
    .filter(({ tookMs }) => tookMs > Math.max(usual + slowerMs, timesUsual * usual))
    .map(({ call, slot, trigger, tookMs }) => ({
      spec: {
        'slow-effect': { trigger, order: slot, by: Math.round((tookMs - usual) / 100) * 100 },
      },
      recordIds: [call.recordId],
    }))
}

/** Accepted calls without effect, as later status reads show. */
function inVain(history: History, wayOf: WayOf): readonly Anomaly[] {
  if (!history.axis.honest) return []
  return history.orders.flatMap((order) => {
    const ranks = wayOf(order).map(({ status }) => rankOf(status))
    const told = new Set<string>()
    return order.calls.flatMap((call): readonly Anomaly[] => {
      const trigger = triggerOf(call.operation)
      const target = trigger && targetOf(trigger)
      if (!target || !call.ok || ranks.some((rank) => rank >= rankOf(target))) return []
      const isShown = order.readings.some(({ call: { began } }) => began > call.ended + patienceMs)
      // Once per trigger: the fault applies to every such call.
      if (!isShown || told.has(trigger)) return []
      told.add(trigger)
      return [{ spec: { 'no-effect': { trigger, order: order.slot } }, recordIds: [call.recordId] }]
    })
  })
}

export interface Pace {
  readonly processing?: number
  readonly concludeAfter?: number
  /** CONCLUDED always followed the final status after about the same time. */
  readonly concludesSteadily: boolean
  readonly anomalies: readonly Anomaly[]
}

function conclusions(history: History, wayOf: WayOf): readonly (number | undefined)[] {
  return history.orders.flatMap((order) => {
    const way = wayOf(order)
    const end = way.find(({ status }) => status === 'DELIVERED' || status === 'CANCELLED')
    if (!end) return []
    const concluded = way.find(({ status }) => status === 'CONCLUDED')
    return [concluded && Math.max(0, concluded.at - end.at)]
  })
}

export function paceOf(history: History, wayOf: WayOf): Pace {
  const effects = effectsOf(history, wayOf)
  const processing = median(effects.map(({ tookMs }) => tookMs))
  const all = conclusions(history, wayOf)
  const known = all.filter((each) => each !== undefined)
  const concludeAfter = median(known)
  const concludesSteadily =
    concludeAfter !== undefined &&
    known.length === all.length &&
    known.every((each) => Math.abs(each - concludeAfter) <= steadyMs)
  return {
    ...(processing === undefined ? {} : { processing: Math.round(processing) }),
    ...(concludeAfter === undefined ? {} : { concludeAfter: Math.round(concludeAfter) }),
    concludesSteadily,
    anomalies: [
      ...(processing === undefined ? [] : slowOnes(effects, processing)),
      ...inVain(history, wayOf),
    ],
  }
}
