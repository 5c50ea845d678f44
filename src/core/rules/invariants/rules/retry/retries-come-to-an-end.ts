/**
 * RT-3. Retries of one call end, pause for long, or go on with pauses that have grown (TRN-STA-12: backoff, with pauses
 * that do not shrink; it sets no end, so that more tries are advice where the user sets no number). Returning to a stuck
 * order now and then, or at each webhook, is good practice.
 */
import { defineInvariant } from '../../invariant.ts'
import {
  type RetryChains,
  followRetries,
  growthShortfallMs,
  isRepeatedByDesign,
  countEventTriggered,
} from '../../helpers/retry-chains.ts'
import { allOf } from '../../tracking/timing.ts'
import { callName, durationText, replyName } from '../../tracking/wording.ts'
import { roles } from '../../../../protocol/role.ts'

/** Tries after which more of them are advice. */
const defaultMaxTries = 6

export const retriesComeToAnEnd = defineInvariant<RetryChains>({
  id: 'RT-3',
  name: 'retries-come-to-an-end',
  sentence:
    'Must stop retrying a call after a few tries, pause for long, or keep increasing the pauses.',
  remedy: 'Limit the number of tries in a row, and retry later after a long pause or a new event.',
  kind: 'timing',
  ofOneProcess: true,
  clauses: ['TRN-STA-12'],
  premise: 'a call failed and was tried again',
  adviceMeaning: 'no clause limits the tries; tolerances.tries does',
  binds: roles,
  calls: 'all',
  start: () => new Map(),
  call(chains, exchange, tracker, report) {
    if (isRepeatedByDesign(exchange)) return
    const { coolDownMs, tries: chosenTries } = tracker.limits
    const maxTries = chosenTries ?? defaultMaxTries
    const tried = followRetries(chains, exchange, tracker)
    if (!tried) return
    report.premise()
    const { tries, recent, began } = tried.chain
    const last = recent.at(-2) ?? exchange
    if (tries <= maxTries || tries <= maxTries + countEventTriggered(exchange, began, tracker))
      return
    const [from, to] = [recent[0]?.began ?? began, exchange.began]
    const longestPauseMs = Math.max(0, ...tried.chain.pauses.last, ...tried.chain.ownPauses.last)
    const timing = allOf(
      tracker.timing.of({ from, to, byMs: coolDownMs - longestPauseMs }),
      tracker.timing.of({ from, to, byMs: growthShortfallMs(tried.chain) }),
    )
    if (timing.outcome === 'fine') return
    report.failed({
      timing,
      advice: chosenTries === undefined,
      because: `The service tried ${callName(exchange, tracker)} ${tries} times without a pause of ${durationText(coolDownMs)} or growing pauses, the last time after ${replyName(last)}; the limit is ${maxTries} tries.`,
      evidence: recent.map(({ evidence }) => evidence),
      orderId: exchange.orderId,
      deduplicationKey: tried.key,
    })
  },
})
