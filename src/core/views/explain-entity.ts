/**
 * Explains what is no order: a dining account, a customer, a loyalty account, a coupon. Its facts, calls and events in the order of
 * time, how it stands, and the rules that failed at it.
 */
import { factText } from '../engine/fact.ts'
import type { JournalEntry } from '../engine/journal.ts'
import type { Role } from '../protocol/role.ts'
import { createExchangeObserver } from '../rules/invariants/judge/exchange-observer.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import type { Explanation, StoryLine } from '../session-api/session-api.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { isOfItsParties } from '../traffic/log.ts'
import { type ExplainSources, maxScanned, sideName } from './explain-gather.ts'
import { endingText, exchangeNumbers, failuresAt, seqOf } from './explain-words.ts'

/** Maximum facts and exchanges, and lines. */
const maxLines = 200

interface ExplainedEntity extends Pick<Explanation, 'about' | 'title'> {
  readonly host: Role
  /** Whether a fact is about it, and no exchange shows it. */
  readonly isFact: (entry: JournalEntry) => boolean
  readonly factKind: (entry: JournalEntry) => StoryLine['kind']
  readonly isOdd?: (entry: JournalEntry) => boolean
  readonly isAbout: (exchange: Exchange) => boolean
  /** What an exchange is in a line: `calls payAccount of 20.00`, or an event that it brings, and what is shown after its outcome. */
  readonly did: (observed: ObservedExchange) => {
    readonly text: string
    readonly isEvent: boolean
    readonly shown?: string
  }
  /** How it stands. */
  readonly conclusion: readonly string[]
}

export function entityExplanation(
  entity: ExplainedEntity,
  { world, journal, log, verdicts, subject }: ExplainSources,
): Explanation {
  const facts: JournalEntry[] = []
  let scanned = 0
  for (const entry of journal.before(Number.MAX_SAFE_INTEGER)) {
    if (scanned++ >= maxScanned || facts.length >= maxLines) break
    if (entity.isFact(entry)) facts.push(entry)
  }
  const observe = createExchangeObserver(entity.host)
  const exchanges: ObservedExchange[] = []
  for (const exchange of log.ofThisWorld()) {
    if (exchanges.length >= maxLines) break
    if (!isOfItsParties(exchange) || !entity.isAbout(exchange)) continue
    const span = log.spanOf(exchange.seq)
    const observed = span && observe(exchange, span)
    if (observed) exchanges.unshift(observed)
  }
  const lines = [
    ...exchanges.map((observed): StoryLine => {
      const { exchange, began, ok } = observed
      const { text, isEvent, shown = '' } = entity.did(observed)
      return {
        at: began,
        kind: isEvent ? 'handover' : exchange.request.method === 'GET' ? 'read' : 'call',
        text: `${sideName(exchange.from.role, subject)} ${text} (#${exchange.seq}): ${endingText(observed)}${shown}`,
        exchanges: [exchange.seq],
        ...(ok ? {} : { odd: true }),
      }
    }),
    ...facts.toReversed().map((entry): StoryLine => ({
      at: entry.at,
      kind: entity.factKind(entry),
      text: factText(entry.fact, world),
      exchanges: [],
      fact: entry.seq,
      ...(entity.isOdd?.(entry) ? { odd: true } : {}),
    })),
  ].toSorted((one, next) => one.at - next.at)
  const shown = lines.slice(-maxLines)
  const failed = failuresAt(exchanges, verdicts)
  const refused = exchanges.filter(({ ok }) => !ok).map(seqOf)
  return {
    about: entity.about,
    title: entity.title,
    other: { role: entity.host, name: sideName(entity.host, subject) },
    host: [],
    known: [],
    splits: [],
    lines: shown,
    omitted: lines.length - shown.length,
    conclusion: [
      ...entity.conclusion,
      ...(refused.length > 0 ? [`Without success: ${exchangeNumbers(refused)}.`] : []),
      ...failed.sentences,
    ],
    rules: failed.rules,
  }
}
