/** Command line options of `npm run bench -- explore`. */
import { parseArgs } from 'node:util'
import { type DefectName, defects as defectTable, isDefectName } from '../../src/demo/defects.ts'
import { problem } from '../../src/core/base/problem.ts'
import { comparedStrategies, type ComparedStrategy } from './strategies.ts'

const benchChannels = ['polling', 'webhook', 'both'] as const
export type BenchChannel = (typeof benchChannels)[number]

export interface ExploreBenchOptions {
  /** The defects to look for; all when none is named. */
  readonly defects: readonly DefectName[]
  readonly seeds: readonly number[]
  /** Schedules that are drawn at most to find a defect. */
  readonly maxRuns: number
  /** Schedules that are run on the correct service. */
  readonly falseAlarmRuns: number
  readonly channel: BenchChannel
  readonly strategies: readonly ComparedStrategy[]
  /** The service remembers in a file, and is ended and started again. */
  readonly crashes: boolean
  /** Another app of the store acts on orders. */
  readonly ghosts: boolean
  readonly evolution: boolean
  /** Worker threads in which the schedules on the correct service are played; none: in this one. */
  readonly workers: number
  readonly json: boolean
}

export const exploreUsageText = `npm run bench -- explore [--seeds n] [--max-runs n] [--false-alarms n] [--channel c]
                           [--strategies s,...] [--first-seed n] [--crashes] [--ghosts] [--evolution] [--workers n] [--json] [defect...]

  --seeds         campaigns with different seeds for each defect and strategy (3)
  --max-runs      schedules that are drawn at most to find a defect (200)
  --false-alarms  schedules that are run on the correct service (2000)
  --channel       polling, webhook or both (both)
  --strategies    some of transport, singles, dense, ours, with commas between them (all)
  --first-seed    the first of the seeds (1)
  --crashes       the service keeps its orders in a file, and is also ended and started again
  --ghosts        another app of the store acts on orders as well
  --evolution     bodies are written as other implementations do
  --workers       threads in which those on the correct service are played; 0: in this one, as the others are (0)
  --json          one JSON object
`

const attempted = 'reading the options of the bench'

function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  throw problem(attempted, `--${option} is ${text}`, `Give a whole number from ${least} on.`)
}

function channelNamed(text: string): BenchChannel {
  const channel = benchChannels.find((each) => each === text)
  if (channel) return channel
  throw problem(attempted, `--channel is ${text}`, `Give one of ${benchChannels.join(', ')}.`)
}

function strategyNamed(name: string): ComparedStrategy {
  const strategy = comparedStrategies.find((each) => each.name === name)
  if (strategy) return strategy
  const known = comparedStrategies.map((each) => each.name).join(', ')
  throw problem(attempted, `there is no strategy ${name}`, `The strategies are ${known}.`)
}

function defectNamed(name: string): DefectName {
  if (isDefectName(name)) return name
  const known = Object.keys(defectTable).join(', ')
  throw problem(attempted, `there is no defect ${name}`, `The defects are ${known}.`)
}

/** Undefined when help is asked for. */
export function readExploreOptions(argv: readonly string[]): ExploreBenchOptions | undefined {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      seeds: { type: 'string', default: '3' },
      'first-seed': { type: 'string', default: '1' },
      'max-runs': { type: 'string', default: '200' },
      'false-alarms': { type: 'string', default: '2000' },
      channel: { type: 'string', default: 'both' },
      strategies: { type: 'string' },
      crashes: { type: 'boolean', default: false },
      ghosts: { type: 'boolean', default: false },
      evolution: { type: 'boolean', default: false },
      workers: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  const first = wholeNumber('first-seed', values['first-seed'], 1)
  const named = positionals.map(defectNamed)
  return {
    defects: named.length > 0 ? named : Object.keys(defectTable).map(defectNamed),
    seeds: Array.from(
      { length: wholeNumber('seeds', values.seeds, 1) },
      (_, index) => first + index,
    ),
    maxRuns: wholeNumber('max-runs', values['max-runs'], 1),
    falseAlarmRuns: wholeNumber('false-alarms', values['false-alarms'], 0),
    channel: channelNamed(values.channel),
    strategies: values.strategies?.split(',').map(strategyNamed) ?? comparedStrategies,
    crashes: values.crashes,
    ghosts: values.ghosts,
    evolution: values.evolution,
    workers: wholeNumber('workers', values.workers, 0),
    json: values.json,
  }
}
