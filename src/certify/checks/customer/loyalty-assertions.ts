/** Assertions about the records that a Loyalty host shows. */
import { type UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import type { Assertion } from '../../judge/check.ts'
import { type Deviation, observation } from '../../judge/assertion.ts'
import type { Trace } from '../../judge/trace.ts'
import type { Shown } from './loyalty-views.ts'

export const eachShown = (
  shown: (trace: Trace) => readonly Shown[],
  test: (record: UnknownRecord) => Deviation,
): Assertion =>
  function* (trace) {
    for (const { observed, record } of shown(trace)) yield observation([observed], test(record))
  }

export const inWords = (what: string, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `${what} is wrong at ${problem}`
