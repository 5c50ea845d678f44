/** Near misses of calls that must change no status: a courier may act in the moment of one call, not of each. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import type { DeliveryStatus } from '../../../core/protocol/logistics/status.ts'
import { createTrace } from '../../../core/rules/checks/trace.ts'
import {
  changesNothing,
  quietCalls,
} from '../../../core/rules/checks/logistics/delivery-assertions.ts'

const read = (seq: number, status: DeliveryStatus) =>
  sampleExchange(seq, {
    operation: 'getDelivery',
    reply: {
      status: 200,
      headers: [],
      body: JSON.stringify({ id: 'd1', deliveryId: 'd1', orderId: 'o1', status }),
    },
  })

/** A report of a problem in IN_TRANSIT for each of these statuses, which the read after it shows. */
function problemsOf(...after: readonly DeliveryStatus[]): readonly (string | undefined)[] {
  const exchanges = after.flatMap((status, index) => [
    read(3 * index + 1, 'IN_TRANSIT'),
    sampleExchange(3 * index + 2, {
      operation: 'reportDeliveryProblem',
      reply: { status: 202, headers: [], body: '' },
    }),
    read(3 * index + 3, status),
  ])
  const steps = Object.fromEntries(
    exchanges.map(({ seq }) => [
      seq,
      `life/${['before', 'report', 'after'][(seq - 1) % 3]}-${Math.floor((seq - 1) / 3)}`,
    ]),
  )
  const trace = createTrace({
    role: 'delivery-platform',
    speaks: 'v2',
    capabilities: ['logistics'],
    exchanges,
    steps,
    notes: [],
    skipped: {},
  })
  const rows = after.map(
    (_, index) => [`life/before-${index}`, `life/report-${index}`, `life/after-${index}`] as const,
  )
  return changesNothing(quietCalls(trace, rows), (_, to) => to === 'DELIVERED').map(
    ({ problem }) => problem,
  )
}

test('[LOG-RUL-03, LOG-OPS-04] a status that stays is kept; of one change in the moment of a call nothing is certain', () => {
  expect(problemsOf('IN_TRANSIT', 'IN_TRANSIT')).toEqual([undefined, undefined])
  expect(problemsOf('DELIVERED')).toEqual([])
  expect(problemsOf('ASSIGNED')).toEqual([])
  expect(problemsOf('IN_TRANSIT', 'DELIVERED')).toEqual([undefined])
})

test('[LOG-RUL-03, LOG-OPS-04] a status that changes with each call, or to one that no courier brings about, is a problem', () => {
  const delivered =
    "after reportDeliveryProblem in IN_TRANSIT the delivery is DELIVERED, each of 2 times, with no courier's call between"
  expect(problemsOf('DELIVERED', 'DELIVERED')).toEqual([delivered, delivered])
  expect(problemsOf('IN_TRANSIT', 'CANCELLED')).toEqual([
    undefined,
    'after reportDeliveryProblem in IN_TRANSIT the delivery is CANCELLED',
  ])
})
