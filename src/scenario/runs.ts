/** The runs of a scenario: one for each row of its table and for each way in which it is to be played. */
import type { Scenario } from './schema.ts'

export interface Run {
  /** The scenario's name, and in brackets what sets this run apart. */
  readonly title: string
  readonly scenario: Scenario
  readonly channel: 'polling' | 'webhook' | 'both'
  readonly faults: readonly unknown[]
  /** What everything that is made up grows from, where the scenario says it. */
  readonly seed: number | undefined
  /** The runs of one group must end the same. */
  readonly group: string | undefined
}

type Wording = Partial<Pick<Run, 'channel' | 'faults' | 'seed'>> & { readonly word: string }

/** Every way of one kind, or the one that there is. */
const ways = <Value>(
  values: readonly Value[] | undefined,
  wording: (value: Value, index: number) => Wording,
): readonly Wording[] => values?.map(wording) ?? [{ word: '' }]

export interface RunWishes {
  /** The row of the table that this is. */
  readonly example?: string | undefined
  /** Which one that is, since two rows may have one name. */
  readonly row?: number | undefined
  /** By this channel alone, whatever the scenario says. */
  readonly channel?: Run['channel'] | undefined
  /** By this one, where the scenario says nothing. */
  readonly otherwise?: Run['channel'] | undefined
}

export function runsOf(scenario: Scenario, wishes: RunWishes = {}): readonly Run[] {
  const { faults, seed, name } = scenario
  const channel = wishes.channel ?? scenario.channel ?? wishes.otherwise ?? 'polling'
  const row = wishes.example ?? ''
  const variants = {
    ...scenario.variants,
    channels: wishes.channel === undefined ? scenario.variants.channels : undefined,
  }
  const group =
    variants.channels === undefined && variants.faults === undefined
      ? undefined
      : `${name}${row === '' ? '' : ` [${row}] ${wishes.row ?? 0}`}`
  const runs: Run[] = []
  for (const byChannel of ways(variants.channels, (each) => ({ word: each, channel: each })))
    for (const byFaults of ways(variants.faults, (each, index) => ({
      word: `faults ${index + 1}`,
      faults: each,
    })))
      for (const bySeed of ways(variants.seeds, (each) => ({ word: `seed ${each}`, seed: each }))) {
        const apart = [row, byChannel.word, byFaults.word, bySeed.word].filter(
          (each) => each !== '',
        )
        runs.push({
          scenario,
          title: apart.length > 0 ? `${name} [${apart.join(', ')}]` : name,
          channel: byChannel.channel ?? channel,
          faults: byFaults.faults ?? faults,
          seed: bySeed.seed ?? seed,
          // Two seeds make up different orders, and those may well end differently.
          group: group === undefined ? undefined : `${group} ${bySeed.word}`,
        })
      }
  return runs
}
