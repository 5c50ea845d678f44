/**
 * What came of the mutants: a table by wing and room of core, the percentages against their targets, and the change of
 * each survivor.
 */
import type { Outcome } from './try-mutant.ts'

/** One line of the journal. */
export interface Result extends Outcome {
  readonly id: string
  readonly path: string
  readonly line: number
  readonly operator: string
  readonly diff: string
  readonly ms: number
}

const rules = 'src/core/rules/invariants/rules/'

interface Target {
  readonly title: string
  readonly percent: number
  readonly includes: (path: string) => boolean
}

const targets: readonly Target[] = [
  { title: 'all', percent: 90, includes: () => true },
  { title: 'rules', percent: 85, includes: (path) => path.startsWith(rules) },
]

/** The lines that differ, with line numbers of the original. */
export function diffOf(before: string, after: string): string {
  const [old, changed] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && old[start] === changed[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < changed.length - start &&
    old.at(-1 - end) === changed.at(-1 - end)
  )
    end++
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...changed.slice(start, changed.length - end).map((line) => `+ ${line}`),
  ].join('\n')
}

/** A wing, a room of `core`, or the rules in one of them. */
const roomOf = (path: string): string => {
  const [, wing = path, room = ''] = path.split('/')
  if (path.startsWith(rules)) return 'core/rules: rules'
  return wing === 'core' ? `core/${room}` : wing
}

const isKilled = ({ outcome }: Result): boolean => outcome === 'killed' || outcome === 'timed out'

/** Programs that the compiler refuses are no mutants: they count on neither side. */
const isMutant = ({ outcome }: Result): boolean => outcome !== 'refused by the compiler'

const percentOf = (results: readonly Result[]): number =>
  (100 * results.filter(isKilled).length) / results.filter(isMutant).length

export interface Summary {
  readonly text: string
  readonly met: boolean
}

export function summarize(results: readonly Result[]): Summary {
  const rooms = Map.groupBy(results, ({ path }) => roomOf(path))
  const count = (list: readonly Result[], outcome: Result['outcome']): string =>
    String(list.filter((each) => each.outcome === outcome).length)
  const columns = ['killed', 'timed out', 'survived', 'refused by the compiler'] as const
  const row = (cells: readonly string[]): string =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(20) : cell.padStart(10))).join('')
  const table = [
    row(['room', 'killed', 'timed out', 'survived', 'refused', 'percent']),
    ...[...rooms]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([room, list]) =>
        row([
          room,
          ...columns.map((outcome) => count(list, outcome)),
          percentText(percentOf(list)),
        ]),
      ),
  ]
  const judged = targets.map(({ title, percent, includes }) => {
    const own = results.filter(({ path }) => includes(path))
    const reached = percentOf(own)
    const met = Number.isNaN(reached) || reached >= percent
    const of = `${own.filter(isKilled).length} of ${own.filter(isMutant).length}`
    return {
      met,
      text: `${title}: ${percentText(reached)} killed (${of}), target ${percent}%${met ? '' : ', missed'}`,
    }
  })
  const survivors = results
    .filter(({ outcome }) => outcome === 'survived')
    .map(
      ({ path, line, operator, diff, ran, related }) =>
        `${path}:${line} ${operator} (${ran} of ${related} related test files ran)\n${diff}`,
    )
  return {
    text: [table.join('\n'), judged.map(({ text }) => text).join('\n'), ...survivors].join('\n\n'),
    met: judged.every(({ met }) => met),
  }
}

const percentText = (percent: number): string =>
  Number.isNaN(percent) ? '–' : `${percent.toFixed(1)}%`
