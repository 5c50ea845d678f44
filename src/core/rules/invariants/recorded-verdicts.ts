/**
 * Verdicts in the form in which a recording keeps them and a report shows them: exercised rules, evidence by number.
 */
import { compact } from '../../base/compact.ts'
import type { RecordedVerdict } from '../../traffic/recording/session-end.ts'
import { adviceMeaningOf, isAdviceVerdict, type Verdict } from './verdict.ts'

/** Exchanges of one finding at most. */
const maxEvidence = 50

const isExercised = ({ outcome }: Verdict): boolean => outcome !== 'not-exercised'

export const recordedVerdicts = (verdicts: readonly Verdict[]): readonly RecordedVerdict[] =>
  verdicts.filter(isExercised).map((verdict) => {
    const { id, sentence, remedy, clauses, outcome, premises, violations, findings } = verdict
    return {
      id,
      sentence,
      remedy,
      clauses: [...clauses],
      outcome,
      premises,
      violations,
      ...compact({ follows: verdict.follows }),
      ...(isAdviceVerdict(verdict) ? { adviceMeaning: adviceMeaningOf(verdict) } : {}),
      findings: findings.map(({ because, orderId, slot, advice, lagMs, setting, evidence }) => ({
        because,
        ...compact({ orderId, slot, advice, lagMs, setting }),
        evidence: evidence.slice(0, maxEvidence).map(({ seq }) => seq),
      })),
    }
  })
