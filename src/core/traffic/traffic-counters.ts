/**
 * Counters of exchanges for monitoring, from the beginning of a session on. Their number is bounded by the roles, the
 * operations and the codes that there are.
 */
import type { OperationId } from '../protocol/catalogue.ts'
import type { Role } from '../protocol/role.ts'
import { type Exchange, statusClass, wallDurationMs } from './exchange.ts'
import { failureKindOf } from './failed-requests.ts'

/** An operation of the protocol; `none` for a path that it does not define. */
export type MetricOperation = OperationId | 'none'

/** Exchanges since the session began, by their parties, operation and outcome. */
export interface ExchangeCount {
  readonly from: Role
  readonly to: Role
  readonly operation: MetricOperation
  /** `2xx` …, `none` without a whole reply. */
  readonly status: string
  readonly count: number
}

/** Failed exchanges since the session began. */
export interface ExchangeFailureCount {
  readonly from: Role
  readonly to: Role
  /** The code of the failure (`ECONNREFUSED`, `TIMEOUT` …), or the status of the reply (`503`). */
  readonly code: string
  /** Whether an injected fault made it fail. */
  readonly injected: boolean
  readonly count: number
}

/** Answers of the user's service to our calls, by how long they took on the wall clock. */
export interface AnswerTimes {
  readonly operation: MetricOperation
  /**
   * Answers within each bound but not within the one before, in the order of `answerBoundsMs`; the last has the rest.
   */
  readonly counts: readonly number[]
  readonly sumMs: number
}

/** Upper bounds of the times of answers, in ms. */
export const answerBoundsMs: readonly number[] = [
  1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000,
]

/** Codes that are counted by themselves; the codes of Node and ours are far fewer. */
const maxFailureCodes = 200
const otherCode = 'OTHER'

export interface TrafficCounters {
  readonly count: (exchange: Exchange) => void
  readonly exchanges: () => readonly ExchangeCount[]
  readonly failures: () => readonly ExchangeFailureCount[]
  readonly answerTimes: () => readonly AnswerTimes[]
}

interface OperationCounts {
  readonly from: Role
  readonly to: Role
  readonly operation: MetricOperation
  /** By the first digit of the status. */
  readonly byClass: number[]
}

interface FailureCounts extends Omit<ExchangeFailureCount, 'count'> {
  count: number
}

interface TimeCounts {
  readonly counts: number[]
  sumMs: number
}

function fetchOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

const statusLabel = (firstDigit: number): string => (firstDigit === 0 ? 'none' : `${firstDigit}xx`)

export function createTrafficCounters(): TrafficCounters {
  const byParties = new Map<Role, Map<Role, Map<MetricOperation, OperationCounts>>>()
  const failures = new Map<string, FailureCounts>()
  const times = new Map<MetricOperation, TimeCounts>()
  const codes = new Set<string>()

  function codeLabel(code: string): string {
    if (codes.has(code)) return code
    if (codes.size >= maxFailureCodes) return otherCode
    codes.add(code)
    return code
  }

  function countFailure({ from, to, reply, failure, fault }: Exchange): void {
    const code = codeLabel(failure?.code ?? String(reply?.status ?? 0))
    const labels = { from: from.role, to: to.role, code, injected: fault !== undefined }
    const key = `${labels.from} ${labels.to} ${code} ${labels.injected}`
    fetchOrMake(failures, key, () => ({ ...labels, count: 0 })).count++
  }

  function countTime(operation: MetricOperation, tookMs: number): void {
    const own = fetchOrMake(times, operation, () => ({
      counts: [...answerBoundsMs, Infinity].map(() => 0),
      sumMs: 0,
    }))
    let index = 0
    while (tookMs > (answerBoundsMs[index] ?? Infinity)) index++
    own.counts[index] = (own.counts[index] ?? 0) + 1
    own.sumMs += tookMs
  }

  return {
    count(exchange) {
      const { from, to, operation = 'none', reply, failure, fault } = exchange
      const byTo = fetchOrMake(byParties, from.role, () => new Map())
      const byOperation = fetchOrMake(byTo, to.role, () => new Map())
      const { byClass } = fetchOrMake(byOperation, operation, () => ({
        from: from.role,
        to: to.role,
        operation,
        byClass: [0, 0, 0, 0, 0, 0],
      }))
      const firstDigit = failure ? 0 : statusClass(reply)
      byClass[firstDigit] = (byClass[firstDigit] ?? 0) + 1
      if (failureKindOf(exchange) !== undefined) countFailure(exchange)
      // What a fault held back or cut says nothing about the speed of the service.
      if (to.party === 'subject' && reply && !failure && fault === undefined)
        countTime(operation, wallDurationMs(exchange))
    },
    exchanges: () =>
      [...byParties.values()]
        .flatMap((byTo) => [...byTo.values()])
        .flatMap((byOperation) => [...byOperation.values()])
        .flatMap(({ byClass, ...labels }) =>
          byClass.flatMap((count, firstDigit) =>
            count === 0 ? [] : [{ ...labels, status: statusLabel(firstDigit), count }],
          ),
        ),
    failures: () => Array.from(failures.values(), (each) => ({ ...each })),
    answerTimes: () =>
      Array.from(times, ([operation, { counts, sumMs }]) => ({
        operation,
        counts: [...counts],
        sumMs,
      })),
  }
}
