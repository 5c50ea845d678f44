/**
 * RT-2. Retries use backoff with jitter: pauses grow (TRN-STA-12), and calls that failed together do not retry
 * together. Jitter may hide growth in a single chain, so a violation needs several flat chains and no growing one.
 * Chains paced by Retry-After or a 401 are ignored. Missing jitter is only advice: no clause asks for it.
 */
import { compact } from '../../../../base/compact.ts'
import { setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import { callKey } from '../../helpers/call-outcome.ts'
import {
  type RetryChain,
  type RetryChains,
  followRetries,
  isRepeatedByDesign,
  type RetryAttempt,
} from '../../helpers/retry-chains.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import type { Timings, Timing } from '../../tracking/timing.ts'
import { callName, durationText } from '../../tracking/wording.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'
import { roles } from '../../../../protocol/role.ts'

interface State {
  readonly chains: RetryChains
  /** Weight of the flat chains, and of those that may look so by our lag alone; a long chain counts twice. */
  against: number
  doubtful: number
  /** What the last doubtful chain showed. */
  doubt: Timing | undefined
  /** Whether any chain grew. */
  grew: boolean
  /** The last flat chains. */
  readonly flat: (readonly ObservedExchange[])[]
  /** First pause (ms) of the last chain of each recent call, and its tries. */
  readonly firsts: Map<
    string,
    { readonly gap: number; readonly tries: readonly ObservedExchange[] }
  >
}

/** Ratio of the longest to the shortest pause: below `flat` a chain is flat, from `grown` it grows. */
const longChain = { flat: 1.8, grown: 1.8, weight: 2 } as const
/** With two pauses, jitter of 20 % can make equal pauses differ by half. */
const shortChain = { flat: 1.3, grown: 1.6, weight: 1 } as const
const enough = 5
const maxFlat = 3
const maxFirsts = 6
/** Relative difference below which pauses have no jitter. */
const maxJitterRatio = 0.02

/** Evaluates a chain of three or more tries; returns what its flatness shows. */
function evaluateGrowth(state: State, chain: RetryChain, timings: Timings): Timing {
  const { recent } = chain
  const { flat, grown, weight } = chain.pauses.last.length >= 3 ? longChain : shortChain
  const clocks = [chain.pauses.last, chain.ownPauses.last].map((pauses) => ({
    shortestMs: Math.max(1, Math.min(...pauses)),
    longestMs: Math.max(...pauses),
  }))
  if (clocks.some(({ shortestMs, longestMs }) => longestMs / shortestMs >= grown)) state.grew = true
  const [from, to] = [recent[0]?.ended ?? 0, recent.at(-1)?.began ?? 0]
  const byMs = Math.min(...clocks.map(({ shortestMs, longestMs }) => flat * shortestMs - longestMs))
  const timing = timings.of({ from, to, byMs })
  if (timing.outcome === 'fine') return timing
  if (timing.outcome === 'failed') state.against += weight
  else {
    state.doubtful += weight
    state.doubt = timing
  }
  state.flat.push([...recent])
  if (state.flat.length > maxFlat) state.flat.shift()
  return timing
}

/** Whether the first pauses of many chains are nearly equal. */
function haveNoJitter(firsts: State['firsts']): boolean {
  const gaps = Array.from(firsts.values(), ({ gap }) => gap)
  const least = Math.min(...gaps)
  return gaps.length >= maxFirsts && least > 0 && Math.max(...gaps) - least < maxJitterRatio * least
}

function lookForJitter(
  { firsts }: State,
  { chain, key }: RetryAttempt,
  report: InvariantReporter,
): void {
  const [gap = 0] = chain.pauses.last
  firsts.delete(key)
  setBounded(firsts, key, { gap, tries: [...chain.recent] }, maxFirsts)
  if (firsts.size < maxFirsts) return
  report.premise()
  if (!haveNoJitter(firsts)) return
  report.failed({
    because: `The service retried ${maxFirsts} calls ${durationText(gap)} after each had failed, within 2 % of each other: calls that fail together would be retried together.`,
    evidence: [...firsts.values()].flatMap(({ tries }) => tries.map(({ evidence }) => evidence)),
    deduplicationKey: 'in step',
    advice: true,
  })
}

/** Arguments shared by the checks. */
interface Check {
  readonly exchange: ObservedExchange
  readonly tracker: TrackerState
  readonly report: InvariantReporter
}

function lookForGrowth(
  state: State,
  chain: RetryChain,
  { exchange, tracker, report }: Check,
): void {
  report.premise()
  const timing = evaluateGrowth(state, chain, tracker.timing)
  if (timing.outcome === 'fine' || state.grew || state.against + state.doubtful < enough) return
  const doubt = state.against >= enough ? undefined : state.doubt
  const pauses = chain.ownPauses.last.map((each) => durationText(each)).join(', ')
  report.failed({
    ...compact({ timing: doubt }),
    because: `The service retried ${callName(exchange, tracker)} after ${pauses}, and other calls likewise: its pauses do not grow.`,
    evidence: state.flat.flatMap((tries) => tries.map(({ evidence }) => evidence)),
    orderId: exchange.orderId,
    deduplicationKey: callKey(exchange) ?? '',
  })
}

export const retryPausesGrow = defineInvariant<State>({
  id: 'RT-2',
  name: 'retry-pauses-grow',
  sentence: 'Must increase the pauses between retries, and should vary them from call to call.',
  remedy: 'Use exponential backoff with jitter: double each pause and add a random part.',
  kind: 'timing',
  ofOneProcess: true,
  clauses: ['TRN-STA-12'],
  premise: 'a call was tried three times, or six calls were retried',
  adviceMeaning: 'no clause asks for varied pauses',
  binds: roles,
  calls: 'all',
  start: () => ({
    chains: new Map(),
    against: 0,
    doubtful: 0,
    doubt: undefined,
    grew: false,
    flat: [],
    firsts: new Map(),
  }),
  call(state, exchange, tracker, report) {
    const { chains } = state
    const look: Check = { exchange, tracker, report }
    if (exchange.ok && chains.size === 0) return
    if (isRepeatedByDesign(exchange)) return
    const key = callKey(exchange) ?? ''
    const before = chains.get(key)
    const tried = followRetries(chains, exchange, tracker)
    // A chain that ended after three tries.
    if (
      before &&
      !before.isExternallyPaced &&
      before.pauses.last.length === 2 &&
      chains.get(key) !== before
    )
      lookForGrowth(state, before, look)
    if (!tried || tried.chain.isExternallyPaced) return
    if (tried.chain.tries === 2) lookForJitter(state, tried, report)
    if (tried.chain.tries === 4) lookForGrowth(state, tried.chain, look)
  },
})
