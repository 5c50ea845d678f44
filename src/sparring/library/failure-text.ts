/** Failure messages of the matchers: broken rules with their evidence, and what has not converged. */
import {
  groupedByCause,
  isFailedVerdict,
  isViolation,
  type Verdict,
  withEvidenceOnce,
} from '../../core/rules/invariants/verdict.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import { causeText } from '../../core/views/verdict-text.ts'

/** Findings that are shown of each rule. */
const maxFindings = 3

function ruleLines(verdict: Verdict): readonly string[] {
  const { id, sentence, clauses, remedy, findings, violations } = verdict
  const shown = findings.filter(isViolation).slice(0, maxFindings)
  const more = violations - shown.length
  return [
    '',
    `${id}  ${escapeControls(sentence)}${causeText(verdict)}`,
    ...withEvidenceOnce(shown).flatMap(({ because, evidence }) => [
      `    ${escapeControls(because)}`,
      ...evidence.map(({ seq, line }) => `      #${seq}  ${escapeControls(line)}`),
    ]),
    ...(more > 0 ? [`    and ${more} more`] : []),
    `    fix: ${remedy}`,
    ...(clauses.length > 0 ? [`    clauses: ${clauses.join(', ')}`] : []),
  ]
}

/** Rules that failed under conditions that a correct partner may cause; advice is none. */
export const brokenRules = (verdicts: readonly Verdict[]): readonly Verdict[] =>
  verdicts.filter(isFailedVerdict)

/** Each broken rule: what it requires, what was observed, the exchanges that show it, what to do, and its clauses. */
export const brokenRulesText = (broken: readonly Verdict[]): string =>
  [
    `Expected no broken rule, but ${broken.length === 1 ? '1 is' : `${broken.length} are`} broken:`,
    ...groupedByCause(broken).flatMap(ruleLines),
  ].join('\n')

/** The reasons why a session has not converged, a line each. */
export const notConvergedText = (reasons: readonly string[], withinText: string): string =>
  [
    `Expected the session to converge within ${withinText}, but it has not:`,
    ...reasons.map((reason) => `  - ${escapeControls(reason)}`),
  ].join('\n')
