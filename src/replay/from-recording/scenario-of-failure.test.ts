/** The scenario of a recording that was cut down to a failure expects its opposite, and nothing else. */
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { recordHarness } from '../../../test/support/recorded-session.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import type { RecordedFailure } from './opposite.ts'
import { scenarioText } from './scenario-text.ts'

async function textOf(failureOf: (order: string) => RecordedFailure) {
  const { content } = await recordHarness({}, async (harness) => {
    await harness.order('TAKEOUT')
    await harness.pass(120_000)
  })
  const order = content.exchanges.find(({ orderId }) => orderId !== undefined)?.orderId ?? ''
  const { header } = content
  const cut: RecordingContent = {
    ...content,
    header: { ...header, _rec: { ...header._rec, failure: failureOf(order), pace: 'asap' } },
  }
  const { text, warnings } = scenarioText(cut)
  return { scenario: parse(text) as Record<string, unknown>, warnings }
}

test.each<[string, (order: string) => RecordedFailure, object, string]>([
  [
    'an event that is refused is taken',
    (order) => ({
      kind: 'answer',
      operation: 'receiveOrderEvent',
      status: 500,
      event: 'CONFIRMED',
      order,
    }),
    { taken: [{ event: 'CONFIRMED', order: 'o1' }] },
    'CONFIRMED of o1 is taken',
  ],
  [
    'a call that the partner refuses is not made',
    (order) => ({
      kind: 'answer',
      operation: 'dispatchOrder',
      status: 409,
      by: 'partner',
      state: 'CANCELLED',
      order,
    }),
    { calls: [{ call: 'dispatchOrder', order: 'o1', times: 0, counting: 'refusals' }] },
    'dispatchOrder of o1 is never refused, after CANCELLED',
  ],
  [
    'a repeated call is made once',
    (order) => ({ kind: 'repeat', operation: 'confirmOrder', order }),
    { calls: [{ call: 'confirmOrder', order: 'o1', 'at-most': 1, counting: 'tries' }] },
    'confirmOrder of o1 is made once at most',
  ],
  [
    'a rule that failed',
    () => ({ kind: 'invariant', name: 'SE-1' }),
    { invariants: ['SE-1'] },
    'SE-1 holds',
  ],
  [
    'an order that is left goes on',
    (order) => ({ kind: 'ending', order, state: 'CREATED' }),
    { statuses: { o1: expect.arrayContaining(['CONFIRMED', 'CANCELLED']) } },
    'o1 is not left at CREATED',
  ],
])('%s', async (_title, failure, wanted, name) => {
  const { scenario } = await textOf(failure)
  expect(scenario['expect']).toEqual({ invariants: [], ...wanted })
  expect(scenario['name']).toBe(name)
  expect(scenario['about']).toContain('Your service gets CREATED of o1, then ')
  expect(scenario['seed']).toBeUndefined()
})

test('what expectations cannot tell is said, and the recorded outcome is expected', async () => {
  const { scenario, warnings } = await textOf((order) => ({
    kind: 'difference',
    operation: 'receiveOrderEvent:CREATED',
    standing: 'changed',
    where: '/reply/body/ticket',
    statusClass: 2,
    order,
  }))
  expect(warnings[0]).toMatch(/^expectations cannot tell the failure/)
  expect(scenario['expect']).toMatchObject({ statuses: { o1: 'CONCLUDED' } })
})
