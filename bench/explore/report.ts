/** Formats what the bench of exploration has measured: as a table, or as one JSON object. */
import type { Kill } from './kill.ts'
import { baseline, ours } from './strategies.ts'
import {
  type DefectRow,
  type ExploreBenchResult,
  isShown,
  medianRuns,
  needsFault,
  reproducerTotals,
  strategyTotals,
} from './summary.ts'

const nameWidth = 32
const numberWidth = 10

const line = (name: string, cells: readonly string[], rest = ''): string =>
  `${name.padEnd(nameWidth)}${cells.map((each) => each.padStart(numberWidth)).join('')}  ${rest}`.trimEnd()

const runsText = (runs: number): string => (Number.isFinite(runs) ? String(runs) : 'never')

/** How the usual mix has found it: its rules and the strategy, or that no fault is needed. */
function foundText({ kills, shrunk }: DefectRow): string {
  const all = kills.get(ours) ?? []
  const first = all.find(({ kind }) => kind !== 'survived')
  if (!first || first.kind === 'survived') return ''
  const rules = first.rules.join(', ')
  if (first.kind === 'steady') return `${rules} without faults`
  const sizes = (shrunk?.reproducers ?? []).map(
    ({ rule, status, faults }) => `${faults} (${rule}, ${status})`,
  )
  const size = sizes.length > 0 ? `, shrunk to ${sizes.join(', ')} faults` : ''
  const replays = shrunk?.replays
  const again = replays ? `, ${replays.rule} again ${replays.failed} of ${replays.played}` : ''
  return `${rules} by ${first.strategy}${size}${again}`
}

/** At least so many in n can still be wrong when none was: 95 % of the time fewer than this share. */
const upperBound = (runs: number): string => `${((3 / Math.max(1, runs)) * 100).toFixed(3)} %`

function totalsText(title: string, rows: readonly DefectRow[], result: ExploreBenchResult) {
  const totals = strategyTotals(rows, result)
  const row = (name: string, text: (total: (typeof totals)[number]) => string): string =>
    line(`  ${name}`, totals.map(text))
  return [
    line(`${title}: ${rows.length}`, []),
    row('killed', ({ killed }) => String(killed)),
    row('median of runs', (each) => runsText(each.medianRuns)),
    row('nine in ten by', ({ mostRuns }) => runsText(mostRuns)),
    row('mean, never counts as budget', ({ meanRuns }) => meanRuns.toFixed(1)),
    ...(result.strategies.includes(baseline)
      ? [row(`share of the runs of ${baseline}`, ({ ratio }) => ratio.toFixed(2))]
      : []),
  ]
}

function reproducersText({ rows }: ExploreBenchResult): readonly string[] {
  const totals = reproducerTotals(rows)
  if (!totals) return []
  const { faults, orders, executions, statuses, replayed, replayedAlways } = totals
  const pair = ([median, most]: readonly [number, number]): string =>
    `${median}, nine in ten at most ${most}`
  const kinds = Object.entries(statuses).map(([status, count]) => `${count} ${status}`)
  return [
    `reproducers: ${totals.reproducers} (${kinds.join(', ')})`,
    `  faults      ${pair(faults)}`,
    `  orders      ${pair(orders)}`,
    `  executions  ${pair(executions)}`,
    ...(replayed > 0
      ? [`  played again ten times: ${replayedAlways} of ${replayed} fail each time`]
      : []),
  ]
}

function falseAlarmsText({ falseAlarms, doubtful }: ExploreBenchResult): readonly string[] {
  const { schedules, alarms, unattributed, seconds } = falseAlarms
  return [
    ...(schedules > 0
      ? [
          `correct service: ${alarms.length} false alarms in ${schedules} schedules (fewer than ${upperBound(schedules)}), ${(schedules / seconds).toFixed(0)} schedules a second`,
          ...alarms.map(({ rule, schedule }) => `  ${rule}  ${schedule}`),
          ...unattributed.map((rule) => `  ${rule}  while several schedules ran`),
        ]
      : []),
    ...(doubtful.length > 0
      ? ['broken by the correct service too:', ...doubtful.map((each) => `  ${each}`)]
      : []),
  ]
}

export function exploreTable(result: ExploreBenchResult): string {
  const { rows, strategies, seeds, maxRuns } = result
  const shown = rows.filter(isShown)
  return [
    `runs until a defect shows: median of ${seeds.length} seeds, at most ${maxRuns} schedules`,
    line('defect', strategies, 'found as'),
    ...rows.map((row) =>
      line(
        row.defect,
        strategies.map((each) => runsText(medianRuns(row, each))),
        foundText(row),
      ),
    ),
    '',
    ...totalsText('shown by any strategy', shown, result),
    ...totalsText('of them with faults only', shown.filter(needsFault), result),
    `never shown: ${
      rows
        .filter((row) => !isShown(row))
        .map(({ defect }) => defect)
        .join(', ') || 'none'
    }`,
    ...reproducersText(result),
    ...falseAlarmsText(result),
  ].join('\n')
}

const killJson = (kill: Kill) => ({
  ...kill,
  ...(kill.kind === 'steady' ? { runs: 1 } : {}),
})

/** Infinite numbers are null. */
export const exploreJson = (result: ExploreBenchResult): string => {
  const { rows, seeds, maxRuns, falseAlarms, doubtful } = result
  const shown = rows.filter(isShown)
  return JSON.stringify({
    name: 'explore',
    seeds,
    maxRuns,
    defects: rows.map((row) => ({
      defect: row.defect,
      needsFault: needsFault(row),
      kills: Object.fromEntries(
        [...row.kills].map(([strategy, kills]) => [strategy, kills.map(killJson)]),
      ),
      ...(row.shrunk ? { shrunk: row.shrunk } : {}),
    })),
    shown: strategyTotals(shown, result),
    withFaults: strategyTotals(shown.filter(needsFault), result),
    reproducers: reproducerTotals(rows),
    falseAlarms,
    doubtful,
  })
}
