/** The verdict of a session in one object: whether the service passed, with the exit code that a script ends with. */
import {
  isFailedVerdict,
  notExercisedText,
  type Verdict,
  type VerdictOutcome,
} from '../rules/invariants/verdict.ts'
import type { SessionInfo } from '../session-api/session-api.ts'
import { verdictSummaryLines } from './verdict-text.ts'

export interface SessionVerdict {
  /** The service was in contact, a rule was exercised, and none is broken or open. */
  readonly passed: boolean
  /**
   * 0 passed; 1 a rule is broken; 2 not judged: no rule is checked, none was exercised, or one that was claimed, or one is
   * open; 3 the service was never in contact.
   */
  readonly exit: 0 | 1 | 2 | 3
  /** Why it is so: one sentence. */
  readonly because: string
  /** Rules by outcome; those of which all findings are advice are no failures. */
  readonly counts: Readonly<Record<VerdictOutcome | 'advice', number>>
  /** Of the rules that are claimed, each that was not exercised, and why: a sentence each. */
  readonly notExercised: readonly string[]
  /** The broken rules, with clauses, findings and evidence. Advice is not among them. */
  readonly broken: readonly Verdict[]
  /**
   * What `sparring up` prints at its end: counts, and each failed rule with its remedy. Empty when no rule is checked.
   */
  readonly text: string
}

type Result = Pick<SessionVerdict, 'exit' | 'because'>

const rulesAre = (count: number): string => (count === 1 ? '1 rule is' : `${count} rules are`)

/** Why no rule is checked. */
export const notJudgedText = ({ forked }: Pick<SessionInfo, 'forked'>): string =>
  forked === undefined
    ? 'No rule is checked: no service takes part. Start with up --as <role>, or with --contract.'
    : 'No rule is checked since the session went back: your service remembers what came after. Reset it, or start a new one.'

function resultOf(
  { counts, broken, notExercised }: Pick<SessionVerdict, 'counts' | 'broken' | 'notExercised'>,
  info: SessionInfo,
  contactText: string | undefined,
): Result {
  const { contact } = info
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (all === 0) return { exit: 2, because: notJudgedText(info) }
  if (broken.length > 0) return { exit: 1, because: `${rulesAre(broken.length)} broken.` }
  // Rules that were never exercised would pass.
  if (contact !== undefined && contact.connected === undefined)
    return { exit: 3, because: contactText ?? 'Your service was never in contact.' }
  if (counts['not-exercised'] === all)
    return { exit: 2, because: 'No rule was exercised: create an order, and wait, before asking.' }
  if (notExercised.length > 0)
    return { exit: 2, because: `No rule is broken, but ${notExercised.join('; ')}.` }
  if (counts.open > 0)
    return {
      exit: 2,
      because: `No rule is broken, but ${rulesAre(counts.open)} open: wait until the session has converged.`,
    }
  return { exit: 0, because: 'No rule is broken.' }
}

/**
 * `contactText`: one sentence on whether the service was in contact. `claimed`: ids or names of rules that must have been
 * exercised.
 */
export function sessionVerdict(
  verdicts: readonly Verdict[],
  info: SessionInfo,
  contactText: string | undefined,
  claimed: readonly string[] = [],
): SessionVerdict {
  const broken = verdicts.filter(isFailedVerdict)
  const count = (outcome: VerdictOutcome): number =>
    verdicts.filter((each) => each.outcome === outcome).length
  const counts = {
    failed: broken.length,
    advice: count('failed') - broken.length,
    inconclusive: count('inconclusive'),
    passed: count('passed'),
    open: count('open'),
    'not-exercised': count('not-exercised'),
  }
  const notExercised = claimed.flatMap((claim) => {
    const verdict = verdicts.find(({ id, name }) => id === claim.toUpperCase() || name === claim)
    return notExercisedText(verdict?.id ?? claim, verdicts) ?? []
  })
  const result = resultOf({ counts, broken, notExercised }, info, contactText)
  return {
    passed: result.exit === 0,
    ...result,
    counts,
    notExercised,
    broken,
    text: verdictSummaryLines(verdicts).join('\n'),
  }
}
