/**
 * Parses a scenario into runs, or into all its diagnostics. The schema check is injected: it is the same for every kind
 * of file.
 */
import type { z } from 'zod'
import { maxNestingLevels } from '../protocol/nesting.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { type Diagnostic, examplesOf, suggestion, wrongValue } from './examples.ts'
import { runsOf, type ScenarioRun, type ScenarioRunOptions } from './runs.ts'
import { Scenario, type ScenarioSession } from './schema.ts'
import { faultPort } from '../faults/port.ts'
import { invariants } from '../rules/invariants/catalogue.ts'
import { clauseIds } from '../protocol/clauses.ts'
import { findClosestName } from '../protocol/closest-name.ts'
import { eventTypes, isKnownEventType } from '../protocol/event-types.ts'
import { type StepEntry, stepEntryOf } from './steps.ts'
import { hostOf } from './hosts.ts'
import type { ItemSelector } from './item.ts'
import { operation } from '../protocol/catalogue.ts'
import { orderTriggers } from '../protocol/orders/lifecycle.ts'

/** Diagnostics for order slots: undefined slots, orders never placed, orders placed out of sequence. */
type Path = readonly PropertyKey[]

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

function orderDiagnostics(scenario: Scenario): readonly Diagnostic[] {
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
  ]
}

// Static checks that a schema cannot express: undefined orders, unknown faults, invariants and
// event types. They run before a scenario is played, because one that stops half way has cost
// minutes.

/** Values of a scenario with their paths. */
type PathValues<Value> = readonly (readonly [path: readonly PropertyKey[], value: Value])[]

const faultSpecsOf = ({ faults, variants, steps }: Scenario): PathValues<unknown> => [
  ...faults.map((spec, index) => [['faults', index], spec] as const),
  ...(variants.faults ?? []).flatMap((list, row) =>
    list.map((spec, index) => [['variants', 'faults', row, index], spec] as const),
  ),
  ...steps.flatMap((step, index) => {
    const entry = stepEntryOf(step)
    return entry.kind === 'fault' ? [[['steps', index, 'fault'], entry.input] as const] : []
  }),
]

const faultDiagnostics = (scenario: Scenario): readonly Diagnostic[] =>
  faultSpecsOf(scenario).flatMap(([path, spec]): readonly Diagnostic[] => {
    const checked = faultPort.check(spec)
    return checked.ok ? [] : [wrongValue(path, checked.error.message, 'See sparring list faults.')]
  })

/** The selectors of agenda items in a step, with their paths. */
function selectorsIn({ kind, input }: StepEntry, at: Path): PathValues<ItemSelector> {
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

/** What the calls of a service that are given effect to are named on the agenda. */
const itemTriggers = [...orderTriggers, 'answer-cancellation']

const triggerDiagnostics = ({ steps }: Scenario): readonly Diagnostic[] =>
  steps
    .flatMap((step, index) => selectorsIn(stepEntryOf(step), ['steps', index]))
    .flatMap(([path, { trigger }]) =>
      trigger === undefined || itemTriggers.includes(trigger)
        ? []
        : wrongValue(
            [...path, 'trigger'],
            `there is no trigger "${trigger}"`,
            suggestion(trigger, itemTriggers, `There are ${itemTriggers.join(', ')}.`),
          ),
    )

/** Path parameters of calls: a call without one of them is never sent. */
const parameterDiagnostics = ({ steps }: Scenario): readonly Diagnostic[] =>
  steps.map(stepEntryOf).flatMap((entry, index): readonly Diagnostic[] => {
    if (entry.kind !== 'call') return []
    const { make, params = {} } = entry.input
    const names = [...operation(make).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const path = ['steps', index, 'call', 'params']
    const list = names.length === 0 ? 'Its path has none.' : `Its path has ${names.join(', ')}.`
    const unknown = Object.keys(params).filter((name) => !names.includes(name))
    const missing = names.filter((name) => params[name] === undefined)
    return [
      ...unknown.map((name) =>
        wrongValue(
          [...path, name],
          `${make} has no path parameter "${name}"`,
          suggestion(name, names, list),
        ),
      ),
      ...(unknown.length > 0 ? [] : missing).map((name) =>
        wrongValue(
          path.slice(0, -1),
          `${make} needs the path parameter ${name}`,
          `Say it under params: { ${name}: … }.`,
        ),
      ),
    ]
  })

/** Keys that only a call at the service takes: our own host has moves without any. */
const hostDiagnostics = ({ subject, steps }: Scenario): readonly Diagnostic[] =>
  steps.map(stepEntryOf).flatMap((entry, index): readonly Diagnostic[] => {
    const { kind } = entry
    if (kind !== 'account' && kind !== 'delivery') return []
    if (entry.input.move === undefined || hostOf[kind] === subject) return []
    return Object.keys(entry.input)
      .filter((key) => key !== 'order' && key !== 'move')
      .map((key) => ({
        path: ['steps', index, kind, key],
        which: 'key',
        wrong: `${key} says nothing here: the ${kind} is ours, and its moves take no more than a name`,
        remedy: 'Leave it out.',
      }))
  })

/** A rule of a session, or a clause that it judges by itself. */
function invariantDiagnostics({ expect, proof }: Scenario): readonly Diagnostic[] {
  const known = invariants.map(({ id }) => id)
  const { invariants: required, failed = [], tests = [] } = expect
  const lists = { invariants: required === 'all' ? [] : required, failed, tests }
  const references: PathValues<string> = [
    ...Object.entries(lists).flatMap(([part, ids]) =>
      ids.map((id, index) => [['expect', part, index], id] as const),
    ),
    ...proof.map(({ breaks }, index) => [['proof', index, 'breaks'], breaks] as const),
  ]
  return references
    .filter(([, id]) => !known.includes(id) && !clauseIds.has(id))
    .map(([path, id]) =>
      wrongValue(
        path,
        `there is no invariant "${id}"`,
        suggestion(id, known, 'See sparring list invariants.'),
      ),
    )
}

/** Unknown event types: a wait for one would only fail at its timeout. */
function eventDiagnostics({
  subject,
  faults,
  variants,
  steps,
  expect,
}: Scenario): readonly Diagnostic[] {
  const entries = steps.map(stepEntryOf)
  // A scenario may wait for custom types that its own faults or steps produce.
  // The engine emits no type of its own without X_.
  const isUnmade = (entry: StepEntry): boolean =>
    entry.kind === 'emit' && !entry.input.event.startsWith('X_')
  const producingSteps = entries.filter(
    (entry) =>
      !['await', 'check'].includes(entry.kind) &&
      !isUnmade(entry) &&
      (entry.kind === 'edit' || selectorsIn(entry, []).length === 0),
  )
  const producedText = JSON.stringify([faults, variants.faults ?? [], producingSteps])
  const awaited = entries.flatMap((entry, index): PathValues<string> => {
    if (entry.kind === 'emit' && isUnmade(entry))
      return [[['steps', index, 'emit', 'event'], entry.input.event]]
    if (entry.kind !== 'await')
      return selectorsIn(entry, ['steps', index]).flatMap(([path, { event }]) =>
        event === undefined ? [] : [[[...path, 'event'], event] as const],
      )
    const { event, acknowledged, announced = [] } = entry.input
    return [
      ...[announced].flat().map((type) => [['steps', index, 'await', 'announced'], type] as const),
      ...(event === undefined ? [] : [[['steps', index, 'await', 'event'], event] as const]),
      ...(acknowledged === undefined
        ? []
        : [[['steps', index, 'await', 'acknowledged'], acknowledged] as const]),
    ]
  })
  const { acknowledged = 'all' } = expect
  const takenTypes = (['taken', 'announced'] as const).flatMap((part) =>
    (expect[part] ?? []).flatMap(({ event }, index) =>
      [event].flat().map((type) => [['expect', part, index, 'event'], type] as const),
    ),
  )
  const expected: PathValues<string> =
    acknowledged === 'all'
      ? []
      : acknowledged.map((type, index) => [['expect', 'acknowledged', index], type] as const)
  return (
    [...awaited, ...expected, ...takenTypes]
      .filter(([, type]) => !isKnownEventType(type))
      .filter(([, type]) => !producedText.includes(JSON.stringify(type)))
      // A subject that sends events may define its own types; a near match of a known type is still reported.
      .filter(([, type]) => subject !== 'ordering-application' || findClosestName(type, eventTypes))
      .map(([path, type]) =>
        wrongValue(
          path,
          `there is no event "${type}"`,
          suggestion(type, eventTypes, 'Unknown types begin with X_.'),
        ),
      )
  )
}

/** Clauses that the protocol does not have: a report would cite what cannot be looked up. */
const clauseDiagnostics = ({ clauses }: Scenario): readonly Diagnostic[] =>
  clauses.flatMap((id, index) =>
    clauseIds.has(id)
      ? []
      : wrongValue(
          ['clauses', index],
          `there is no clause "${id}"`,
          suggestion(id, [...clauseIds], 'See sparring list clauses.'),
        ),
  )

const diagnosticsOf = (scenario: Scenario): readonly Diagnostic[] => [
  ...orderDiagnostics(scenario),
  ...faultDiagnostics(scenario),
  ...invariantDiagnostics(scenario),
  ...eventDiagnostics(scenario),
  ...triggerDiagnostics(scenario),
  ...parameterDiagnostics(scenario),
  ...hostDiagnostics(scenario),
  ...clauseDiagnostics(scenario),
]

export type SchemaCheck = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole: string,
) => Result<z.output<Schema>, readonly Diagnostic[]>

const sessionIn = (value: unknown): ScenarioSession => {
  const session: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'session') : undefined
  return session ?? {}
}

/**
 * Finds a cyclic value (YAML aliases allow them) or one nested too deeply. `whole`: values already checked, as an alias may be
 * used many times.
 */
function nestingDiagnostic(
  value: unknown,
  path: readonly PropertyKey[] = [],
  ancestors: readonly unknown[] = [],
  whole: Set<unknown> = new Set(),
): Diagnostic | undefined {
  if (typeof value !== 'object' || value === null || whole.has(value)) return undefined
  if (ancestors.includes(value))
    return wrongValue(
      path,
      `${path.join('.')} is an alias of something that contains it`,
      'Write it out in place of the alias.',
    )
  if (path.length > maxNestingLevels)
    return wrongValue(path, `it is nested deeper than ${maxNestingLevels} levels`, 'Write fewer.')
  for (const [key, each] of Object.entries(value)) {
    const at = Array.isArray(value) ? Number(key) : key
    const found = nestingDiagnostic(each, [...path, at], [...ancestors, value], whole)
    if (found) return found
  }
  whole.add(value)
  return undefined
}

/** Reports a misspelt key once, not again as a missing key. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const parents = new Set(
    diagnostics
      .filter(({ which }) => which === 'key')
      .map(({ path }) => path.slice(0, -1).join('.')),
  )
  return diagnostics.filter(({ which, path }) => which === 'key' || !parents.has(path.join('.')))
}

/** Removes duplicates from several rows of a table. */
const unique = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => [
  ...new Map(diagnostics.map((each) => [`${each.path.join('.')} ${each.wrong}`, each])).values(),
]

/** All runs of a scenario, or its diagnostics. */
export function readRuns(
  value: unknown,
  check: SchemaCheck,
  options: Omit<ScenarioRunOptions, 'example' | 'row'> = {},
): Result<readonly ScenarioRun[], readonly Diagnostic[]> {
  const diagnostic = nestingDiagnostic(value)
  if (diagnostic) return err([diagnostic])
  const diagnostics: Diagnostic[] = []
  const runs: ScenarioRun[] = []
  for (const [row, example] of examplesOf(value).entries()) {
    const checked = check(Scenario, example.value, 'the scenario')
    diagnostics.push(...example.diagnostics)
    if (!checked.ok) {
      // A placeholder that could not be substituted is not checked against the schema.
      const empty = new Set(example.diagnostics.map(({ path }) => path.join('.')))
      diagnostics.push(
        ...withoutRepeats(checked.error).filter(({ path }) => !empty.has(path.join('.'))),
      )
      continue
    }
    // The session part as written: with schema defaults filled in it would override the whole configuration.
    const scenario = { ...checked.value, session: sessionIn(example.value) }
    diagnostics.push(...diagnosticsOf(scenario))
    runs.push(...runsOf(scenario, { ...options, example: example.name, row }))
  }
  return diagnostics.length > 0 ? err(unique(diagnostics)) : ok(runs)
}
