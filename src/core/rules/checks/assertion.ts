/** Assertion combinators over a trace; each match yields an observation with its evidence. */
import type { z } from 'zod'
import type { OperationId } from '../../protocol/catalogue.ts'
import { jsonProblemText, shortValue } from '../../protocol/issue-text.ts'
import { signatureHeaders } from '../../protocol/signature.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import type { Assertion, ClauseMoment, Deviation, Fold, Notice, Observation } from './check.ts'

export type { Deviation }
import { isLacking, verdictOfForm } from './form-notes.ts'
import { eachMoment, perMessage } from './live.ts'

export { every } from './live.ts'
import type { Observed, ObservedEvent, Trace } from './trace.ts'

export type Test<Thing> = (thing: Thing, trace: Trace) => Deviation

export const notice = (text: string): Notice => ({ notice: text })

export const observation = (exchanges: readonly Observed[], problem: Deviation): Observation => ({
  exchanges: exchanges.map(({ exchange }) => exchange),
  ...(!problem
    ? {}
    : typeof problem === 'string'
      ? { problem }
      : { problem: problem.notice, isNotice: true }),
})

/** Exchanges by their selection: an operation of the service (`answers`), one that it calls (`calls`), or a step. */
export type Selection = (trace: Trace) => readonly Observed[]

export const answersOf =
  (...operations: readonly OperationId[]): Selection =>
  (trace) =>
    trace.answers(...operations)
export const callsOf =
  (...operations: readonly OperationId[]): Selection =>
  (trace) =>
    trace.calls(...operations)
export const atSteps =
  (...steps: readonly string[]): Selection =>
  (trace) =>
    steps.flatMap((step) => trace.at(step))

/** A selection reduced to what a condition holds for. */
export const where =
  (selection: Selection, holds: (observed: Observed, trace: Trace) => boolean): Selection =>
  (trace) =>
    selection(trace).filter((each) => holds(each, trace))

/** It was answered with success. */
export const isAcceptedCall = ({ status }: Observed): boolean => status >= 200 && status < 300

/** Its request has a signature in one of the known forms. */
export const isSigned = ({ requestHeader }: Observed): boolean =>
  signatureHeaders.some((name) => requestHeader(name) !== undefined)

/** The successful ones of a selection. */
export const successful = (selection: Selection): Selection => where(selection, isAcceptedCall)

/** Each exchange is an occasion of its own. */
export const each = (selection: Selection, test: Test<Observed>): Assertion =>
  perMessage(function* (trace) {
    for (const observed of selection(trace)) yield observation([observed], test(observed, trace))
  })

/** Each event that the service emits, in every exchange that hands it over. */
export const eachEmitted = (
  eventTypes: readonly string[] | undefined,
  test: Test<ObservedEvent>,
): Assertion =>
  perMessage(function* (trace) {
    for (const event of trace.emitted())
      if (!eventTypes || eventTypes.includes(event.eventType ?? ''))
        yield observation([event.observed], test(event, trace))
  })

/** The selection must not be empty: the clause demands that it comes up whenever the procedures were carried out. */
export const some = (selection: Selection, missing: string): Assertion =>
  function* (trace) {
    const found = selection(trace)
    yield observation(found.slice(0, 3), found.length > 0 ? undefined : missing)
  }

/** The first problem of several tests. */
export const allTests =
  <Thing>(...tests: readonly Test<Thing>[]): Test<Thing> =>
  (thing, trace) => {
    for (const test of tests) {
      const problem = test(thing, trace)
      if (problem) return problem
    }
    return undefined
  }

/** A problem is a notice only. */
export const advisory =
  <Thing>(test: Test<Thing>): Test<Thing> =>
  (thing, trace) => {
    const problem = test(thing, trace)
    return typeof problem === 'string' ? notice(problem) : problem
  }

export const hasStatus =
  (...statuses: readonly number[]): Test<Observed> =>
  ({ status, exchange }) =>
    statuses.includes(status)
      ? undefined
      : `it answered ${status === 0 ? `nothing (${exchange.failure?.code ?? 'no reply'})` : status}, not ${statuses.join(' or ')}`

/** The status is of a class: 2 for 2xx, 4 for 4xx. */
export const hasStatusClass =
  (...classes: readonly number[]): Test<Observed> =>
  ({ status }) =>
    classes.includes(Math.floor(status / 100))
      ? undefined
      : `it answered ${status === 0 ? 'nothing' : status}, not ${classes.map((digit) => `${digit}xx`).join(' or ')}`

const partAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    value,
  )

const isMissing = (parent: unknown, name: string): boolean =>
  name !== '*' &&
  !(isUnknownRecord(parent) && Object.hasOwn(parent, name)) &&
  !isLacking(parent, name)

/** The value fits the schema of the protocol. */
export function fits(schema: () => z.ZodType): (value: unknown) => string | undefined {
  return (value) => {
    const verdict = verdictOfForm(value)
    if (verdict) return verdict.problem
    const parsed = schema().safeParse(value)
    if (parsed.success) return undefined
    const issues = parsed.error.issues.filter(
      ({ path }) => !isLacking(partAt(value, path.slice(0, -1)), String(path.at(-1))),
    )
    return issues.length === 0 ? undefined : jsonProblemText({ issues }, value)
  }
}

export const replyIs =
  (test: (value: unknown) => string | undefined): Test<Observed> =>
  ({ reply }) => {
    const problem = test(reply)
    return problem === undefined ? undefined : `the body of its reply is wrong: ${problem}`
  }

export const requestIs =
  (test: (value: unknown) => string | undefined): Test<Observed> =>
  ({ request }) => {
    const problem = test(request)
    return problem === undefined ? undefined : `the body of its request is wrong: ${problem}`
  }

/** A value in a body, and where it stands. */
export interface PlacedValue {
  readonly path: string
  readonly value: unknown
}

/** The values at a JSON pointer, in which `*` stands for each entry of a list; a member that is absent gives none. */
export function valuesAt(body: unknown, pointer: string): readonly PlacedValue[] {
  let found: readonly PlacedValue[] = [{ path: '', value: body }]
  for (const key of pointer.split('/').slice(1))
    found = found.flatMap(({ path, value }) => {
      if (key === '*')
        return Array.isArray(value)
          ? value.map((entry: unknown, index) => ({ path: `${path}/${index}`, value: entry }))
          : []
      return isUnknownRecord(value) && Object.hasOwn(value, key)
        ? [{ path: `${path}/${key}`, value: value[key] }]
        : []
    })
  return found
}

/** The first value at a pointer. */
export const bodyValue = (body: unknown, pointer: string): unknown =>
  valuesAt(body, pointer)[0]?.value

/** Nothing when a value is as it must be; otherwise what is wrong with it. */
export type ValueTest = (value: unknown) => string | undefined

const kind =
  (name: string, holds: (value: unknown) => boolean): ValueTest =>
  (value) =>
    holds(value) ? undefined : `${shortValue(value)} is not ${name}`

export const isText = kind('a text', (value) => typeof value === 'string')
export const isNumber = kind('a number', (value) => typeof value === 'number')
export const isInteger = kind('a whole number', Number.isInteger)
export const isBoolean = kind('true or false', (value) => typeof value === 'boolean')
export const isObject = kind('an object', isUnknownRecord)
export const isArrayValue = kind('a list', Array.isArray)
export const isDateTime = kind(
  'a date and a time of ISO 8601 with an offset',
  (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
)
export const isOneOf = (...values: readonly string[]): ValueTest =>
  kind(`one of ${values.join(', ')}`, (value) => values.includes(String(value)))

/** Each value at the pointer, where there is one, passes the test. */
export const optional =
  (pointer: string, test: ValueTest): ValueTest =>
  (body) => {
    for (const { path, value } of valuesAt(body, pointer)) {
      const problem = test(value)
      if (problem !== undefined) return `${path}: ${problem}`
    }
    return undefined
  }

/** There is a value at the pointer, and each passes the test. Behind a `*` a list may be empty. */
export const required =
  (pointer: string, test: ValueTest): ValueTest =>
  (body) => {
    const cut = pointer.lastIndexOf('/')
    const name = pointer.slice(cut + 1)
    for (const { path, value } of valuesAt(body, pointer.slice(0, cut)))
      if (isMissing(value, name)) return `${path}/${name} is missing`
    if (!pointer.includes('*') && valuesAt(body, pointer.slice(0, cut)).length === 0)
      return `${pointer} is missing`
    return optional(pointer, test)(body)
  }

/** There is no value at the pointer. */
export const absent =
  (pointer: string): ValueTest =>
  (body) => {
    const [found] = valuesAt(body, pointer)
    return found ? `${found.path} is present` : undefined
  }

/** All tests of a body; the first problem counts. */
export const body =
  (...tests: readonly ValueTest[]): ValueTest =>
  (value) => {
    for (const test of tests) {
      const problem = test(value)
      if (problem !== undefined) return problem
    }
    return undefined
  }

/** What the moments of a fold say of a clause. */
export const momentsOf =
  (fold: Fold<ClauseMoment>) =>
  (clause: string): Assertion =>
    eachMoment(fold, (moment) =>
      moment.clause === clause ? [observation(moment.exchanges, moment.problem)] : [],
    )
