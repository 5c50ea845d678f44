/** The verdict of a session in one object: whether the service passed, with the exit code that a script ends with. */
import { isFailedVerdict, type Verdict, type VerdictOutcome } from '../invariants/verdict.ts'
import type { SessionInfo } from '../session-api/session-api.ts'
import { verdictSummaryLines } from './verdict-text.ts'

export interface SessionVerdict {
  /** The service was in contact, and no rule is broken. */
  readonly passed: boolean
  /** 0 passed; 1 a rule is broken; 2 no rule is checked; 3 the service was never in contact. */
  readonly exit: 0 | 1 | 2 | 3
  /** Why it is so: one sentence. */
  readonly because: string
  readonly counts: Readonly<Record<VerdictOutcome, number>>
  /** The broken rules, with clauses, findings and evidence. Advice is not among them. */
  readonly broken: readonly Verdict[]
  /** What `sparring up` prints at its end: counts, and each failed rule with its remedy. Empty when no rule is checked. */
  readonly text: string
}

type Result = Pick<SessionVerdict, 'exit' | 'because'>

const countText = (count: number): string => (count === 1 ? '1 rule is' : `${count} rules are`)

function resultOf(
  verdicts: readonly Verdict[],
  broken: number,
  info: SessionInfo,
  contact: string | undefined,
): Result {
  if (verdicts.length === 0)
    return {
      exit: 2,
      because: 'No rule is checked: no service takes part. Start with --as <role>.',
    }
  if (broken > 0) return { exit: 1, because: `${countText(broken)} broken.` }
  // Rules that were never exercised would pass.
  if (info.contact !== undefined && info.contact.connected === undefined)
    return { exit: 3, because: contact ?? 'Your service was never in contact.' }
  return { exit: 0, because: 'No rule is broken.' }
}

/** `contact`: one sentence on whether the service was in contact. */
export function sessionVerdict(
  verdicts: readonly Verdict[],
  info: SessionInfo,
  contact: string | undefined,
): SessionVerdict {
  const broken = verdicts.filter(isFailedVerdict)
  const result = resultOf(verdicts, broken.length, info, contact)
  const count = (outcome: VerdictOutcome): number =>
    verdicts.filter((each) => each.outcome === outcome).length
  return {
    passed: result.exit === 0,
    ...result,
    counts: {
      failed: count('failed'),
      inconclusive: count('inconclusive'),
      passed: count('passed'),
      open: count('open'),
      'not-exercised': count('not-exercised'),
    },
    broken,
    text: verdictSummaryLines(verdicts).join('\n'),
  }
}
