/**
 * First causes: where several invariants fail by one mistake, the one that failed first, and those that follow it.
 * A verdict follows another when each of its violations shares an exchange with an earlier violation of the other, or
 * is a liveness violation about the same order.
 */
import { type Finding, isViolation, type Verdict } from '../verdict.ts'

/** Orders findings: by instant, then by the exchange that shows it, then the more specific one. */
function compareFindings(one: Finding, other: Finding): number {
  const lastSeq = ({ evidence }: Finding): number =>
    evidence.at(-1)?.seq ?? Number.POSITIVE_INFINITY
  const [a, b] = [lastSeq(one), lastSeq(other)]
  if (one.at !== other.at) return one.at - other.at
  return a === b ? one.evidence.length - other.evidence.length : a - b
}

const firstOf = (findings: readonly Finding[]): Finding | undefined =>
  findings.toSorted(compareFindings)[0]

const sharesExchange = (one: Finding, other: Finding): boolean =>
  one.evidence.some(({ seq }) => other.evidence.some((each) => each.seq === seq))

function isRelated(later: Finding, earlier: Finding, isLiveness: boolean): boolean {
  const isSameOrder = later.orderId !== undefined && later.orderId === earlier.orderId
  const areOfTwoOrders =
    later.orderId !== undefined && earlier.orderId !== undefined && !isSameOrder
  return !areOfTwoOrders && ((isLiveness && isSameOrder) || sharesExchange(later, earlier))
}

interface FailedVerdict {
  readonly verdict: Verdict
  readonly violations: readonly Finding[]
  readonly first: Finding
}

/** Whether each violation of `later` is related to an earlier one of `cause`. */
const isExplained = ({ verdict, violations }: FailedVerdict, cause: FailedVerdict): boolean =>
  violations.every((finding) =>
    cause.violations.some(
      (earlier) =>
        compareFindings(earlier, finding) <= 0 &&
        isRelated(finding, earlier, verdict.kind === 'liveness'),
    ),
  )

/** The verdicts with `follows` where another is the first cause. */
export function withFirstCauses(verdicts: readonly Verdict[]): readonly Verdict[] {
  const failed = verdicts
    .flatMap((verdict): readonly FailedVerdict[] => {
      const violations = verdict.outcome === 'failed' ? verdict.findings.filter(isViolation) : []
      const first = firstOf(violations)
      return first ? [{ verdict, violations, first }] : []
    })
    .sort((one, other) => compareFindings(one.first, other.first))
  if (failed.length < 2) return verdicts
  const causes: FailedVerdict[] = []
  const follows = new Map<string, string>()
  for (const each of failed) {
    const cause = causes.find((earlier) => isExplained(each, earlier))
    if (cause) follows.set(each.verdict.id, cause.verdict.id)
    else causes.push(each)
  }
  return verdicts.map((verdict) => {
    const cause = follows.get(verdict.id)
    return cause === undefined ? verdict : { ...verdict, follows: cause }
  })
}
