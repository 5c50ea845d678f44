/** Exchanges that wait to become lines: in order, and no more than memory should hold. */
import type { Exchange } from '../traffic/exchange.ts'

export interface ExchangeQueue {
  /** False when it is full. */
  readonly push: (exchange: Exchange) => boolean
  readonly take: () => Exchange | undefined
  readonly size: () => number
  /** About what the waiting ones take in a recording. */
  readonly bytes: () => number
  /** Forgets all of them; answers how many. */
  readonly forget: () => number
}

const mostExchanges = 20_000
const mostBytes = 32 * 1024 * 1024
/** What an exchange takes besides its bodies. */
const bareBytes = 1500

const bytesOf = ({ request, reply }: Exchange): number =>
  bareBytes + (request.body?.length ?? 0) + (reply?.body?.length ?? 0)

export function createExchangeQueue(): ExchangeQueue {
  let waiting: Exchange[] = []
  /** How many at its front are taken: to move all the others up each time would cost more than the work itself. */
  let taken = 0
  let bytes = 0

  function tidy(): void {
    if (taken === waiting.length) waiting = []
    else if (taken >= 1000) waiting = waiting.slice(taken)
    else return
    taken = 0
  }

  return {
    push: (exchange) => {
      if (waiting.length - taken >= mostExchanges || bytes >= mostBytes) return false
      waiting.push(exchange)
      bytes += bytesOf(exchange)
      return true
    },
    take: () => {
      const exchange = waiting[taken]
      if (!exchange) return undefined
      taken++
      bytes -= bytesOf(exchange)
      tidy()
      return exchange
    },
    size: () => waiting.length - taken,
    bytes: () => bytes,
    forget: () => {
      const count = waiting.length - taken
      waiting = []
      taken = 0
      bytes = 0
      return count
    },
  }
}
