/** Verdicts as text: the line of a failed rule, the counts by outcome, and the summary at the end of a session. */
import {
  contractRuleId,
  groupedByCause,
  isAdviceVerdict,
  type VerdictOutcome,
  type Verdict,
  verdictLabel,
} from '../rules/invariants/verdict.ts'
import { escapeControls } from '../traffic/escape-controls.ts'

/** `ORD-GEN-02, ORD-EVR-01; #12, #19`: the clauses, and the exchanges that are the evidence. */
export function clausesAndEvidence({ clauses, findings }: Verdict): string {
  const [first] = findings
  const shown = first?.evidence.map(({ seq }) => `#${seq}`).join(', ') ?? ''
  return [clauses.join(', '), shown].filter((part) => part !== '').join('; ')
}

/** The line of a failed or inconclusive verdict. */
export function failedVerdictLine(verdict: Verdict): string {
  const { id, sentence, outcome, findings } = verdict
  const because = (findings[0]?.because ?? sentence).replace(/\.$/, '')
  const result = isAdviceVerdict(verdict)
    ? `advice (${verdict.adviceMeaning ?? 'no correct partner does that'})`
    : outcome === 'failed'
      ? outcome
      : `is ${outcome}`
  return escapeControls(`${id} ${result}: ${because} (${clausesAndEvidence(verdict)})`)
}

const count = (verdicts: readonly Verdict[], outcome: VerdictOutcome): number =>
  verdicts.filter((each) => each.outcome === outcome).length

/** `12 passed, 2 failed, 1 advice, 36 not exercised, 3 open`. */
export function formatOutcomeCounts(verdicts: readonly Verdict[]): string {
  const open = count(verdicts, 'open')
  const inconclusive = count(verdicts, 'inconclusive')
  const advice = verdicts.filter(isAdviceVerdict).length
  return [
    `${count(verdicts, 'passed')} passed`,
    `${count(verdicts, 'failed') - advice} failed`,
    ...(advice > 0 ? [`${advice} advice`] : []),
    ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : []),
    `${count(verdicts, 'not-exercised')} not exercised`,
    ...(open > 0 ? [`${open} open`] : []),
  ].join(', ')
}

/** Names the first cause of a verdict that follows another. */
export const causeText = ({ follows }: Verdict): string =>
  follows === undefined ? '' : `, with ${follows}, which failed first`

/** Findings of a contract say different things, so that each is listed. */
const otherFindingLines = ({ id, findings }: Verdict): readonly string[] =>
  id === contractRuleId
    ? findings.slice(1).map(({ because, advice }) => {
        const word = advice ? 'advice: ' : ''
        return `          ${word}${escapeControls(because)}`
      })
    : []

export function verdictSummaryLines(verdicts: readonly Verdict[]): readonly string[] {
  if (verdicts.length === 0) return []
  const shown = (['failed', 'inconclusive'] as const).flatMap((wanted) =>
    groupedByCause(verdicts.filter(({ outcome }) => outcome === wanted)),
  )
  return [
    `verdicts  ${formatOutcomeCounts(verdicts)}`,
    ...shown.flatMap((verdict) => {
      const { outcome } = verdict
      const times = outcome === 'failed' ? verdict.violations : verdict.inconclusive
      const more = times > 1 ? ` (${times} times)` : ''
      return [
        `${verdictLabel(verdict).padEnd(9)} ${escapeControls(verdict.sentence)}${more}`,
        `          ${failedVerdictLine(verdict)}${causeText(verdict)}`,
        ...otherFindingLines(verdict),
        ...(outcome === 'failed' ? [`          fix: ${verdict.remedy}`] : []),
      ]
    }),
  ]
}
