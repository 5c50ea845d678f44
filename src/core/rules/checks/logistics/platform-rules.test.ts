/** What a certification says of calls about a delivery, by the status that the platform has shown around them. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../../test/support/sample-exchange.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { DeliveryStatus } from '../../../protocol/logistics/status.ts'
import { logisticsChecks } from '../catalogue.ts'
import { createTrace } from '../trace.ts'

/** A read that shows a status, or a call with the status of its answer. */
type Step = DeliveryStatus | readonly [operation: OperationId, status: number, step?: string]

const refusal = { error: { code: 'INVALID_TRANSITION', message: 'no', retryable: false } }

/** What is wrong by a clause; nothing where it has not come up, or cannot be decided. */
function says(
  clause: string,
  steps: readonly Step[],
  stepNames: readonly string[] = [],
): readonly (string | undefined)[] {
  const exchanges = steps.map((step, index) => {
    const isRead = typeof step === 'string'
    const [operation, status] = isRead ? (['getDelivery', 200] as const) : step
    const body = isRead ? { id: 'd1', orderId: 'o1', status: step } : status < 400 ? {} : refusal
    return sampleExchange(index + 1, {
      from: { role: 'ordering-application', party: 'sparring' },
      to: { role: 'delivery-platform', party: 'subject' },
      operation,
      params: { orderId: 'o1' },
      orderId: 'o1',
      reply: { status, headers: [], body: JSON.stringify(body) },
    })
  })
  const trace = createTrace({
    role: 'delivery-platform',
    speaks: 'v2',
    capabilities: ['logistics'],
    exchanges,
    steps: Object.fromEntries(
      steps.map((step, index) => [
        index + 1,
        stepNames[index] ?? `delivery-life/${(typeof step !== 'string' && step[2]) || index}`,
      ]),
    ),
    notes: [],
    skipped: {},
  })
  return logisticsChecks
    .filter(({ clauses, roles }) => clauses.includes(clause) && roles.includes('delivery-platform'))
    .flatMap(({ assertion }) => [...assertion(trace)])
    .filter(({ isNotice }) => !isNotice)
    .map(({ problem }) => problem)
}

const delivered = (status: number): Step => ['setDeliveryDelivered', status]
const collected = (status: number): Step => ['setDeliveryCollected', status]

test.each<[story: string, steps: readonly Step[], problem: string | undefined]>([
  ['in FAILED, refused', ['FAILED', delivered(422)], undefined],
  [
    'in FAILED, taken',
    ['FAILED', delivered(202)],
    'it answered 202, not 422 to setDeliveryDelivered in FAILED',
  ],
  [
    'in PENDING, refused by 409',
    ['PENDING', delivered(409), 'PENDING'],
    'it answered 409, not 422 to setDeliveryDelivered in PENDING',
  ],
  [
    'in ASSIGNED, taken without effect',
    ['ASSIGNED', delivered(202), 'ASSIGNED'],
    'it answered 202, not 422 to setDeliveryDelivered in ASSIGNED',
  ],
])('[LOG-RUL-06] delivered %s', (_, steps, problem) => {
  expect(says('LOG-RUL-06', steps)).toEqual([problem])
  expect(says('LOG-RUL-05', steps)).toEqual([])
})

test.each<[story: string, steps: readonly Step[], problem: string | undefined]>([
  ['delivered, taken', ['DELIVERED', delivered(202)], undefined],
  [
    'delivered, refused',
    ['DELIVERED', delivered(422)],
    'it answered 422, not 202 to setDeliveryDelivered in DELIVERED',
  ],
  ['collected by its own courier', ['IN_TRANSIT', collected(202), 'IN_TRANSIT'], undefined],
  [
    'ready again',
    ['ASSIGNED', ['setDeliveryReadyForPickup', 409, 'repeat-ready'], 'ASSIGNED'],
    'it answered 409, not 202 to setDeliveryReadyForPickup in ASSIGNED',
  ],
  [
    'created again',
    ['PENDING', ['createDelivery', 200, 'repeat-create'], 'PENDING'],
    'it answered 200, not 202 to createDelivery in PENDING',
  ],
])('[LOG-RUL-05] %s', (_, steps, problem) => {
  expect(says('LOG-RUL-05', steps).slice(0, 1)).toEqual([problem])
  expect(says('LOG-RUL-06', steps)).toEqual([])
})

test.each<[story: string, steps: readonly Step[]]>([
  ['the courier may have delivered before', ['IN_TRANSIT', delivered(202), 'DELIVERED']],
  ['the courier may have collected before', ['ASSIGNED', delivered(422), 'IN_TRANSIT']],
  ['the status is not known', [delivered(422), 'DELIVERED']],
  ['the status goes backwards', ['DELIVERED', delivered(422), 'ASSIGNED']],
  [
    'a courier came before the creation was repeated',
    ['PENDING', ['createDelivery', 409, 'repeat-create'], 'ASSIGNED'],
  ],
  [
    'the food is ready when it was collected',
    ['ASSIGNED', ['setDeliveryReadyForPickup', 422, 'repeat-ready'], 'IN_TRANSIT'],
  ],
])('[LOG-RUL-05, LOG-RUL-06] nothing is decided where %s', (_, steps) => {
  expect(says('LOG-RUL-05', steps)).toEqual([])
  expect(says('LOG-RUL-06', steps)).toEqual([])
})

const earlyDelivered = ['ASSIGNED', delivered(202), 'DELIVERED'] as const
const earlyCollected = ['PENDING', collected(202), 'IN_TRANSIT'] as const

test('[LOG-RUL-06] a call without a row that has its effect each time is taken', () => {
  expect(says('LOG-RUL-06', [...earlyDelivered, ...earlyDelivered])).toEqual([
    'it answered setDeliveryDelivered in ASSIGNED with 202, and is DELIVERED now',
    'it answered setDeliveryDelivered in ASSIGNED with 202, and is DELIVERED now',
  ])
  expect(says('LOG-RUL-06', [...earlyCollected, ...earlyCollected])).toEqual([
    'it answered setDeliveryCollected in PENDING with 202, and is IN_TRANSIT now',
    'it answered setDeliveryCollected in PENDING with 202, and is IN_TRANSIT now',
  ])
})

test('[LOG-RUL-06] a courier may have come before one such call, or have gone on after it', () => {
  expect(says('LOG-RUL-06', earlyDelivered)).toEqual([])
  expect(says('LOG-RUL-06', [...earlyDelivered, ...earlyCollected])).toEqual([])
  expect(says('LOG-RUL-06', [...earlyDelivered, 'ASSIGNED', delivered(422), 'ASSIGNED'])).toEqual([
    undefined,
  ])
  expect(says('LOG-RUL-06', [...earlyDelivered, 'ASSIGNED', delivered(202), 'IN_TRANSIT'])).toEqual(
    [],
  )
})

const inTransit = ['read-before', 'cancel', 'read-cancelled'].map(
  (step) => `delivery-cancel/transit-${step}`,
)

test.each<[after: DeliveryStatus, ofCancel: string | undefined, ofStatus: boolean]>([
  ['IN_TRANSIT', undefined, false],
  ['DELIVERED', undefined, false],
  ['CANCELLED', 'it refused a cancel in IN_TRANSIT, and the delivery is CANCELLED', false],
  ['ASSIGNED', undefined, true],
])(
  '[LOG-RUL-02, LOG-STA-01] a cancel is refused, and the delivery is %s',
  (after, ofCancel, ofStatus) => {
    const steps: readonly Step[] = ['IN_TRANSIT', ['cancelDelivery', 422], after]
    expect(says('LOG-RUL-02', steps, inTransit)).toEqual([ofCancel])
    expect(says('LOG-STA-01', steps, inTransit).some((problem) => problem !== undefined)).toBe(
      ofStatus,
    )
  },
)

test.each<[after: DeliveryStatus, problem: readonly (string | undefined)[]]>([
  ['DELIVERED', [undefined]],
  ['CANCELLED', ['a call that it must refuse changed the delivery from DELIVERED to CANCELLED']],
  ['ASSIGNED', []],
])('[LOG-RUL-06, LOG-STA-01] a delivery that was DELIVERED is %s at the end', (after, problem) => {
  const names = ['delivery-life/read-delivered', 'delivery-life/read-end']
  expect(says('LOG-RUL-06', ['DELIVERED', after], names)).toEqual(problem)
})
