/**
 * Chains of tries: one call that failed and was made again, until it works, is refused, or is left alone for a while.
 * Tries that were under way together are no tries after each other, and the repetition of a call whose token was not
 * taken belongs to the try that it repeats.
 */
import { setBounded } from '../../engine/bounded.ts'
import type { Instant } from '../../engine/instant.ts'
import type { SeenExchange } from '../judge/observations.ts'
import { cameBetween } from '../tracking/webhooks-in-flight.ts'
import type { Watch } from '../tracking/tracker-state.ts'
import { callKey, orderOf, retryAfter, told } from './call-outcome.ts'
import { isAcknowledgment, isPoll } from './polling.ts'

export interface Chain {
  /** When the first of its tries began. */
  readonly began: Instant
  /** Tries so far, the first included. */
  tries: number
  /** The last of them, oldest first. */
  recent: SeenExchange[]
  /** The pauses between them, from the end of one to the beginning of the next. */
  gaps: number[]
  /** Somebody else set the pace of it: a Retry-After, a token. */
  foreign: boolean
}

export type Chains = Map<string, Chain>

const mostChains = 5000
const mostRecent = 8

/** What `seen` is of a chain: another try of one, with all before it; undefined for anything else. */
export interface Try {
  readonly chain: Chain
  readonly key: string
  /** The chain has come to its end with this try. */
  readonly over: boolean
}

const begun = (seen: SeenExchange): Chain => ({
  began: seen.began,
  tries: 1,
  recent: [seen],
  gaps: [],
  foreign: retryAfter(seen) !== undefined,
})

/** Follows the tries of one call; `breakMs` is the pause after which a chain is another one. */
export function follow(chains: Chains, seen: SeenExchange, breakMs: number): Try | undefined {
  // In calm weather nothing is tried again, and nothing need be looked at.
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
    else setBounded(chains, key, begun(seen), mostChains)
    return undefined
  }
  if (over) chains.delete(key)
  if (seen.began < last.ended) return undefined
  chain.tries++
  chain.gaps.push(seen.began - last.ended)
  chain.recent.push(seen)
  if (chain.recent.length > mostRecent) chain.recent.shift()
  if (chain.gaps.length > mostRecent) chain.gaps.shift()
  if (retryAfter(seen) !== undefined) chain.foreign = true
  return { chain, key, over }
}

/**
 * Tries since an instant that are none of their own accord: somebody else set them off with another webhook about the same
 * order. What set off the first one counts for nothing.
 */
export function setOff(last: SeenExchange, from: Instant, watch: Watch): number {
  const came = cameBetween(watch, orderOf(last), from, last.ended)
  return came.some((webhook) => webhook.from <= from) ? came.length - 1 : came.length
}

/** Loops that come round by themselves: their pace is a matter of its own. */
export const isLoop = (seen: SeenExchange): boolean => isPoll(seen) || isAcknowledgment(seen)
