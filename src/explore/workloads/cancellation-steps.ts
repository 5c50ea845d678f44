/** Steps of workloads in which `o1` is cancelled: by whom, and when. */
import type { WorkloadInput } from './workload.ts'

type Steps = NonNullable<WorkloadInput['steps']>
type Step = Steps[number]

/** The customer of an order at our host changes their mind. */
export const cancelOfCustomer = {
  trigger: {
    order: 'o1',
    move: 'cancel',
    code: 'CONSUMER_CANCELLATION_REQUESTED',
    reason: 'the customer changed their mind',
  },
} as const

const request = {
  reason: 'the kitchen is closed',
  code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
  mode: 'MANUAL',
} as const

/** Our store asks the host of an order to cancel it. */
export const cancelOfStore = {
  command: { kind: 'ticket.cancel', orderId: 'o1', request },
} as const

/** Another app of the store asks for it. */
export const cancelOfAnotherApp = {
  command: { kind: 'cancellation.request', orderId: 'o1', request },
} as const

/** By what the service does, not by time: it may be slower when it is played again. */
export const whileFirstRead = (cancel: Step): Steps => [
  { await: { call: 'getOrder', counting: 'tries', order: 'o1', within: '20s' } },
  { advance: '1s' },
  cancel,
]

export const whileDeliveryIsRequested = (cancel: Step): Steps => [
  { await: { call: 'createDelivery', counting: 'tries', order: 'o1', within: '60s' } },
  cancel,
]

export const whilePreparing = (cancel: Step): Steps => [
  { await: { status: 'PREPARING', order: 'o1', within: '60s' } },
  { advance: '300ms' },
  cancel,
]

export const whenReady = (cancel: Step): Steps => [
  { await: { status: 'READY', order: 'o1', within: '90s' } },
  cancel,
]
