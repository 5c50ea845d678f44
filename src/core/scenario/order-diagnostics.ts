/** Diagnostics for order slots: undefined slots, orders never placed, orders placed out of sequence. */
import { type Diagnostic, suggestion, wrongValue } from './examples.ts'
import { faultPort } from '../faults/port.ts'
import type { Scenario } from './schema.ts'
import type { ItemSelector } from './item.ts'
import { type StepEntry, stepEntryOf } from './steps.ts'

type Path = readonly PropertyKey[]

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

export const isSlot = (text: string): boolean => /^o[1-9]\d*$/.test(text)

/** A slot reference with its path. */
interface SlotReference {
  readonly path: Path
  readonly slot: string
}

/** The orders that a step names. */
export function ordersIn({ kind: word, input }: StepEntry, at: Path): readonly SlotReference[] {
  const path = [...at, word]
  if (word === 'create')
    return typeof input === 'string'
      ? [{ path, slot: input }]
      : input.map((slot, index) => ({ path: [...path, index], slot }))
  const references: SlotReference[] = []
  const collect = (value: unknown, here: Path): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of ['order', 'customer', 'to']) {
      const slot: unknown = Reflect.get(value, key)
      if (typeof slot === 'string' && (key === 'order' || isSlot(slot)))
        references.push({ path: [...here, key], slot })
    }
    collect(Reflect.get(value, 'onto'), [...here, 'onto'])
  }
  // Raw commands are not checked, and faults have diagnostics of their own.
  if (word !== 'command' && word !== 'fault') collect(input, path)
  return references
}

/** Whether orders may come that the scenario does not place, so that the set of slots is unknown. */
const isOpenEnded = ({ subject, session }: Scenario): boolean =>
  subject !== 'software-service' ||
  session.counterparts?.['ordering-application']?.orders?.every !== undefined

const crowdOf = (entry: StepEntry): number => (entry.kind === 'crowd' ? entry.input.times : 0)

/** All slots that the scenario defines. */
function slotsOf({ orders, steps }: Scenario): readonly string[] {
  const crowd = steps.map(stepEntryOf).reduce((sum, entry) => sum + crowdOf(entry), 0)
  const references = Object.keys(orders)
  return crowd === 0
    ? references
    : Array.from({ length: references.length + crowd }, (_, index) => `o${index + 1}`)
}

function unknownOrder({ slot, path }: SlotReference, known: readonly string[]): Diagnostic {
  const shown = known.length > 8 ? [...known.slice(0, 3), '…', known.at(-1)] : known
  const otherwise =
    known.length > 0 ? `There are ${shown.join(', ')}.` : 'Name it under orders, such as o1: {}.'
  return wrongValue(path, `there is no order "${slot}"`, suggestion(slot, known, otherwise))
}

/** Slots are assigned in placement order, so a scenario that places o2 first would swap the names. */
function placementDiagnostics(scenario: Scenario): readonly Diagnostic[] {
  const { orders, steps } = scenario
  const diagnostics: Diagnostic[] = []
  const placed = new Set<string>()
  const inTurn = !isOpenEnded(scenario) && Object.values(orders).every(({ at }) => at === undefined)
  let next = 1
  for (const [index, step] of steps.entries()) {
    const entry = stepEntryOf(step)
    next += crowdOf(entry)
    if (entry.kind !== 'create') continue
    for (const { path, slot } of ordersIn(entry, ['steps', index])) {
      const expectedSlot = `o${next++}`
      if (placed.has(slot))
        diagnostics.push(wrongValue(path, `${slot} is placed already`, 'Name another order.'))
      else if (orders[slot]?.at !== undefined)
        diagnostics.push(
          wrongValue(path, `${slot} is placed by itself, by its "at"`, 'Leave this step out.'),
        )
      else if (inTurn && isSlot(slot) && slot !== expectedSlot && orders[slot])
        diagnostics.push(
          wrongValue(
            path,
            `the order placed here is ${expectedSlot}, not ${slot}`,
            'Place them in turn.',
          ),
        )
      placed.add(slot)
    }
  }
  for (const [slot, { at }] of Object.entries(orders))
    if (at === undefined && isSlot(slot) && !placed.has(slot))
      diagnostics.push({
        path: ['orders', slot],
        which: 'key',
        wrong: `no step creates ${slot}`,
        remedy: `Add the step "create: ${slot}", or say with "at" when it comes.`,
      })
  return diagnostics
}

/** Orders that all come by themselves get their slots by their times. */
function scheduleDiagnostics(scenario: Scenario): readonly Diagnostic[] {
  const all = Object.entries(scenario.orders)
  const kinds = scenario.steps.map((step) => stepEntryOf(step).kind)
  const isUnknown = isOpenEnded(scenario) || kinds.includes('create') || kinds.includes('crowd')
  if (isUnknown || all.some(([, { at }]) => at === undefined)) return []
  return all
    .toSorted(([, one], [, other]) => (one.at ?? 0) - (other.at ?? 0))
    .flatMap(([slot], index) => {
      const comesAs = `o${index + 1}`
      return slot === comesAs || !isSlot(slot)
        ? []
        : wrongValue(
            ['orders', slot, 'at'],
            `${slot} comes as ${comesAs}, by its time`,
            'Number the orders as they come.',
          )
    })
}

/** Parts of the expectations that are listed by order; customers may be by their own slots. */
const partsByOrder = [
  'statuses',
  'views',
  'sequence',
  'accounts',
  'deliveries',
  'payments',
  'customers',
  'balances',
  'redemptions',
] as const

/** Those in which `all` stands for each order. */
const partsOfAll: ReadonlySet<(typeof partsByOrder)[number]> = new Set(['statuses', 'views'])

export function orderDiagnostics(scenario: Scenario): readonly Diagnostic[] {
  const { orders, steps, expect } = scenario
  const known = slotsOf(scenario)
  const open = isOpenEnded(scenario)
  const references: SlotReference[] = [
    ...steps.flatMap((step, index) => ordersIn(stepEntryOf(step), ['steps', index])),
    ...partsByOrder.flatMap((part) =>
      Object.keys(expect[part] ?? {})
        .filter((slot) => !(slot === 'all' && partsOfAll.has(part)) && !/^c\d+$/.test(slot))
        .map((slot) => ({ path: ['expect', part, slot], slot })),
    ),
    ...(['calls', 'taken', 'announced'] as const).flatMap((part) =>
      (expect[part] ?? []).flatMap(({ order: slot }, index) =>
        slot === undefined ? [] : [{ path: ['expect', part, index, 'order'], slot }],
      ),
    ),
    ...faultSpecsOf(scenario).flatMap(([path, spec]) => {
      const checked = faultPort.check(spec)
      // A fault may name an order by its id too.
      return (checked.ok ? checked.value : []).flatMap(({ anchor: { order: slot } }) =>
        slot !== undefined && isSlot(slot) ? [{ path, slot }] : [],
      )
    }),
  ]
  return [
    ...Object.keys(orders)
      .filter((slot) => !isSlot(slot))
      .map((slot): Diagnostic => ({
        path: ['orders', slot],
        which: 'key',
        wrong: `"${slot}" is no slot`,
        remedy: 'Orders are named in the order in which they are placed: o1, o2, o3 …',
      })),
    ...references
      .filter(({ slot }) => !known.includes(slot) && !(open && isSlot(slot)))
      .map((each) => unknownOrder(each, known)),
    ...placementDiagnostics(scenario),
    ...scheduleDiagnostics(scenario),
  ]
}
