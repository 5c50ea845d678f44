/**
 * A request and a reply as plain values. Both faces speak them: the server from node:http and the msw handlers from
 * fetch; and so does every way out: a socket, another counterpart, a handler in this process.
 */
import type { About } from '../engine/handler.ts'
import type { HeaderPairs } from '../traffic/exchange.ts'

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
  readonly about?: About
}

/** A request on its way out. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface InboundReply {
  readonly status: number
  readonly headers: HeaderPairs
  readonly body: string
}

/** The one shape in which the edge reaches another side. It rejects with an Error that has a `code`. */
export type Reach = (request: OutboundRequest) => Promise<InboundReply>

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
 * The same, for headers that are kept in memory by the thousand: a client sends nearly the same ones each time, so what
 * stands where it stood the last time is not made again.
 */
export function createPairs(): (flat: readonly string[]) => HeaderPairs {
  let last: HeaderPairs = []
  return (flat) => {
    const count = flat.length >> 1
    let isSame = last.length === count
    const list: (readonly [string, string])[] = []
    for (let index = 0; index < count; index++) {
      const name = flat[2 * index] ?? ''
      const value = flat[2 * index + 1] ?? ''
      const before = last[index]
      if (before && before[0] === name && before[1] === value) list.push(before)
      else {
        isSame = false
        list.push([name, value])
      }
    }
    if (!isSame) last = list
    return last
  }
}
