/** Client of a Delivery Platform for the delivery of one order: each call has its own X-Request-Id and is retried. */
import { z } from 'zod'
import type { Shipment, Ticket } from './order-book.ts'
import type { Call, CallOutcome } from './caller.ts'
import { availabilityBody, creationBody, type DeliveryPlace } from './delivery-body.ts'
import type { DefectSwitch } from './defects.ts'
import type { OrderDocument } from './order-document.ts'
import type { Partner } from './partner.ts'
import { createSingleAttempt } from './retry-state.ts'

export interface DeliveryClient {
  /** Whether the platform would deliver; undefined when there was no reply. */
  readonly checkAvailability: (
    job: DeliveryJob,
    order: OrderDocument,
    wanted: () => boolean,
  ) => Promise<boolean | undefined>
  readonly create: (
    job: DeliveryJob,
    order: OrderDocument,
    wanted: () => boolean,
  ) => Promise<CallOutcome>
  readonly reportReady: (job: DeliveryJob, wanted: () => boolean) => Promise<CallOutcome>
  /** The status of the delivery; undefined when it cannot be read. */
  readonly readStatus: (job: DeliveryJob) => Promise<string | undefined>
  readonly cancel: (job: DeliveryJob) => Promise<CallOutcome>
}

/** An order and its delivery. */
export interface DeliveryJob {
  readonly ticket: Ticket
  readonly shipment: Shipment
}

export interface DeliveryClientParts {
  readonly platform: Partner
  /** The pickup address. */
  readonly store: DeliveryPlace
  readonly wrong: DefectSwitch
}

const Availability = z.looseObject({ available: z.boolean() })
const Delivery = z.looseObject({ status: z.string() })

const pathOf = ({ ticket }: DeliveryJob): string =>
  `/logistics/delivery/${encodeURIComponent(ticket.orderId)}`

const always = (): boolean => true

export function createDeliveryClient({
  platform,
  store,
  wrong,
}: DeliveryClientParts): DeliveryClient {
  const insist = ({ ticket }: DeliveryJob, call: Call, wanted = always): Promise<CallOutcome> =>
    platform.callWithRetry(call, {
      retry: ticket.retryState(call.operation),
      bell: ticket.shipmentSignal,
      wanted,
    })

  return {
    async checkAvailability(job, order, wanted) {
      const outcome = await insist(
        job,
        {
          operation: 'checkDeliveryAvailability',
          method: 'POST',
          path: '/logistics/availability',
          requestId: `availability-${job.shipment.key}`,
          body: availabilityBody(order, store, wrong),
        },
        wanted,
      )
      if (outcome.kind === 'refused') return false
      if (outcome.kind !== 'answered') return undefined
      const read = Availability.safeParse(outcome.answer.json)
      return !read.success || read.data.available
    },
    create: (job, order, wanted) =>
      insist(
        job,
        {
          operation: 'createDelivery',
          method: 'POST',
          path: '/logistics/delivery',
          requestId: `delivery-${job.shipment.key}`,
          body: creationBody(job.ticket.orderId, order, store, wrong),
        },
        wanted,
      ),
    reportReady: (job, wanted) =>
      insist(
        job,
        {
          operation: 'setDeliveryReadyForPickup',
          method: 'POST',
          path: `${pathOf(job)}/ready-for-pickup`,
          requestId: `ready-${job.shipment.key}`,
        },
        wanted,
      ),
    async readStatus(job) {
      const outcome = await insist(job, {
        operation: 'getDelivery',
        method: 'GET',
        path: pathOf(job),
      })
      const read = Delivery.safeParse(outcome.kind === 'answered' ? outcome.answer.json : undefined)
      return read.data?.status
    },
    cancel: (job) =>
      platform.callWithRetry(
        {
          operation: 'cancelDelivery',
          method: 'POST',
          path: `${pathOf(job)}/cancel`,
          requestId: `cancel-${job.shipment.key}`,
          body: { cancellationCode: 'CONSUMER_CANCELLATION_REQUESTED', reason: 'order cancelled' },
        },
        {
          retry: wrong('gives-up-undoing')
            ? createSingleAttempt()
            : job.ticket.retryState('cancelDelivery'),
          bell: job.ticket.shipmentSignal,
        },
      ),
  }
}
