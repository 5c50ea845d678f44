/**
 * RT-7. A call without a reply times out at the service. A hung call is observed only when the service closes the
 * connection; until then only the fact of the fault shows it. Polling in the meantime is judged by PO-1.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import type { Instant } from '../../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import { atTimeOfDay, callName, durationText, orderName } from '../../tracking/wording.ts'
import { roles } from '../../../../protocol/role.ts'

interface Hung {
  readonly on: string
  readonly since: Instant
  readonly orderId: string | undefined
}

interface State {
  /** Hung calls by fault and operation, in order. */
  readonly hung: Map<string, readonly Hung[]>
}

const maxEntries = 2000

export const hungCallsAreAbandoned = defineInvariant<State>({
  id: 'RT-7',
  name: 'hung-calls-are-abandoned',
  sentence: 'Must give up a call that gets no reply after a timeout.',
  remedy:
    'Set a timeout of some seconds for every outgoing call, and handle it like a failed call.',
  kind: 'liveness',
  clauses: ['ORD-OPS-01', 'ORD-GEN-05'],
  premise: 'a call of the service got no reply',
  binds: roles,
  calls: 'all',
  start: () => ({ hung: new Map() }),
  facts: {
    'fault.fired'(state, { name, on, orderId, distortion }, { now }, report) {
      if (distortion?.end !== 'hang' || !on.startsWith('req(')) return
      report.premise()
      const key = `${name} on ${on}`
      const calls = [...(state.hung.get(key) ?? []), { on, since: now, orderId }]
      setBounded(state.hung, key, calls, maxEntries)
    },
  },
  call(state, exchange, tracker, report) {
    const { fault, failure } = exchange.exchange
    if (fault === undefined || failure?.code !== 'HUNG') return
    const [, ...rest] = state.hung.get(fault) ?? []
    if (rest.length > 0) state.hung.set(fault, rest)
    else state.hung.delete(fault)
    const waited = exchange.ended - exchange.began
    const { began, ended } = exchange
    const timing = tracker.timing.atMost(began, ended, tracker.limits.convergeMs)
    if (timing.outcome === 'fine') return
    report.failed({
      timing,
      because: `The service waited ${durationText(waited)} for a reply to ${callName(exchange, tracker)}.`,
      evidence: [exchange.evidence],
      orderId: exchange.orderId,
      deduplicationKey: fault,
    })
  },
  end(state, tracker, report) {
    for (const [key, hung] of state.hung)
      for (const { since, orderId, on } of hung) {
        const of = orderId === undefined ? '' : ` of ${orderName(tracker, orderId)}`
        report.due(tracker.deadline(since), () => ({
          because: `The service has been waiting for ${durationText(tracker.now - since)} for the reply to a call${of} that never came (${on}, ${atTimeOfDay(since)}).`,
          // The call is still under way: no exchange shows it yet.
          evidence: [],
          orderId,
          deduplicationKey: key,
        }))
      }
  },
})
