/**
 * A crash: the service ends, or stops answering for good, in the middle of a session. It is a finding beside the rules, which
 * are about traffic; what the rules say of a session that a crash has cut short does not count.
 */
import { createExchangeObserver } from '../../core/rules/invariants/judge/exchange-observer.ts'
import type { Invariant } from '../../core/rules/invariants/invariant.ts'
import { type Evidence, toPlainEvidence } from '../../core/rules/invariants/verdict.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { Session } from '../../core/session-api/session.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import type { BatchResult } from '../schedules/result.ts'

/** What reports say about a rule: of the catalogue, or the one about crashes. */
export type ReportedRule = Pick<
  Invariant,
  'id' | 'name' | 'sentence' | 'remedy' | 'kind' | 'clauses' | 'premise'
>

export const crashRule: ReportedRule = {
  id: 'CRASH',
  name: 'keeps-running',
  sentence: 'Must keep running and answering, whatever its partner sends or fails to answer.',
  remedy:
    'Read the end of its output: an error while one call or one event is handled must not end the service.',
  kind: 'safety',
  clauses: [],
  premise: 'Sparring starts the service (--start)',
}

export interface Crash {
  /** How the service ended, or that it does not answer: `it ended with code 1`. */
  readonly because: string
  /** The last lines of its output. */
  readonly output: readonly string[]
}

/** Notices the crash of a service whose process is ours. */
export interface CrashWatch {
  /** Aborts when its process ends. */
  readonly ended: AbortSignal
  /** The crash in this session; asked when the session has been played. */
  readonly crash: () => Promise<Crash | undefined>
}

/** Exchanges before the crash that are kept as evidence. */
const maxLastExchanges = 5

export interface LastExchanges extends Disposable {
  /** The last exchanges with the subject, in order. */
  readonly evidence: () => readonly Evidence[]
}

export function observeLastExchanges(
  session: Pick<Session, 'onExchange'>,
  subject: Role,
): LastExchanges {
  const see = createExchangeObserver(subject)
  let last: readonly Evidence[] = []
  const stop = session.onExchange((exchange, span) => {
    const observed = see(exchange, span)
    if (!observed) return
    last = [...last, observed.evidence].slice(-maxLastExchanges)
    observed.release()
  })
  return { evidence: () => last.map(toPlainEvidence), [Symbol.dispose]: stop }
}

export const crashFailure = (
  { because, output }: Crash,
  evidence: readonly Evidence[],
): BrokenRule => ({
  rule: crashRule.id,
  because: `Your service went away in the middle: ${because}.`,
  evidence,
  ...(output.length > 0 ? { output } : {}),
})

/**
 * The result of a batch that a crash has cut short: nothing else counts. Only what ran alone is known to be the cause.
 */
export const crashedBatch = (batch: BatchResult, crash: BrokenRule): BatchResult => {
  const isAlone = batch.results.length === 1
  return {
    ...batch,
    results: batch.results.map((result) => ({
      ...result,
      failures: isAlone ? [crash] : [],
      inconclusive: [],
      // They were in force when it ended: its reproducer must not end them before the message that it is about.
      faultsEndedMs: 0,
    })),
    unattributed: isAlone ? [] : [crash],
    premises: {},
    advice: {},
  }
}

export const crashIn = ({
  results,
  unattributed,
}: Pick<BatchResult, 'results' | 'unattributed'>): BrokenRule | undefined =>
  [...unattributed, ...results.flatMap(({ failures }) => failures)].find(
    ({ rule }) => rule === crashRule.id,
  )

export interface PlayedPart<Member> {
  readonly part: readonly Member[]
  readonly batch: BatchResult
}

/**
 * Plays a group, and where the service crashes its halves, until what makes it crash has been played alone. The parts come in the
 * order of the group; one with a crash has a single member.
 */
export async function* playInParts<Member>(
  group: readonly Member[],
  play: (part: readonly Member[]) => Promise<BatchResult>,
): AsyncGenerator<PlayedPart<Member>> {
  const parts = [group]
  for (let part = parts.shift(); part; part = parts.shift()) {
    const batch = await play(part)
    const half = Math.ceil(part.length / 2)
    if (part.length > 1 && crashIn(batch)) parts.unshift(part.slice(0, half), part.slice(half))
    else yield { part, batch }
  }
}
