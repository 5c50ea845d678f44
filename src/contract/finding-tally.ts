/** Findings of a contract, counted: those that say the same are one, with the first and the latest exchanges that show it. */
import { compact } from '../compact.ts'
import type { Instant } from '../engine/instant.ts'
import {
  type Evidence,
  type Finding,
  maxFindings,
  maxLatestFindings,
} from '../invariants/verdict.ts'

export interface CountedDifference {
  /** Equal for differences that say the same. */
  readonly key: string
  readonly isAdvice: boolean
  readonly at: Instant
  readonly orderId: string | undefined
  readonly evidence: Evidence
  /** The sentences; composed for the first of them only. */
  readonly text: () => string
}

export interface FindingTally {
  readonly add: (difference: CountedDifference) => void
  /** How many differences were added. */
  readonly count: () => number
  readonly findings: () => readonly Finding[]
  readonly latest: () => readonly Finding[]
}

/** Maximum number of findings that are told apart; those beyond are only counted. */
const maxGroups = 200
/** Maximum number of exchanges that show a finding: the first ones, and the latest. */
const maxFirstEvidence = 5
const maxLatestEvidence = 3

interface Group {
  count: number
  readonly first: CountedDifference
  readonly because: string
  readonly evidence: Evidence[]
  readonly latest: Evidence[]
}

function findingOf({ count, first, because, evidence, latest }: Group): Finding {
  const times = count === 1 ? '' : ` Seen ${count} times.`
  const orderId = count === 1 ? first.orderId : undefined
  return {
    because: `${because}${times}`,
    at: first.at,
    evidence: [...evidence, ...latest],
    ...compact({ orderId }),
    ...(first.isAdvice ? { advice: true as const } : {}),
  }
}

export function createFindingTally(): FindingTally {
  const groups = new Map<string, Group>()
  const latest: { readonly group: Group; readonly difference: CountedDifference }[] = []
  let count = 0

  function groupOf(difference: CountedDifference): Group | undefined {
    const key = `${difference.isAdvice} ${difference.key}`
    const known = groups.get(key)
    if (known) return known
    if (groups.size >= maxGroups) return undefined
    const group: Group = {
      count: 0,
      first: difference,
      because: difference.text(),
      evidence: [],
      latest: [],
    }
    groups.set(key, group)
    return group
  }

  return {
    add(difference) {
      count++
      const group = groupOf(difference)
      if (!group) return
      group.count++
      if (group.evidence.length < maxFirstEvidence) group.evidence.push(difference.evidence)
      else {
        if (group.latest.length >= maxLatestEvidence) group.latest.shift()
        group.latest.push(difference.evidence)
      }
      if (latest.length >= maxLatestFindings) latest.shift()
      latest.push({ group, difference })
    },
    count: () => count,
    findings: () =>
      // Violations first: advice must not hide them where there are many.
      [...groups.values()]
        .toSorted((one, other) => Number(one.first.isAdvice) - Number(other.first.isAdvice))
        .slice(0, maxFindings)
        .map(findingOf),
    latest: () =>
      latest.map(({ group, difference: { at, orderId, evidence, isAdvice } }) => ({
        because: group.because,
        at,
        evidence: [evidence],
        ...compact({ orderId }),
        ...(isAdvice ? { advice: true as const } : {}),
      })),
  }
}
