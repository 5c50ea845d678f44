/**
 * Calls of the service that our host answers with 401. A token that ends is refused once, and the call is made again with
 * success; what goes on being refused, or is never made again, and was not when it was recorded, is a difference.
 */
import type { Exchange } from '../../core/traffic/exchange.ts'
import { isPollCall } from '../../core/traffic/polling.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { calledOperation, callLane } from '../difference/candidate-index.ts'

const isRefused = ({ reply }: Exchange): boolean => reply?.status === 401

const callOf = (exchange: Exchange): string => `${calledOperation(exchange)} ${callLane(exchange)}`

interface RefusedRun {
  /** The first, which a token that ends excuses. */
  readonly first: Exchange
  isReported: boolean
}

/** How often a call was refused when it was recorded; without end, where the service never got over it. */
function recordedRefusals(calls: readonly RecordedExchange[]): Map<string, number> {
  return new Map(
    Array.from(Map.groupBy(calls, callOf), ([call, each]) => {
      const isLeftRefused = each.length > 1 && each.slice(-2).every(isRefused)
      return [
        call,
        isLeftRefused ? Number.POSITIVE_INFINITY : each.filter((one) => isRefused(one)).length,
      ]
    }),
  )
}

export class Refusals {
  readonly #allowed: Map<string, number>
  readonly #runs = new Map<string, RefusedRun>()

  /** Takes the recorded calls of the service. */
  constructor(calls: readonly RecordedExchange[]) {
    this.#allowed = recordedRefusals(calls)
  }

  /** Takes an answered call, which has the recorded names in `renamed`; returns whether it is a difference. */
  take(live: Exchange, renamed: Exchange): boolean {
    const call = callOf(renamed)
    if (live.fault !== undefined) return false
    if (!isRefused(live)) {
      this.#runs.delete(call)
      return false
    }
    const allowed = this.#allowed.get(call) ?? 0
    if (allowed > 0) {
      this.#allowed.set(call, allowed - 1)
      return false
    }
    const run = this.#runs.get(call)
    if (!run) this.#runs.set(call, { first: live, isReported: false })
    // Made before the first was answered: with the same token.
    if (!run || run.isReported || live.startedAt <= run.first.startedAt + run.first.tookMs)
      return false
    return (run.isReported = true)
  }

  /** Those that were refused once and never made again. An idle poll may be cut off by the end. */
  unretried(): readonly Exchange[] {
    return [...this.#runs.values()].flatMap(({ first, isReported }) =>
      isReported || isPollCall(first) ? [] : [first],
    )
  }
}
