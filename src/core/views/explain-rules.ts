/** Rules that an explained order shows to have failed, or to be inconclusive. */
import type { Finding, Verdict } from '../rules/invariants/verdict.ts'
import type { ExplainedRule } from '../session-api/explanation.ts'
import type { OrderEvidence } from './explain-gather.ts'
import { exchangeNumbers } from './explain-words.ts'

interface OrderFinding {
  readonly verdict: Verdict
  readonly finding: Finding
}

/** Maximum rules per explanation. */
const maxRules = 5

/** The first finding about this order of each rule that has failed or is inconclusive. */
export const findingsOf = ({ verdicts, orderId }: OrderEvidence): readonly OrderFinding[] =>
  verdicts
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive')
    .flatMap((verdict) =>
      verdict.findings
        .filter((finding) => finding.orderId === orderId)
        .slice(0, 1)
        .map((finding) => ({ verdict, finding })),
    )
    .slice(0, maxRules)

export function findingText({ verdict, finding }: OrderFinding): string {
  const { because, evidence, advice, lagMs } = finding
  const shown = evidence.length > 0 ? [exchangeNumbers(evidence.map(({ seq }) => seq))] : []
  const from = [verdict.clauses.join(', '), ...shown].filter((part) => part !== '').join('; ')
  const outcome = lagMs === undefined ? 'failed' : 'is inconclusive'
  return `${verdict.id} ${outcome}${advice ? ' (advice)' : ''}: ${because.replace(/\.$/, '')} (${from})`
}

/** The rules of those findings. */
export const explainedRules = (gathered: OrderEvidence): readonly ExplainedRule[] =>
  findingsOf(gathered).map(({ verdict: { id, sentence, remedy, clauses } }) => ({
    id,
    sentence,
    remedy,
    clauses,
  }))
