/** Findings of one rule, counted: those that say the same are one, with how often. */
import { compact } from '../../../base/compact.ts'
import type { Instant } from '../../../engine/instant.ts'
import { type Evidence, type Finding, maxFindings, maxLatestFindings } from '../verdict.ts'

/** What a finding says. */
interface WordedFinding {
  readonly text: string
}

/** A finding; those that say the same are one, with the first and the latest exchanges that show it. */
export interface CountedDifference<Wording> {
  /** Equal for differences that say the same. */
  readonly key: string
  readonly isAdvice: boolean
  readonly at: Instant
  readonly orderId: string | undefined
  readonly evidence: readonly Evidence[]
  /** The sentences; composed for the first of them only. */
  readonly wording: () => Wording
}

/** Differences that say the same. */
export type DifferenceGroup<Wording> = Wording & {
  readonly isAdvice: boolean
  /** How often it was observed. */
  readonly count: number
  /** Numbers of the exchanges that show it: the first ones, and the latest. */
  readonly exchanges: readonly number[]
}

export interface FindingTally<Wording> {
  readonly add: (difference: CountedDifference<Wording>) => void
  /** How many differences were added. */
  readonly count: () => number
  /** Violations first: advice must not hide them where there are many. */
  readonly groups: () => readonly DifferenceGroup<Wording>[]
  readonly findings: () => readonly Finding[]
  readonly latest: () => readonly Finding[]
}

/** Maximum number of findings that are distinguished; those beyond are only counted. */
const maxGroups = 200
/** Maximum number of exchanges that show a finding: the first ones, and the latest. */
const maxFirstEvidence = 5
const maxLatestEvidence = 3

interface Group<Wording> {
  count: number
  readonly first: CountedDifference<Wording>
  readonly wording: Wording
  readonly evidence: Evidence[]
  readonly latest: Evidence[]
}

function findingOf({ count, first, wording, evidence, latest }: Group<WordedFinding>): Finding {
  const times = count === 1 ? '' : ` Seen ${count} times.`
  const orderId = count === 1 ? first.orderId : undefined
  return {
    because: `${wording.text}${times}`,
    at: first.at,
    evidence: [...evidence, ...latest],
    ...compact({ orderId }),
    ...(first.isAdvice ? { advice: true as const } : {}),
  }
}

export function createFindingTally<Wording extends WordedFinding>(): FindingTally<Wording> {
  const groups = new Map<string, Group<Wording>>()
  const latest: {
    readonly group: Group<Wording>
    readonly difference: CountedDifference<Wording>
  }[] = []
  let count = 0

  function groupOf(difference: CountedDifference<Wording>): Group<Wording> | undefined {
    const key = `${difference.isAdvice} ${difference.key}`
    const known = groups.get(key)
    if (known) return known
    if (groups.size >= maxGroups) {
      // Advice makes room: what is wrong is never hidden by it.
      const lastAdvice = difference.isAdvice
        ? undefined
        : [...groups].findLast(([, { first }]) => first.isAdvice)
      if (!lastAdvice) return undefined
      groups.delete(lastAdvice[0])
    }
    const group: Group<Wording> = {
      count: 0,
      first: difference,
      wording: difference.wording(),
      evidence: [],
      latest: [],
    }
    groups.set(key, group)
    return group
  }

  const sorted = (): readonly Group<Wording>[] =>
    [...groups.values()].toSorted(
      (one, other) => Number(one.first.isAdvice) - Number(other.first.isAdvice),
    )

  return {
    add(difference) {
      count++
      const group = groupOf(difference)
      if (!group) return
      group.count++
      if (group.evidence.length < maxFirstEvidence) group.evidence.push(...difference.evidence)
      else {
        group.latest.push(...difference.evidence)
        group.latest.splice(0, group.latest.length - maxLatestEvidence)
      }
      if (latest.length >= maxLatestFindings) latest.shift()
      latest.push({ group, difference })
    },
    count: () => count,
    groups: () =>
      sorted().map(({ count: times, first: { isAdvice }, wording, evidence, latest: last }) => ({
        ...wording,
        isAdvice,
        count: times,
        exchanges: [...evidence, ...last].map(({ seq }) => seq),
      })),
    findings: () => sorted().slice(0, maxFindings).map(findingOf),
    latest: () =>
      latest.map(({ group, difference: { at, orderId, evidence, isAdvice } }) => ({
        because: group.wording.text,
        at,
        evidence,
        ...compact({ orderId }),
        ...(isAdvice ? { advice: true as const } : {}),
      })),
  }
}
