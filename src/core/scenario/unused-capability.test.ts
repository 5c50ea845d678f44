/** What a service lawfully does without is skipped; whatever else fails counts. */
import { expect, test } from 'vitest'
import type { OperationId } from '../protocol/catalogue.ts'
import { invariants } from '../rules/invariants/catalogue.ts'
import { checkSchema } from '../runtime/files/schema-errors.ts'
import type { ScenarioFailure } from './outcome.ts'
import { readRuns } from './read.ts'
import { neededCapabilities, unusedCapability } from './unused-capability.ts'

function scenarioOf(more: object) {
  const runs = readRuns(
    {
      name: 'a',
      about: 'b',
      session: { capabilities: { logistics: true } },
      orders: { o1: { type: 'DELIVERY' } },
      steps: [{ create: 'o1' }, { await: { call: 'createDelivery', order: 'o1' } }],
      expect: {
        statuses: { o1: 'CONCLUDED' },
        calls: [{ call: 'createDelivery', order: 'o1', times: 1 }],
        tests: ['SE-1', 'CV-1'],
        sequence: { o1: ['createDelivery', 'dispatchOrder'] },
      },
      ...more,
    },
    checkSchema,
  )
  if (!runs.ok) throw new Error(JSON.stringify(runs.error))
  return runs.value[0]!.scenario
}

const callsOfRule = (id: string): readonly OperationId[] => {
  const calls = invariants.find((each) => each.id === id)?.calls
  return calls === 'all' ? [] : (calls ?? [])
}

const failed = (...path: readonly (string | number)[]): ScenarioFailure => ({
  kind: path[0] === 'steps' ? 'step' : 'expectation',
  path,
  because: path.join('.'),
})
const noDelivery = failed('expect', 'calls', 0)
const notExercised = failed('expect', 'tests', 0)

function unused(
  failures: readonly ScenarioFailure[],
  made: readonly OperationId[] = [],
  more = {},
  answered: readonly number[] = [],
) {
  const scenario = scenarioOf(more)
  const observer = {
    countCalls: ({ call }: { call: OperationId }) => (made.includes(call) ? 1 : 0),
    answersTo: (call: OperationId) => (call === 'getAccount' ? answered : []),
  }
  return unusedCapability({ scenario, failures, observer, callsOfRule })
}

test('[LOG-GEN-01] a service that orders no courier is not judged by what only couriers show', () => {
  expect(neededCapabilities(scenarioOf({}))).toEqual(['logistics'])
  expect(unused([noDelivery, notExercised, failed('expect', 'sequence', 'o1')])).toBe('logistics')
  // What follows the failed step is its consequence.
  expect(unused([failed('steps', 1, 'await'), failed('expect', 'statuses', 'o1')])).toBe(
    'logistics',
  )
})

test('near misses stay failures: the courier was asked for, another thing failed, or a rule was broken', () => {
  expect(unused([noDelivery], ['createDelivery'])).toBeUndefined()
  expect(unused([noDelivery], ['getDelivery'])).toBeUndefined()
  expect(unused([noDelivery], ['confirmOrder'])).toBe('logistics')
  expect(unused([noDelivery, failed('expect', 'statuses', 'o1')])).toBeUndefined()
  expect(unused([failed('expect', 'tests', 1)])).toBeUndefined()
  expect(unused([failed('steps', 0, 'create'), noDelivery])).toBeUndefined()
  expect(
    unused([noDelivery, { kind: 'invariant', path: ['expect', 'invariants'], because: 'x' }]),
  ).toBeUndefined()
  expect(unused([noDelivery], [], { session: {} })).toBeUndefined()
  expect(unused([noDelivery], [], { subject: 'none' })).toBeUndefined()
  expect(unused([])).toBeUndefined()
})

test('[IND-GEN-01] a POS without tables is not judged by what only tables show, but one that fails at them is', () => {
  const indoor = { session: { capabilities: { indoor: true } } }
  const noAccount = failed('steps', 1, 'account')
  expect(unused([noAccount], [], indoor, [404, 404])).toBe('indoor')
  expect(unused([noAccount], [], indoor, [501])).toBe('indoor')
  expect(unused([], [], indoor, [404])).toBeUndefined()
  expect(unused([noAccount], [], indoor, [404, 200])).toBeUndefined()
  expect(unused([noAccount], [], indoor, [500])).toBeUndefined()
  expect(unused([{ kind: 'invariant', path: [], because: 'x' }], [], indoor, [404])).toBeUndefined()
})

test('[LOG-GEN-01] a word about couriers is about them, and one about tables is not', () => {
  expect(unused([failed('steps', 1, 'delivery'), failed('expect', 'deliveries', 'o1')])).toBe(
    'logistics',
  )
  expect(unused([failed('steps', 1, 'account')])).toBeUndefined()
  expect(unused([failed('steps', 1, 'delivery')], ['createDelivery'])).toBeUndefined()
})
