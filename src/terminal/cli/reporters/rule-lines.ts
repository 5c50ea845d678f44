/** Lines about a broken rule, for people: its exchanges, its sentence, what to do, and its clauses. */
import type { Evidence } from '../../../core/rules/invariants/verdict.ts'
import { type Clause, clauseWithPlace } from '../../../core/protocol/clause.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'

/** Maximum number of exchanges shown of one finding; the recording has all. */
const maxEvidence = 8

export const evidenceLines = (evidence: readonly Evidence[]): readonly string[] => [
  ...evidence.slice(0, maxEvidence).map(({ seq, line }) => `#${seq}  ${escapeControls(line)}`),
  ...(evidence.length > maxEvidence ? [`and ${evidence.length - maxEvidence} more`] : []),
]

export interface RuleText {
  readonly sentence: string
  readonly remedy: string
}

export const ruleLines = (
  { sentence, remedy }: RuleText,
  clauses: readonly Clause[],
): readonly string[] => [
  sentence,
  `fix: ${remedy}`,
  ...clauses.map((clause) => `${clause.id}  ${clauseWithPlace(clause)}`),
]

/** `0.4 s`, `12 s`. */
export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`

export const indented = (lines: readonly string[], by = 2): readonly string[] =>
  lines.map((line) => `${' '.repeat(by)}${line}`)
