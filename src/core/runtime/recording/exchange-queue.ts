/** Bounded FIFO queue of exchanges that wait to be serialised. */
import { type Exchange, largeChars } from '../../traffic/exchange.ts'

export interface ExchangeQueue {
  /** Adds an exchange that ended at this instant; false when it is full. */
  readonly push: (exchange: Exchange, at: number) => boolean
  readonly take: () => Exchange | undefined
  readonly size: () => number
  /** When the oldest one ended; infinite without any. */
  readonly oldestAt: () => number
  /** Approximate size of the queue in a recording, in bytes. */
  readonly bytes: () => number
  /** Discards all; returns their number. */
  readonly clear: () => number
}

const maxExchanges = 20_000
const maxBytes = 32 * 1024 * 1024
/** Estimated bytes of an exchange without its bodies. */
const baseBytes = 1500

const bytesOf = (exchange: Exchange): number => baseBytes + largeChars(exchange)

export function createExchangeQueue(): ExchangeQueue {
  // One long-lived array whose slots are cleared: short-lived arrays are promoted to the old
  // generation with what they hold.
  const waiting: (Exchange | undefined)[] = []
  const endedAt: number[] = []
  /** Number of slots already taken at the front: shifting the rest each time would cost more than the work itself. */
  let taken = 0
  let end = 0
  let bytes = 0

  function compactQueue(): void {
    waiting.copyWithin(0, taken, end)
    endedAt.copyWithin(0, taken, end)
    waiting.fill(undefined, end - taken, end)
    end -= taken
    taken = 0
  }

  return {
    push: (exchange, at) => {
      if (end - taken >= maxExchanges || bytes >= maxBytes) return false
      endedAt[end] = at
      waiting[end++] = exchange
      bytes += bytesOf(exchange)
      return true
    },
    take: () => {
      const exchange = waiting[taken]
      if (!exchange) return undefined
      waiting[taken++] = undefined
      bytes -= bytesOf(exchange)
      if (taken === end) taken = end = 0
      else if (taken >= 1000) compactQueue()
      return exchange
    },
    size: () => end - taken,
    oldestAt: () => (end > taken ? endedAt[taken] : undefined) ?? Number.POSITIVE_INFINITY,
    bytes: () => bytes,
    clear: () => {
      const count = end - taken
      waiting.length = 0
      taken = 0
      end = 0
      bytes = 0
      return count
    },
  }
}
