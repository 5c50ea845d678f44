/**
 * Checks that a schema cannot express: faults, rules, events, triggers, parameters and keys that nothing has. They are made
 * before a scenario is played, because one that stops half way has cost minutes.
 */
import { clauseIds } from '../protocol/clauses.ts'
import { findClosestName } from '../protocol/closest-name.ts'
import { operation } from '../protocol/catalogue.ts'
import { eventTypes, isKnownEventType } from '../protocol/event-types.ts'
import { orderTriggers } from '../protocol/orders/lifecycle.ts'
import { faultPort } from '../faults/port.ts'
import { invariants } from '../rules/invariants/catalogue.ts'
import { isNamedInBody } from '../rules/invariants/tracking/exchange-fields.ts'
import { type Diagnostic, suggestion, wrongValue } from './examples.ts'
import { hostOf } from './hosts.ts'
import type { Scenario } from './schema.ts'
import { faultSpecsOf, type PathValues, selectorsIn } from './order-diagnostics.ts'
import { type StepEntry, stepEntryOf } from './steps.ts'

const faultDiagnostics = (scenario: Scenario): readonly Diagnostic[] =>
  faultSpecsOf(scenario).flatMap(([path, spec]): readonly Diagnostic[] => {
    const checked = faultPort.check(spec)
    return checked.ok ? [] : [wrongValue(path, checked.error.message, 'See sparring list faults.')]
  })

/** What accepted calls of a service are named on the agenda, until they take effect. */
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

/** Calls that are counted for an order which they do not name: none would ever be found. */
function countDiagnostics({ steps, expect }: Scenario): readonly Diagnostic[] {
  const counted = [
    ...(expect.calls ?? []).map((each, index) => [['expect', 'calls', index], each] as const),
    ...steps
      .map(stepEntryOf)
      .flatMap((entry, index) =>
        entry.kind === 'await' || entry.kind === 'check'
          ? [[['steps', index, entry.kind], entry.input] as const]
          : [],
      ),
  ]
  return counted.flatMap(([path, { call, order }]) => {
    if (call === undefined || order === undefined) return []
    const row = operation(call)
    const namesOrder = row.webhook !== undefined || row.path.includes('{orderId}')
    return namesOrder || isNamedInBody({ operation: call })
      ? []
      : wrongValue(
          [...path, 'order'],
          `no call ${call} names an order`,
          'Leave out order: all such calls are counted.',
        )
  })
}

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

export const nameDiagnostics = (scenario: Scenario): readonly Diagnostic[] => [
  ...faultDiagnostics(scenario),
  ...invariantDiagnostics(scenario),
  ...eventDiagnostics(scenario),
  ...triggerDiagnostics(scenario),
  ...parameterDiagnostics(scenario),
  ...countDiagnostics(scenario),
  ...hostDiagnostics(scenario),
  ...clauseDiagnostics(scenario),
]
