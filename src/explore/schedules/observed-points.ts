/**
 * The messages of a workload that faults can distort, by content: learned from a run without faults. Attempts that a run
 * without faults does not have are added: the second and third call of an operation.
 */
import type { EventChannel } from '../../core/engine/emitted-event.ts'
import type { FaultPoint } from '../../core/engine/faults/fault-point.ts'
import { operation as rowOf, type OperationId } from '../../core/protocol/catalogue.ts'
import type { FaultMatcher } from './schedule.ts'

export interface ObservedPoint {
  readonly kind: FaultPoint['kind']
  readonly match: FaultMatcher
}

/** Attempts of the same call that are distinguished; readings recur. */
const maxAttempts = 3
const maxReads = 5
/** Polls, acknowledgments and token requests that are distinguished. */
const maxPeriodicCalls = 8

export interface ObservedMessages {
  readonly handover: (slot: string, event: string, channel: EventChannel) => void
  /** A call of the subject that we answer; without a slot it is about no single order. */
  readonly answer: (slot: string | undefined, operation: OperationId) => void
  /** A call of ours that the subject answers. */
  readonly call: (
    slot: string | undefined,
    operation: OperationId,
    event: string | undefined,
  ) => void
  readonly effect: (slot: string, trigger: string) => void
  /** In canonical order. */
  readonly points: () => readonly ObservedPoint[]
}

export const pointText = ({ kind, match }: ObservedPoint): string =>
  [kind, ...Object.entries(match).map(([key, value]) => `${key}=${value}`)].join(' ')

/** Operations whose distortion says nothing about how orders are handled. */
const isIgnored = (operation: OperationId): boolean => rowOf(operation).capability === 'discovery'

export function observeMessages(): ObservedMessages {
  const points = new Map<string, ObservedPoint>()
  const add = (kind: ObservedPoint['kind'], match: FaultMatcher): void => {
    const point = { kind, match }
    points.set(pointText(point), point)
  }
  const addAttempts = (match: FaultMatcher, kind: 'answer' | 'call'): void => {
    const isRead = match.operation !== undefined && rowOf(match.operation).method === 'GET'
    const ofOrder = isRead ? maxReads : maxAttempts
    const attempts = match.order === undefined ? maxPeriodicCalls : ofOrder
    for (let nth = 1; nth <= attempts; nth++) add(kind, { ...match, nth })
  }
  return {
    handover: (order, event, channel) => add('handover', { event, order, channel }),
    effect: (order, trigger) => add('effect', { trigger, order }),
    answer(order, operation) {
      if (!isIgnored(operation))
        addAttempts({ operation, ...(order === undefined ? {} : { order }) }, 'answer')
    },
    call(order, operation, event) {
      if (isIgnored(operation)) return
      const about = order === undefined ? {} : { order }
      const carried = event === undefined ? {} : { event }
      addAttempts({ operation, ...carried, ...about }, 'call')
    },
    points: () =>
      [...points].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, point]) => point),
  }
}
