/** Wording of explanations: exchange numbers, times, outcomes of exchanges. */
import { clockOf, type Instant } from '../engine/instant.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import type { ExplainedRule } from '../session-api/explanation.ts'
import { formatDuration } from '../protocol/duration.ts'

/** Maximum exchanges named in a sentence; the rest is counted. */
const maxNamed = 4

/** `#3`, `#3 and #7`, `#3, #7, #9, #12 and 5 more`. */
export function exchangeNumbers(seqs: readonly number[]): string {
  const named = seqs.slice(0, maxNamed).map((seq) => `#${seq}`)
  const more = seqs.length - named.length
  if (more > 0) return `${named.join(', ')} and ${more} more`
  return named.length < 2
    ? named.join('')
    : `${named.slice(0, -1).join(', ')} and ${named.at(-1) ?? ''}`
}

export const explainedRule = ({ id, sentence, remedy, clauses }: Verdict): ExplainedRule => ({
  id,
  sentence,
  remedy,
  clauses,
})

/** The rules that failed at one of these exchanges, and a sentence about each. */
export function failuresAt(
  exchanges: readonly ObservedExchange[],
  verdicts: readonly Verdict[],
): { readonly sentences: readonly string[]; readonly rules: readonly ExplainedRule[] } {
  const seqs = new Set(exchanges.map(seqOf))
  const failed = verdicts.flatMap((verdict) => {
    const finding = verdict.findings.find(({ evidence }) =>
      evidence.some(({ seq }) => seqs.has(seq)),
    )
    return verdict.outcome === 'failed' && finding ? [{ verdict, finding }] : []
  })
  return {
    sentences: failed.map(
      ({ verdict: { id, clauses }, finding }) =>
        `${id} ${finding.advice ? 'advice' : 'failed'}: ${finding.because.replace(/\.$/, '')} (${clauses.join(', ')}).`,
    ),
    rules: failed.map(({ verdict }) => explainedRule(verdict)),
  }
}

export const seqOf = ({ exchange }: ObservedExchange): number => exchange.seq

/** `2nd`, `3rd`, `11th`, `21st`. */
export function ordinalText(count: number): string {
  const tens = count % 100
  const ones = tens >= 11 && tens <= 13 ? 0 : count % 10
  return `${count}${['th', 'st', 'nd', 'rd'][ones] ?? 'th'}`
}

export const atTime = (instant: Instant): string => `at ${clockOf(instant)}`

/** Duration text: ms below one second, then rounded to 0.1 s. */
export const lengthText = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)}ms` : formatDuration(Math.round(ms / 100) * 100)

const maxChars = 160

const shortText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value.length > maxChars
      ? `${value.slice(0, maxChars)}…`
      : value
    : undefined

/** Message of an error body, in any of the shapes that partners use. */
function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const fields = body as Readonly<Record<string, unknown>>
  const inner = fields['error']
  if (typeof inner === 'object' && inner !== null) return messageIn(inner)
  return (
    shortText(fields['message']) ??
    shortText(fields['detail']) ??
    shortText(fields['title']) ??
    shortText(inner)
  )
}

const failureTexts: Readonly<Record<string, string>> = {
  HUNG: 'no answer',
  RESET: 'the connection was reset',
  CUT: 'the answer was cut off',
  UNSENT: 'it never left',
  LOST: 'the answer was lost',
  TRUNCATED: 'its body was truncated',
  TIMEOUT: 'no answer in time',
}

/** Outcome of an exchange, with the fault involved: `409 (the order is past it)`. */
export function endingText(observed: ObservedExchange): string {
  const { exchange, status, ok } = observed
  const { failure, fault } = exchange
  const why = ok ? undefined : messageIn(observed.responseJson())
  const end = failure ? (failureTexts[failure.code] ?? failure.code) : String(status)
  const by = fault === undefined ? '' : `, by the fault ${fault}`
  return `${end}${why === undefined || failure ? '' : ` (${why})`}${by}`
}
