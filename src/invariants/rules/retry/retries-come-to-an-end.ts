/**
 * RT-3. Retries of one call end, or at least pause for long: an overloaded host must not be called forever
 * (TRN-STA-12). Only tries with short pauses count; returning to a stuck order now and then, or at each webhook, is
 * good practice.
 */
import { defineInvariant } from '../../invariant.ts'
import { isAnybodys } from '../../helpers/call-outcome.ts'
import { type Chains, follow, isLoop, setOff } from '../../helpers/retry-chains.ts'
import { everyRole } from '../../helpers/roles.ts'
import { answerName, callName } from '../../helpers/call-wording.ts'
import { lasting } from '../../tracking/wording.ts'

export const retriesComeToAnEnd = defineInvariant<Chains>({
  id: 'RT-3',
  name: 'retries-come-to-an-end',
  sentence: 'A call that goes on failing is left alone for a while after a handful of tries.',
  kind: 'timing',
  clauses: ['TRN-STA-12'],
  premise: 'a call failed and was tried again',
  binds: everyRole,
  sees: { failures: 'all' },
  start: () => new Map(),
  minds: (chains) => chains.size > 0,
  shown: {
    exchange(chains, exchange, tracker, report) {
      if (isLoop(exchange) || isAnybodys(exchange, tracker)) return
      const { graceMs, tries: maxTries } = tracker.patience
      const tried = follow(chains, exchange, graceMs)
      if (!tried) return
      report.premise()
      const { tries, recent, began } = tried.chain
      const last = recent.at(-2) ?? exchange
      if (tries <= maxTries || tries <= maxTries + setOff(exchange, began, tracker)) return
      report.broken({
        because: `The service tried ${callName(exchange, tracker)} ${tries} times without a pause of ${lasting(graceMs)}, the last time after ${answerName(last)}; ${maxTries} tries are enough.`,
        evidence: recent.map(({ cite: evidence }) => evidence),
        orderId: exchange.orderId,
        once: tried.key,
      })
    },
  },
})
