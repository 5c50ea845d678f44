/**
 * Retry chains: a failed call and its retries, until one succeeds, is refused, or a long pause follows. Overlapping
 * tries do not count as successive, and the repetition after a rejected token belongs to the same try.
 */
import { setBounded } from '../../../engine/bounded.ts'
import type { Instant } from '../../../engine/instant.ts'
import type { ObservedExchange } from '../judge/observations.ts'
import { webhooksBetween } from '../tracking/webhooks-in-flight.ts'
import type { TrackerState } from '../tracking/tracker-state.ts'
import {
  callKey,
  hasAmbiguousCaller,
  orderIdOfCall,
  retryAfterInstant,
  callResultOf,
} from './call-outcome.ts'

/** Pauses in ms, from the end of one try to the start of the next. */
export interface Pauses {
  /** The last ones, oldest first. */
  readonly last: number[]
  /** The first ones. */
  readonly opening: number[]
}

export interface RetryChain {
  /** Start of the first try. */
  readonly began: Instant
  /** Number of tries, including the first. */
  tries: number
  /** The last tries, oldest first. */
  recent: ObservedExchange[]
  /** The pauses between tries on the clock of the session, and on that of the service. */
  readonly pauses: Pauses
  readonly ownPauses: Pauses
  /** The host set the pace: by Retry-After, or by rejecting a token. */
  isExternallyPaced: boolean
}

export type RetryChains = Map<string, RetryChain>

const maxChains = 5000
const maxRecent = 8
const maxOpening = 3

/** A retry within a chain. */
export interface RetryAttempt {
  readonly chain: RetryChain
  readonly key: string
  /** This try ends the chain. */
  readonly over: boolean
}

const startChain = (observed: ObservedExchange): RetryChain => ({
  began: observed.began,
  tries: 1,
  recent: [observed],
  pauses: { last: [], opening: [] },
  ownPauses: { last: [], opening: [] },
  isExternallyPaced: retryAfterInstant(observed) !== undefined,
})

function recordPause({ last, opening }: Pauses, ms: number): void {
  if (opening.length < maxOpening) opening.push(ms)
  last.push(ms)
  if (last.length > maxRecent) last.shift()
}

/** Polls and acknowledgments repeat by design: their interval has its own rules. */
const repeatedByDesign: ReadonlySet<string | undefined> = new Set([
  'pollingEvents',
  'acknowledgeEvents',
])

export const isRepeatedByDesign = ({ operation }: ObservedExchange): boolean =>
  repeatedByDesign.has(operation)

/** Records a call in its chain; returns undefined if it is no retry. A cool-down starts a new chain. */
export function followRetries(
  chains: RetryChains,
  observed: ObservedExchange,
  tracker: TrackerState,
): RetryAttempt | undefined {
  // Fast path: without failures there are no chains.
  if ((observed.ok && chains.size === 0) || hasAmbiguousCaller(observed, tracker)) return undefined
  const { coolDownMs } = tracker.limits
  const key = callKey(observed)
  if (key === undefined) return undefined
  const answer = callResultOf(observed)
  const chain = chains.get(key)
  if (answer === 'unauthorized') {
    if (chain) chain.isExternallyPaced = true
    return undefined
  }
  const over =
    answer === 'done' || (answer === 'refused' && observed.exchange.request.method !== 'GET')
  const last = chain?.recent.at(-1)
  const isForgotten = last !== undefined && tracker.isOfEarlierProcess(last.evidence)
  const isCool =
    last !== undefined && tracker.timing.longestMs(last.end, observed.start) >= coolDownMs
  if (!chain || !last || isForgotten || isCool) {
    if (over) chains.delete(key)
    else setBounded(chains, key, startChain(observed), maxChains)
    return undefined
  }
  if (over) chains.delete(key)
  if (observed.began < last.ended) return undefined
  chain.tries++
  recordPause(chain.pauses, observed.began - last.ended)
  recordPause(chain.ownPauses, tracker.timing.ownMs(last.end, observed.start))
  chain.recent.push(observed)
  if (chain.recent.length > maxRecent) chain.recent.shift()
  if (retryAfterInstant(observed) !== undefined) chain.isExternallyPaced = true
  return { chain, key, over }
}

/** Least ratio of later pauses to the first ones for a backoff; jitter of 20 % must not hide it. */
const growth = 1.3

const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length)

/**
 * By how many ms the later pauses of a chain are too short on average for a backoff, with an upper bound or in rounds; 0 or
 * less when they have grown, on the clock of the session or on that of the service.
 */
export const growthShortfallMs = ({ pauses, ownPauses, tries }: RetryChain): number =>
  Math.min(shortfallMs(pauses, tries), shortfallMs(ownPauses, tries))

function shortfallMs({ opening, last }: Pauses, tries: number): number {
  const isWhole = tries - 1 === last.length
  const first = opening.slice(0, isWhole ? last.length >> 1 : opening.length)
  const laterMs = mean(isWhole ? last.slice(first.length) : last)
  const ms = growth * mean(first) - laterMs
  return laterMs > 0 ? ms : Math.max(1, ms)
}

/** A service works on the events of a poll one after the other, for so long, in ms: it may read the order for each. */
const pollWorkMs = 3000

/**
 * Number of tries since `from` that other webhooks about the same order triggered, or other events of polls where the call is
 * a read. The one that triggered the first try does not count.
 */
export function countEventTriggered(
  last: ObservedExchange,
  from: Instant,
  tracker: TrackerState,
): number {
  const webhooks = webhooksBetween(tracker, orderIdOfCall(last), from, last.ended)
  const polls = last.exchange.request.method === 'GET' ? (last.order?.polledAt ?? []) : []
  const polled = polls.filter((at) => at > from - pollWorkMs && at <= last.ended)
  const count = webhooks.length + polled.length
  const isFirst = (at: Instant): boolean => at <= from
  return webhooks.some((webhook) => isFirst(webhook.from)) || polled.some(isFirst)
    ? count - 1
    : count
}
