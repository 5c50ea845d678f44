/**
 * Static checks that a schema cannot express: undefined orders, unknown faults, invariants and event types. They run
 * before a scenario is played, because one that stops half way has cost minutes.
 */
import { faultPort } from '../faults/port.ts'
import { invariants } from '../rules/invariants/catalogue.ts'
import { clauseIds } from '../protocol/clauses.ts'
import { findClosestName } from '../protocol/closest-name.ts'
import { eventTypes, isKnownEventType } from '../protocol/event-types.ts'
import { orderDiagnostics } from './order-diagnostics.ts'
import type { Scenario } from './schema.ts'
import { suggestion, type Diagnostic, wrongValue } from './diagnostic.ts'
import { stepEntryOf } from './steps.ts'

/** Values of a scenario with their paths. */
type PathValues<Value> = readonly (readonly [path: readonly PropertyKey[], value: Value])[]

function faultDiagnostics({ faults, variants, steps }: Scenario): readonly Diagnostic[] {
  const specs: PathValues<unknown> = [
    ...faults.map((spec, index) => [['faults', index], spec] as const),
    ...(variants.faults ?? []).flatMap((list, row) =>
      list.map((spec, index) => [['variants', 'faults', row, index], spec] as const),
    ),
    ...steps.flatMap((step, index) => {
      const entry = stepEntryOf(step)
      return entry.kind === 'fault' ? [[['steps', index, 'fault'], entry.input] as const] : []
    }),
  ]
  return specs.flatMap(([path, spec]): readonly Diagnostic[] => {
    const checked = faultPort.check(spec)
    return checked.ok ? [] : [wrongValue(path, checked.error.message, 'See sparring list faults.')]
  })
}

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
    .filter(([, id]) => !known.includes(id))
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
  const producingSteps = entries.filter(({ kind: word }) => !['await', 'check'].includes(word))
  const producedText = JSON.stringify([faults, variants.faults ?? [], producingSteps])
  const awaited = entries.flatMap((entry, index): PathValues<string> => {
    if (entry.kind !== 'await') return []
    const { event, acknowledged } = entry.input
    return [
      ...(event === undefined ? [] : [[['steps', index, 'await', 'event'], event] as const]),
      ...(acknowledged === undefined
        ? []
        : [[['steps', index, 'await', 'acknowledged'], acknowledged] as const]),
    ]
  })
  const { acknowledged = 'all', taken = [] } = expect
  const takenTypes = taken.map(
    ({ event }, index) => [['expect', 'taken', index, 'event'], event] as const,
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

export const diagnosticsOf = (scenario: Scenario): readonly Diagnostic[] => [
  ...orderDiagnostics(scenario),
  ...faultDiagnostics(scenario),
  ...invariantDiagnostics(scenario),
  ...eventDiagnostics(scenario),
  ...clauseDiagnostics(scenario),
]
