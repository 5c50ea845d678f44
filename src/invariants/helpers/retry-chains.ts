/**
 * Retry chains: a failed call and its retries, until one succeeds, is refused, or a long pause follows. Overlapping
 * tries do not count as successive, and the repetition after a rejected token belongs to the same try.
 */
import { setBounded } from '../../engine/bounded.ts'
import type { Instant } from '../../engine/instant.ts'
import type { SeenExchange } from '../judge/observations.ts'
import { cameBetween } from '../tracking/webhooks-in-flight.ts'
import type { Watch } from '../tracking/tracker-state.ts'
import { callKey, orderOf, retryAfter, told } from './call-outcome.ts'
import { isAcknowledgment, isPoll } from './polling.ts'

export interface Chain {
  /** Start of the first try. */
  readonly began: Instant
  /** Number of tries, including the first. */
  tries: number
  /** The last tries, oldest first. */
  recent: SeenExchange[]
  /** Pauses between tries in ms, from the end of one to the start of the next. */
  gaps: number[]
  /** The host set the pace: by Retry-After, or by rejecting a token. */
  foreign: boolean
}

export type Chains = Map<string, Chain>

const maxChains = 5000
const maxRecent = 8

/** A retry within a chain. */
export interface Try {
  readonly chain: Chain
  readonly key: string
  /** This try ends the chain. */
  readonly over: boolean
}

const startChain = (seen: SeenExchange): Chain => ({
  began: seen.began,
  tries: 1,
  recent: [seen],
  gaps: [],
  foreign: retryAfter(seen) !== undefined,
})

/** Records an exchange in its chain; returns undefined if it is no retry. A pause of `breakMs` starts a new chain. */
export function follow(chains: Chains, seen: SeenExchange, breakMs: number): Try | undefined {
  // Fast path: without failures there are no chains.
  if (seen.by !== 'subject' || (seen.ok && chains.size === 0)) return undefined
  const key = callKey(seen)
  if (key === undefined) return undefined
  const answer = told(seen)
  const chain = chains.get(key)
  if (answer === 'unauthorized') {
    if (chain) chain.foreign = true
    return undefined
  }
  const over = answer === 'done' || (answer === 'refused' && seen.exchange.request.method !== 'GET')
  const last = chain?.recent.at(-1)
  if (!chain || !last || seen.began - last.ended >= breakMs) {
    if (over) chains.delete(key)
    else setBounded(chains, key, startChain(seen), maxChains)
    return undefined
  }
  if (over) chains.delete(key)
  if (seen.began < last.ended) return undefined
  chain.tries++
  chain.gaps.push(seen.began - last.ended)
  chain.recent.push(seen)
  if (chain.recent.length > maxRecent) chain.recent.shift()
  if (chain.gaps.length > maxRecent) chain.gaps.shift()
  if (retryAfter(seen) !== undefined) chain.foreign = true
  return { chain, key, over }
}

/**
 * Number of tries since `from` that other webhooks about the same order triggered. The webhook that triggered the first
 * try does not count.
 */
export function setOff(last: SeenExchange, from: Instant, tracker: Watch): number {
  const webhooks = cameBetween(tracker, orderOf(last), from, last.ended)
  return webhooks.some((webhook) => webhook.from <= from) ? webhooks.length - 1 : webhooks.length
}

/** Polls and acknowledgments repeat by design: their interval has its own rules. */
export const isLoop = (seen: SeenExchange): boolean => isPoll(seen) || isAcknowledgment(seen)
