/**
 * A request and a reply as plain values. Both faces speak them: the server from node:http and the msw handlers from
 * fetch; and so does every way out: a socket, another counterpart, a handler in this process.
 */
import type { AffectedEntities } from '../../engine/handler.ts'
import type { HeaderPairs } from '../../traffic/exchange.ts'

export interface Incoming {
  readonly method: string
  /** Path and query as they stood in the request line. */
  readonly target: string
  readonly header: (name: string) => string | undefined
  /** The body's text; empty when there was none. */
  readonly body: string
}

export interface Outgoing {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** What it is about, where the path does not say: for the log of traffic, never on the wire. */
  readonly about?: AffectedEntities
}

/** A request on its way out. */
export interface OutboundRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface InboundReply {
  readonly status: number
  readonly headers: HeaderPairs
  readonly body: string
}

/** How a request goes out, where that is not at once, whole, and for as long as the wall's clock allows. */
export interface Sending {
  /** The body breaks off in the middle, or goes out in pieces, each after its pause. */
  readonly body?: 'cut' | { readonly pause: () => Promise<unknown> }
  /** How a time-out passes in this process: whether the time was over before it was enough. */
  readonly patience?: ((ms: number, enough: AbortSignal) => Promise<boolean>) | undefined
}

/** The one shape in which the edge reaches another side. It rejects with an Error that has a `code`. */
export type Reach = (request: OutboundRequest, sending?: Sending) => Promise<InboundReply>

/** The value of a header among pairs, whatever its case. */
export function headerOf(headers: HeaderPairs, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return headers.find(([key]) => key.toLowerCase() === wanted)?.[1]
}

/** Pairs of a flat list of names and values, as node gives raw headers. */
export function pairs(flat: readonly string[]): HeaderPairs {
  const list: [string, string][] = []
  for (let index = 0; index + 1 < flat.length; index += 2)
    list.push([flat[index] ?? '', flat[index + 1] ?? ''])
  return list
}

/**
 * The same, for headers that are kept in memory by the thousand: a client sends nearly the same ones each time, with a
 * body some more, so what stands where it stood the last time is not made again.
 */
export function createPairs(): (flat: readonly string[]) => HeaderPairs {
  /** The last ones, by how many they were. */
  const lasts: HeaderPairs[] = []
  return (flat) => {
    const count = flat.length >> 1
    const last = lasts[count] ?? []
    let index = 0
    while (index < count && last[index]?.[0] === flat[2 * index]) {
      if (last[index]?.[1] !== flat[2 * index + 1]) break
      index++
    }
    if (index === count && last.length === count) return last
    const list: (readonly [string, string])[] = []
    for (let each = 0; each < count; each++) {
      const name = flat[2 * each] ?? ''
      const value = flat[2 * each + 1] ?? ''
      const before = last[each]
      list.push(before?.[0] === name && before[1] === value ? before : [name, value])
    }
    if (count < mostRemembered) lasts[count] = list
    return list
  }
}

/** Longer lists of headers are made anew each time. */
const mostRemembered = 64
