/** Moves what failed to the front of a result: a long one is cut behind it. */
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

const ranked = (rows: readonly unknown[], member: string, ranks: readonly string[]): unknown[] => {
  const rankOf = (row: unknown): number => {
    const rank = isUnknownRecord(row) ? ranks.indexOf(String(row[member])) : -1
    return rank < 0 ? ranks.length : rank
  }
  return rows.toSorted((one, other) => rankOf(one) - rankOf(other))
}

const outcomeRanks = ['failed', 'inconclusive', 'open'] as const

/** A rule that holds, or was not exercised, by its name and its count alone. */
function shortVerdict(verdict: unknown): unknown {
  if (!isUnknownRecord(verdict)) return verdict
  const { id, name, outcome, premises } = verdict
  return outcomeRanks.some((rank) => rank === outcome) ? verdict : { id, name, outcome, premises }
}

/** Verdicts: failed rules first, then those in doubt; of those that hold only the names. */
export const ruleFailuresFirst = (verdicts: unknown): unknown =>
  Array.isArray(verdicts) ? ranked(verdicts, 'outcome', outcomeRanks).map(shortVerdict) : verdicts

/** The report of `sparring run`: failed runs first, without steps and journals. */
export function failuresFirst(report: unknown): unknown {
  if (!isUnknownRecord(report) || !Array.isArray(report['runs'])) return report
  const runs = ranked(report['runs'], 'result', ['failed', 'stopped', 'inconclusive', 'skipped'])
  return { ...report, runs: runs.map(withoutHistory) }
}

/** A run without what only an inquiry needs: its journal, its steps and the rules that hold. */
function withoutHistory(run: unknown): unknown {
  if (!isUnknownRecord(run)) return run
  const { journal: _journal, steps: _steps, verdicts, ...kept } = run
  if (!Array.isArray(verdicts)) return kept
  const isFinding = (each: unknown): boolean =>
    isUnknownRecord(each) && outcomeRanks.some((rank) => rank === each['outcome'])
  return { ...kept, verdicts: verdicts.filter(isFinding) }
}

/** The lines of `sparring replay`: the summary first, then the exchanges that are not as they were recorded. */
export function differencesFirst(lines: unknown): unknown {
  if (!Array.isArray(lines)) return lines
  const differing = lines.filter((line) => !(isUnknownRecord(line) && line['standing'] === 'same'))
  return ranked(differing, 'type', ['summary'])
}

/** What of a campaign's report says what was found; schedules, coverage and counts come after it. */
const bucketMembers = [
  'id',
  'rule',
  'status',
  'sentence',
  'paragraph',
  'remedy',
  'clauses',
  'file',
  'recording',
  'again',
] as const

const reportMembers = [
  'ok',
  'halted',
  'interrupted',
  'subject',
  'channel',
  'seed',
  'shard',
  'merged',
  'runs',
  'schedules',
  'tookMs',
  'buckets',
  'steady',
  'crash',
  'passing',
  'inconclusive',
  'leftOut',
  'faults',
  'notExercised',
] as const

const membersOf = (value: unknown, names: readonly string[]): unknown =>
  isUnknownRecord(value)
    ? Object.fromEntries(
        names.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])),
      )
    : value

/** The report of `sparring explore`: what was found and where it is kept. */
export function findingsOnly(report: unknown): unknown {
  if (!isUnknownRecord(report) || report['type'] !== 'report') return report
  const { buckets } = report
  const found = Array.isArray(buckets)
    ? buckets.map((bucket: unknown) => membersOf(bucket, bucketMembers))
    : buckets
  return membersOf({ ...report, buckets: found }, reportMembers)
}
