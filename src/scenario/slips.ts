/**
 * What a schema cannot see: orders that nobody named, faults and invariants that there are not. Told before anything is
 * played, because a scenario that stops half way through has cost somebody minutes.
 */
import { faultPort } from '../faults/port.ts'
import { invariants } from '../invariants/catalogue.ts'
import { orderSlips } from './order-slips.ts'
import type { Scenario } from './schema.ts'
import { meant, type Slip } from './slip.ts'
import { entryOf } from './steps.ts'

/** Something that a scenario says, and where. */
type Said<Value> = readonly (readonly [path: readonly PropertyKey[], value: Value])[]

function faultSlips({ faults, variants, steps }: Scenario): readonly Slip[] {
  const said: Said<unknown> = [
    ...faults.map((spec, index) => [['faults', index], spec] as const),
    ...(variants.faults ?? []).flatMap((list, row) =>
      list.map((spec, index) => [['variants', 'faults', row, index], spec] as const),
    ),
    ...steps.flatMap((step, index) => {
      const entry = entryOf(step)
      return entry.word === 'fault' ? [[['steps', index, 'fault'], entry.given] as const] : []
    }),
  ]
  return said.flatMap(([path, spec]): readonly Slip[] => {
    const checked = faultPort.check(spec)
    if (checked.ok) return []
    const remedy = 'See sparring list faults.'
    return [{ path, which: 'value', wrong: checked.error.message, remedy }]
  })
}

function invariantSlips({ expect, proof }: Scenario): readonly Slip[] {
  const known = invariants.map(({ id }) => id)
  const { invariants: held, broken = [], tests = [] } = expect
  const lists = { invariants: held === 'all' ? [] : held, broken, tests }
  const named: Said<string> = [
    ...Object.entries(lists).flatMap(([part, ids]) =>
      ids.map((id, index) => [['expect', part, index], id] as const),
    ),
    ...proof.map(({ breaks }, index) => [['proof', index, 'breaks'], breaks] as const),
  ]
  return named
    .filter(([, id]) => !known.includes(id))
    .map(([path, id]) => ({
      path,
      which: 'value',
      wrong: `there is no invariant "${id}"`,
      remedy: meant(id, known, 'See sparring list invariants.'),
    }))
}

export const slipsOf = (scenario: Scenario): readonly Slip[] => [
  ...orderSlips(scenario),
  ...faultSlips(scenario),
  ...invariantSlips(scenario),
]
