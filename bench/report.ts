/** Formats rows: as a table, or as one JSON object per line. */
import type { Spread } from './ratio.ts'
import {
  type BenchRow,
  meetsTarget,
  noiseOf,
  type RatioBound,
  type RowCheck,
  type RowLine,
  tooNoisy,
} from './row.ts'
import { unmetTargets } from './unmet-targets.ts'

const rounded = (value: number): number => Number(value.toPrecision(4))

const spreadJson = ({ median, least, most }: Spread) => ({
  median: rounded(median),
  min: rounded(least),
  max: rounded(most),
})

const targetText = (target: RatioBound): string =>
  'atLeast' in target ? `>= ${target.atLeast.toFixed(2)}` : `<= ${target.atMost.toFixed(2)}`

const lineJson = (line: RowLine) => ({
  what: line.what,
  ratio: rounded(line.ratio.median),
  spread: [rounded(line.ratio.least), rounded(line.ratio.most)],
  ...(line.target ? { target: targetText(line.target), holds: meetsTarget(line) } : {}),
  raw: { ...spreadJson(line.raw), unit: line.unit },
})

const checkJson = ({ what, value, unit, atMost }: RowCheck) => ({
  what,
  value: rounded(value),
  unit,
  target: `<= ${atMost}`,
  holds: value <= atMost,
})

export function rowJson(row: BenchRow): string {
  if (row.kind === 'skipped') return JSON.stringify({ name: row.name, skipped: row.because })
  const [first, ...others] = row.lines
  const { ratio, ...rest } = lineJson(first)
  return JSON.stringify({
    name: row.name,
    ratio,
    baseline: row.baseline,
    ...rest,
    rounds: row.rounds,
    ...(noiseOf(row) > tooNoisy ? { noise: rounded(noiseOf(row)) } : {}),
    others: others.map(lineJson),
    ...(row.checks ? { checks: row.checks.map(checkJson) } : {}),
    ...row.details,
  })
}

const widths = [18, 36, 7, 14, 9, 7] as const
const cells = (...texts: readonly string[]): string =>
  texts
    .map((text, index) => {
      const width = widths[index] ?? 0
      return index < 2 ? text.padEnd(width) : text.padStart(width)
    })
    .join('  ')
    .trimEnd()

export const tableHead = cells('row', 'what', 'ratio', 'min to max', 'target', 'holds', 'measured')

const number = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1))

function lineText(name: string, line: RowLine): string {
  const { median, least, most } = line.ratio
  const held = meetsTarget(line)
  return cells(
    name,
    line.what,
    median.toFixed(2),
    `${least.toFixed(2)} to ${most.toFixed(2)}`,
    line.target ? targetText(line.target) : '',
    held === undefined ? '' : held ? 'yes' : 'NO',
    `${number(line.raw.median)} ${line.unit}`,
  )
}

const checkText = ({ what, value, unit, atMost }: RowCheck): string =>
  cells(
    '',
    what,
    '',
    '',
    `<= ${atMost}`,
    value <= atMost ? 'yes' : 'NO',
    `${number(value)} ${unit}`,
  )

const noiseText = (row: BenchRow): string => {
  const noise = noiseOf(row)
  return noise > tooNoisy ? `; noisy: the control is off by ${(noise * 100).toFixed(0)} %` : ''
}

/** Rows as a table in Markdown; the first line of each with its target, and the controls. */
export function rowsMarkdown(rows: readonly BenchRow[]): string {
  const lines = rows.flatMap((row) =>
    row.kind === 'skipped'
      ? []
      : row.lines.map((line, index) => {
          const held = meetsTarget(line)
          return [
            index === 0 ? `**${row.name}**` : '',
            line.what,
            line.ratio.median.toFixed(2),
            line.target ? targetText(line.target).replace('<=', '≤').replace('>=', '≥') : '',
            held === undefined ? '' : held ? 'yes' : 'no',
            `${number(line.raw.median)} ${line.unit}`,
            index === 0 ? `${row.baseline}${noiseText(row)}` : '',
          ]
        }),
  )
  const head = ['row', 'what', 'ratio', 'target', 'met', 'measured', 'against']
  return [head, head.map(() => '---'), ...lines]
    .map((cellsOfRow) => `| ${cellsOfRow.join(' | ')} |`)
    .join('\n')
}

/** The page of a measurement: what the figures are, the machine, the rows, and what they are not. */
export const performancePage = (rows: readonly BenchRow[], machine: string): string =>
  `# Performance

<!-- Made by npm run bench -- --page docs/performance.md: what is changed by hand is lost. -->

Each ratio compares Sparring with the same work written by hand, side by side in one run: for calls and lives 1.00 is the hand, and 0.50
means that twice as much processor time is used; a start is a multiple of its baseline. Absolute figures are of this machine and
mean little elsewhere. A control measures the baseline once more: its ratio would be 1.00 on a machine that does nothing else. A row
whose control is off by more than 5 % is measured again, and says so where that does not help.

${machine}.

${rowsMarkdown(rows)}

Where the time of rows goes whose target is not met:

${unmetTargets(rows)}

What the rows are not: the hand-written servers store only what one of their answers shows, know one capability, judge nothing and
repeat nothing; a recorder that is off writes no line, and one that is on redacts each body before it does. A row with one capability
says nothing of a session with all of them (\`everything-on\` does), and none says how your service performs.
`

export function rowText(row: BenchRow): string {
  if (row.kind === 'skipped') return cells(row.name, row.because)
  return [
    ...row.lines.map((line, index) => lineText(index === 0 ? row.name : '', line)),
    ...(row.checks ?? []).map(checkText),
    cells('', `against: ${row.baseline}; ${row.rounds} rounds${noiseText(row)}`),
  ].join('\n')
}
