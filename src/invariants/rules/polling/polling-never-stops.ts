/**
 * PO-1. Polls go on in their rhythm, whatever becomes of a poll, an event or an order (ORD-OPS-01). A pause counts from
 * the answer to one poll to the next poll, so it is all the service's own; after a poll that failed, or a token that was
 * not to be had, the service may have reason to wait, and only the calm after that says whether it came back.
 */
import type { Instant } from '../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import { isPoll, polls } from '../../helpers/polling.ts'
import { retryAfter } from '../../helpers/call-outcome.ts'
import { createRhythm, keepGap, type Rhythm, usualGap } from '../../helpers/poll-interval.ts'
import { answerName } from '../../helpers/call-wording.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { lasting } from '../../tracking/wording.ts'
import type { Watch } from '../../tracking/tracker-state.ts'

interface State {
  readonly rhythm: Rhythm
  /** The poll that ended last. */
  last: SeenExchange | undefined
  /** When something last stood in the way of polls. */
  trouble: Instant | undefined
  /** A poll is hung since then: it is in no list until it has an end. */
  hung: Instant | undefined
}

/** A pause is too long at three times the usual one. */
const tooLong = 3
/** So many pauses make a rhythm; before that nobody can say what is long. */
const enoughGaps = 3
/** How much more patience there is while other calls of the service are disturbed. */
const inStorm = 3

const disturbs = (on: string): boolean =>
  on.startsWith('req(poll') || on.startsWith('req(issueToken')

interface Pause {
  /** From when on it counts. */
  readonly from: Instant
  /** How long it may be. */
  readonly limit: number
}

/** The pause after a poll: as long as everything may take, where there was reason to wait or no rhythm is known yet. */
function pauseAfter(last: SeenExchange, { trouble, rhythm }: State, watch: Watch): Pause {
  const { graceMs, convergeMs } = watch.patience
  const isTroubled = trouble !== undefined && trouble >= last.began
  if (last.ok && !last.faulted && !isTroubled && rhythm.count >= enoughGaps) {
    const least = watch.wasCalm(last.began) ? graceMs : inStorm * graceMs
    return { from: last.ended, limit: Math.max(tooLong * usualGap(rhythm), least) }
  }
  // To wait for an answer for ever is no reason to wait.
  const end = last.exchange.failure?.code === 'HUNG' ? last.began : last.ended
  const from = Math.max(end, retryAfter(last) ?? 0, isTroubled ? trouble : 0)
  return { from, limit: convergeMs }
}

const howItEnded = (last: SeenExchange, hung?: Instant): string =>
  hung !== undefined && hung >= last.began
    ? 'its last poll never got an answer'
    : `its last poll had got ${last.ok ? 'an answer' : answerName(last)}`

export const pollingNeverStops = defineInvariant<State>({
  id: 'PO-1',
  name: 'polling-never-stops',
  sentence:
    'The service goes on polling in its rhythm, whatever becomes of a poll, an event or an order.',
  kind: 'liveness',
  clauses: ['ORD-OPS-01'],
  premise: 'the service polled more than once',
  binds: ['software-service'],
  sees: { exchanges: [...polls, 'issueToken'], facts: ['fault.fired'] },
  start: () => ({ rhythm: createRhythm(), last: undefined, trouble: undefined, hung: undefined }),
  shown: {
    fact(state, { fact, at }) {
      if (fact.kind !== 'fault.fired' || !disturbs(fact.on)) return
      state.trouble = at
      if (fact.distortion?.end === 'hang' && fact.on.startsWith('req(poll')) state.hung = at
    },
    exchange(state, exchange, watch, tell) {
      if (!isPoll(exchange)) {
        if (exchange.by === 'subject' && !exchange.ok) state.trouble = exchange.ended
        return
      }
      if (exchange.exchange.failure?.code === 'HUNG') state.hung = undefined
      const { last, rhythm } = state
      if (last && exchange.began >= last.ended) {
        tell.premise()
        const { from, limit } = pauseAfter(last, state, watch)
        const gap = exchange.began - from
        if (gap > limit)
          tell.broken({
            because: `The service did not poll for ${lasting(gap)}; as a rule it pauses for ${lasting(usualGap(rhythm))}, and ${howItEnded(last)}.`,
            evidence: [last.cite, exchange.cite],
          })
        keepGap(rhythm, exchange.began - last.ended)
      }
      if (!last || exchange.ended >= last.ended) state.last = exchange
    },
  },
  end(state, watch, tell) {
    const { last } = state
    if (!last) return
    const { from, limit } = pauseAfter(last, state, watch)
    if (watch.now - from <= limit) return
    if (!watch.overdue(from, limit)) return tell.open()
    tell.broken({
      because: `The service has not polled for ${lasting(watch.now - last.ended)}; ${howItEnded(last, state.hung)}.`,
      evidence: [last.cite],
    })
  },
})
