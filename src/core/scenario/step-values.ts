/** Values that lie in several parts of a scenario, each with its path: faults, and selectors of agenda items. */
import type { ItemSelector } from './item.ts'
import type { Scenario } from './schema.ts'
import { type StepEntry, stepEntryOf } from './steps.ts'

export type Path = readonly PropertyKey[]

/** Values of a scenario with their paths. */
export type PathValues<Value> = readonly (readonly [path: Path, value: Value])[]

/** The faults of the list, of the variants and of steps. */
export const faultSpecsOf = ({ faults, variants, steps }: Scenario): PathValues<unknown> => [
  ...faults.map((spec, index) => [['faults', index], spec] as const),
  ...(variants.faults ?? []).flatMap((list, row) =>
    list.map((spec, index) => [['variants', 'faults', row, index], spec] as const),
  ),
  ...steps.flatMap((step, index) => {
    const entry = stepEntryOf(step)
    return entry.kind === 'fault' ? [[['steps', index, 'fault'], entry.input] as const] : []
  }),
]

/** The selectors of agenda items in a step, with their paths. */
export function selectorsIn({ kind, input }: StepEntry, at: Path): PathValues<ItemSelector> {
  const path = [...at, kind]
  switch (kind) {
    case 'hold':
    case 'release':
    case 'drop':
    case 'duplicate':
    case 'delay':
    case 'edit':
    case 'take':
      return [[path, input]]
    case 'move':
      return [[path, input], ...(input.onto ? [[[...path, 'onto'], input.onto] as const] : [])]
    case 'pause':
      return input === true ? [] : [[path, input]]
    case 'arrange':
      return input.map((item, index) => [[...path, index], item])
    case 'together':
      return input.flatMap((edits, index) =>
        Object.entries(edits).flatMap(([word, item]) =>
          item ? [[[...path, index, word], item] as const] : [],
        ),
      )
    default:
      return []
  }
}
