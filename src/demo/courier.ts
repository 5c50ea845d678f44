/** Client of a Delivery Platform for the delivery of one order: each call has its own X-Request-Id and is retried. */
import { z } from 'zod'
import type { Shipment, Ticket } from './book.ts'
import type { Call, Outcome } from './caller.ts'
import { availabilityBody, creationBody, type Place } from './delivery-body.ts'
import type { Wrong } from './defects.ts'
import type { OrderDocument } from './order-document.ts'
import type { Partner } from './partner.ts'
import { noPatience } from './patience.ts'

export interface Courier {
  /** Whether the platform would deliver; undefined when there was no reply. */
  readonly ask: (
    job: Job,
    order: OrderDocument,
    wanted: () => boolean,
  ) => Promise<boolean | undefined>
  readonly create: (job: Job, order: OrderDocument, wanted: () => boolean) => Promise<Outcome>
  readonly tellReady: (job: Job, wanted: () => boolean) => Promise<Outcome>
  /** The status of the delivery; undefined when it cannot be read. */
  readonly look: (job: Job) => Promise<string | undefined>
  readonly cancel: (job: Job) => Promise<Outcome>
}

/** An order and its delivery. */
export interface Job {
  readonly ticket: Ticket
  readonly shipment: Shipment
}

export interface CourierParts {
  readonly platform: Partner
  /** The pickup address. */
  readonly store: Place
  readonly wrong: Wrong
}

const Availability = z.looseObject({ available: z.boolean() })
const Delivery = z.looseObject({ status: z.string() })

const pathOf = ({ ticket }: Job): string =>
  `/logistics/delivery/${encodeURIComponent(ticket.orderId)}`

const always = (): boolean => true

export function createCourier({ platform, store, wrong }: CourierParts): Courier {
  const insist = ({ ticket }: Job, call: Call, wanted = always): Promise<Outcome> =>
    platform.insist(call, {
      patience: ticket.patience(call.operation),
      bell: ticket.shipmentBell,
      wanted,
    })

  return {
    async ask(job, order, wanted) {
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
    tellReady: (job, wanted) =>
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
    async look(job) {
      const outcome = await insist(job, {
        operation: 'getDelivery',
        method: 'GET',
        path: pathOf(job),
      })
      const read = Delivery.safeParse(outcome.kind === 'answered' ? outcome.answer.json : undefined)
      return read.data?.status
    },
    cancel: (job) =>
      platform.insist(
        {
          operation: 'cancelDelivery',
          method: 'POST',
          path: `${pathOf(job)}/cancel`,
          requestId: `cancel-${job.shipment.key}`,
          body: { cancellationCode: 'CONSUMER_CANCELLATION_REQUESTED', reason: 'order cancelled' },
        },
        {
          patience: wrong('gives-up-undoing')
            ? noPatience()
            : job.ticket.patience('cancelDelivery'),
          bell: job.ticket.shipmentBell,
        },
      ),
  }
}
