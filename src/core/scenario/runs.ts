/** Expands a scenario into runs: one for each example row and each combination of variants. */
import type { Scenario } from './schema.ts'

export interface ScenarioRun {
  /** Scenario name, with the row and variants of this run in brackets. */
  readonly title: string
  readonly scenario: Scenario
  readonly channel: 'polling' | 'webhook' | 'both'
  readonly faults: readonly unknown[]
  /** Random seed, where the scenario sets it. */
  readonly seed: number | undefined
  /** Runs of one group must end the same. */
  readonly group: string | undefined
}

type Variant = Partial<Pick<ScenarioRun, 'channel' | 'faults' | 'seed'>> & { readonly word: string }

/** Variants of one dimension, or a single unnamed one. */
const variantsOf = <Value>(
  values: readonly Value[] | undefined,
  toVariant: (value: Value, index: number) => Variant,
): readonly Variant[] => values?.map(toVariant) ?? [{ word: '' }]

export interface ScenarioRunOptions {
  /** Name of the example row. */
  readonly example?: string | undefined
  /** Index of the row, as two rows may have the same name. */
  readonly row?: number | undefined
  /** Default channel where the scenario sets none. */
  readonly otherwise?: ScenarioRun['channel'] | undefined
}

export function runsOf(
  scenario: Scenario,
  options: ScenarioRunOptions = {},
): readonly ScenarioRun[] {
  const { faults, seed, name } = scenario
  const channel = scenario.channel ?? options.otherwise ?? 'polling'
  const row = options.example ?? ''
  const { variants } = scenario
  const group =
    variants.channels === undefined && variants.faults === undefined
      ? undefined
      : `${name}${row === '' ? '' : ` [${row}] ${options.row ?? 0}`}`
  const runs: ScenarioRun[] = []
  for (const byChannel of variantsOf(variants.channels, (each) => ({ word: each, channel: each })))
    for (const byFaults of variantsOf(variants.faults, (each, index) => ({
      word: `faults ${index + 1}`,
      faults: each,
    })))
      for (const bySeed of variantsOf(variants.seeds, (each) => ({
        word: `seed ${each}`,
        seed: each,
      }))) {
        const labels = [row, byChannel.word, byFaults.word, bySeed.word].filter(
          (each) => each !== '',
        )
        runs.push({
          scenario,
          title: labels.length > 0 ? `${name} [${labels.join(', ')}]` : name,
          channel: byChannel.channel ?? channel,
          faults: byFaults.faults ?? faults,
          seed: bySeed.seed ?? seed,
          // Different seeds generate different orders, whose outcomes may differ.
          group: group === undefined ? undefined : `${group} ${bySeed.word}`,
        })
      }
  return runs
}
