/**
 * RT-3. Retries of one call end, or at least pause for long: an overloaded host must not be called forever
 * (TRN-STA-12). Only tries with short pauses count; returning to a stuck order now and then, or at each webhook, is
 * good practice.
 */
import { defineInvariant } from '../../invariant.ts'
import { hasAmbiguousCaller } from '../../helpers/call-outcome.ts'
import {
  type RetryChains,
  followRetries,
  isPollOrAcknowledgment,
  countWebhookTriggered,
} from '../../helpers/retry-chains.ts'
import { replyName, callName } from '../../helpers/call-wording.ts'
import { durationText } from '../../tracking/wording.ts'
import { roles } from '../../../protocol/role.ts'

export const retriesComeToAnEnd = defineInvariant<RetryChains>({
  id: 'RT-3',
  name: 'retries-come-to-an-end',
  sentence: 'A call that goes on failing is left alone for a while after a handful of tries.',
  kind: 'timing',
  clauses: ['TRN-STA-12'],
  premise: 'a call failed and was tried again',
  binds: roles,
  subscriptions: { failures: 'all' },
  start: () => new Map(),
  needsSuccesses: (chains) => chains.size > 0,
  handlers: {
    exchange(chains, exchange, tracker, report) {
      if (isPollOrAcknowledgment(exchange) || hasAmbiguousCaller(exchange, tracker)) return
      const { graceMs, tries: maxTries } = tracker.limits
      const tried = followRetries(chains, exchange, graceMs)
      if (!tried) return
      report.premise()
      const { tries, recent, began } = tried.chain
      const last = recent.at(-2) ?? exchange
      if (tries <= maxTries || tries <= maxTries + countWebhookTriggered(exchange, began, tracker))
        return
      report.broken({
        because: `The service tried ${callName(exchange, tracker)} ${tries} times without a pause of ${durationText(graceMs)}, the last time after ${replyName(last)}; ${maxTries} tries are enough.`,
        evidence: recent.map(({ evidence }) => evidence),
        orderId: exchange.orderId,
        deduplicationKey: tried.key,
      })
    },
  },
})
