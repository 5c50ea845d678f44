/** Which calls that our host refuses are differences. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { Refusals } from './refusals.ts'

/** A call of an operation without parameters at a second, answered within a tenth of it. */
function call(second: number, status: number, operation: Exchange['operation'] = 'listMerchants') {
  const sample = sampleExchange(second)
  return {
    ...sample,
    recordId: `r${second}`,
    startedAt: sample.startedAt + second * 1000,
    tookMs: 100,
    operation: operation as NonNullable<Exchange['operation']>,
    reply: { status, headers: [] },
  }
}

const calls = (...statuses: readonly number[]) =>
  statuses.map((status, second) => call(second + 1, status))

/** Seconds of the calls that are differences as they come, and of those that were never made again. */
function differencesOf(recorded: readonly number[], live: readonly Exchange[]) {
  const refusals = new Refusals(calls(...recorded))
  const found = live.filter((each) => refusals.take(each, each))
  return [found.map(({ seq }) => seq), refusals.unretried().map(({ seq }) => seq)]
}

test.each<readonly [string, readonly number[], readonly number[], unknown]>([
  ['a token that ends is refused once', [200], [200, 401, 200, 401, 200], [[], []]],
  ['a call that goes on being refused is one difference', [200], [401, 401, 401], [[2], []]],
  ['a later run is another difference', [200], [401, 401, 200, 401, 401], [[2, 5], []]],
  ['a call that is refused and not made again is one', [200], [200, 401], [[], [2]]],
  ['it was refused as often when it was recorded', [401, 401, 200], [401, 401, 200], [[], []]],
  ['it was refused less often', [401, 200], [401, 401, 401], [[3], []]],
  ['it was refused to the end', [401, 401], [401, 401, 401, 401], [[], []]],
])('%s', (_, recorded, live, expected) => {
  expect(differencesOf(recorded, calls(...live))).toEqual(expected)
})

test('two calls at once with one token are one refusal', () => {
  const [first, second] = [call(1, 401), call(2, 401)]
  const live = [first, { ...second, startedAt: first.startedAt + 50 }, call(3, 200)]
  expect(differencesOf([200], live)).toEqual([[], []])
})

test('an idle poll may be cut off, another call may not', () => {
  expect(differencesOf([200], [call(1, 401, 'pollingEvents')])).toEqual([[], []])
  expect(differencesOf([200], [call(1, 401)])).toEqual([[], [1]])
})

test('a refusal by a fault of ours is none', () => {
  const live = calls(401, 401, 401).map((each) => ({ ...each, fault: '401 on req(any)' }))
  expect(differencesOf([200], live)).toEqual([[], []])
})
