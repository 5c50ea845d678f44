/** Assertions about what V1 had and V2 has not. */
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import type { Assertion } from '../check.ts'
import { eachEmitted, observation } from '../assertion.ts'

/** An event of V1 that V2 has not. */
export const noEventOf = (eventType: string): Assertion =>
  eachEmitted(
    undefined,
    (event) => event.eventType === eventType && `it emits ${eventType}, which V2 has not`,
  )

/** Calls of V1 that V2 has not. */
export const noCallTo =
  (ending: RegExp, name: string): Assertion =>
  (trace) =>
    trace
      .calls()
      .map((call) =>
        observation([call], ending.test(call.url.pathname) && `it calls ${name}, which V2 has not`),
      )

/** All objects in a body. */
export function nestedObjectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap(nestedObjectsIn)
  return isUnknownRecord(value) ? [value, ...Object.values(value).flatMap(nestedObjectsIn)] : []
}
