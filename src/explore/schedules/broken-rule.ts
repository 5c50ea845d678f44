/** One broken rule of a run: a finding of a verdict that counts, as plain data. */
import { compact } from '../../core/base/compact.ts'
import { invariants } from '../../core/rules/invariants/catalogue.ts'
import {
  type Evidence,
  type Finding,
  toPlainEvidence,
  type Verdict,
} from '../../core/rules/invariants/verdict.ts'

/** Liveness rules that are broken by what was done: none of them waits for something until a deadline. */
const deadlineFree = new Set(
  invariants.flatMap(({ id, kind, end }) => (kind === 'liveness' && !end ? [id] : [])),
)

/** Whether what comes later makes nothing good, once a rule is broken. */
export const isForGood = ({ id, kind }: Pick<Verdict, 'id' | 'kind'>): boolean =>
  kind !== 'liveness' || deadlineFree.has(id)

export interface BrokenRule extends Pick<Finding, 'clauses' | 'remedy'> {
  /** Id of the rule: `SE-1`. */
  readonly rule: string
  /** The slot of the order in its workload; absent where it is about no single order. */
  readonly slot?: string
  /** One sentence. */
  readonly because: string
  readonly evidence: readonly Evidence[]
  /** The rule that was broken first, where this one shows the same mistake. */
  readonly follows?: string
  /** Of a crash: the last lines that the service wrote. */
  readonly output?: readonly string[]
}

export const brokenRuleOf = (
  { id, follows }: Pick<Verdict, 'id' | 'follows'>,
  {
    because,
    evidence,
    clauses,
    remedy,
  }: Pick<Finding, 'because' | 'evidence' | 'clauses' | 'remedy'>,
  slot: string | undefined,
): BrokenRule => ({
  rule: id,
  because,
  evidence: evidence.map(toPlainEvidence),
  ...compact({ slot, clauses, remedy, follows }),
})
