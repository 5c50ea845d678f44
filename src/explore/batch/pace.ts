/** Learns the pace of a subject from its traffic: how often it polls, how it tries again, how soon it reacts. */
import { compact } from '../../core/base/compact.ts'
import type { Instant } from '../../core/engine/instant.ts'
import { operation as rowOf } from '../../core/protocol/catalogue.ts'
import { callKey } from '../../core/rules/invariants/helpers/call-outcome.ts'
import type { ObservedExchange } from '../../core/rules/invariants/judge/observations.ts'
import { wallDurationMs } from '../../core/traffic/exchange.ts'
import type { SubjectPace } from '../schedules/result.ts'

export interface PaceObserver {
  readonly observe: (observed: ObservedExchange) => void
  readonly handedOver: (orderId: string | undefined, at: Instant) => void
  readonly pace: () => SubjectPace
  /**
   * Whether the reconcile period is known: two readings after about the same silence, and no open order that is silent for
   * longer.
   */
  readonly isReconcileKnown: (now: Instant, isOver: (orderId: string) => boolean) => boolean
}

/** Values kept of each kind. */
const maxValues = 5000
/** Two silences are about the same when one is at least this share of the other. */
const similarShare = 0.7
/** A longer gap is no pause between two attempts of one chain. */
const maxRetryGapMs = 30_000

interface Attempts {
  readonly began: Instant
  readonly count: number
  readonly ended: Instant
}

/** The value below which this share of all values lies. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}

export function createPaceObserver(): PaceObserver {
  let lastPoll: Instant | undefined
  let attempts = 0
  let attemptsMs = 0
  let retryGapMs = 0
  const pollGaps: number[] = []
  const reactions: number[] = []
  const readGaps: number[] = []
  const answers: number[] = []
  const chains = new Map<string, Attempts>()
  const handovers = new Map<string, Instant>()
  /** By order: the end of the last call about it; absent after an event, which is a reason to read. */
  const lastCalls = new Map<string, Instant>()
  /** By order: its first event, or the end of the last call that changes it. */
  const lastSteps = new Map<string, Instant>()
  let stepMs: number | undefined
  const keep = (list: number[], value: number): void => {
    if (list.length < maxValues) list.push(value)
  }

  function observeAttempt(observed: ObservedExchange): void {
    const { ok, began, ended } = observed
    const key = callKey(observed) ?? ''
    const before = chains.get(key)
    const gap = before === undefined ? 0 : began - before.ended
    const isRetry = before !== undefined && gap <= maxRetryGapMs
    const first = isRetry ? before.began : began
    if (isRetry) retryGapMs = Math.max(retryGapMs, gap)
    attemptsMs = Math.max(attemptsMs, isRetry ? ended - first : 0)
    if (ok) chains.delete(key)
    else if (chains.size < maxValues || before)
      chains.set(key, { began: first, count: isRetry ? before.count + 1 : 1, ended })
    attempts = Math.max(attempts, (isRetry ? before.count : 0) + 1)
  }

  /** A reading of which no event is the reason: the silence about the order before it. */
  function observeCall({ orderId = '', operation, began, ended }: ObservedExchange): void {
    const last = lastCalls.get(orderId)
    const isRead = operation !== undefined && rowOf(operation).method === 'GET'
    if (isRead && last !== undefined) keep(readGaps, began - last)
    if (lastCalls.size < maxValues || last !== undefined) lastCalls.set(orderId, ended)
    if (isRead) return
    const lastStep = lastSteps.get(orderId)
    if (lastStep === undefined) return
    stepMs = Math.max(stepMs ?? 0, began - lastStep)
    lastSteps.set(orderId, ended)
  }

  return {
    observe(observed) {
      const { operation, caller, began, orderId, exchange } = observed
      if (operation === undefined) return
      if (caller === 'sparring') return keep(answers, wallDurationMs(exchange))
      if (operation === 'pollingEvents') {
        if (lastPoll !== undefined) keep(pollGaps, began - lastPoll)
        lastPoll = began
        return
      }
      observeAttempt(observed)
      if (orderId === undefined) return
      const handed = handovers.get(orderId)
      if (handed !== undefined && handed <= began) keep(reactions, began - handed)
      handovers.delete(orderId)
      observeCall(observed)
    },
    handedOver(orderId, at) {
      if (orderId === undefined) return
      lastCalls.delete(orderId)
      if (lastSteps.size < maxValues && !lastSteps.has(orderId)) lastSteps.set(orderId, at)
      if (handovers.size < maxValues) handovers.set(orderId, at)
    },
    isReconcileKnown(now, isOver) {
      const [longest, second] = readGaps.toSorted((one, other) => other - one)
      if (longest === undefined || second === undefined) return false
      const silences = [...lastCalls].filter(([orderId]) => !isOver(orderId))
      return (
        second >= similarShare * longest && silences.every(([, ended]) => now - ended <= longest)
      )
    },
    pace: () =>
      compact({
        pollMs: quantile(pollGaps, 0.5),
        reactionMs: quantile(reactions, 0.5),
        reconcileMs: quantile(readGaps, 1),
        stepMs,
        answerMs: quantile(answers, 0.95),
        retryGapMs: retryGapMs > 0 ? retryGapMs : undefined,
        attemptsMs: attemptsMs > 0 ? attemptsMs : undefined,
        attempts: attempts > 0 ? attempts : undefined,
      }),
  }
}
