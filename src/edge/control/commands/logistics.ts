/** Schemas of the Logistics commands. */
import { z } from 'zod'
import { vehicles } from '../../../engine/logistics/delivery.ts'
import { shipmentCalls } from '../../../engine/logistics/shipment.ts'
import { AvailabilityRequest, DeliveryEvent } from '../../../protocol/logistics/bodies.ts'
import { Place } from '../../../protocol/logistics/place.ts'
import { Role } from '../../../protocol/role.ts'
import { command, id, yes } from './row.ts'
import { courierSteps } from '../../../protocol/logistics/status.ts'

const text = z.string().max(2000)
const places = { merchant: Place, pickup: Place, dropoff: Place } as const
const deliveryWish = z.strictObject({ orderId: id, displayId: z.exactOptional(text), ...places })
const role = z.enum(['ordering-application', 'software-service'])
const ofShipment = { role, orderId: id } as const
const platforms = z.array(z.int().min(0).max(10)).max(11)

const Courier = z.strictObject({
  id,
  name: text,
  phone: text,
  vehicle: z.enum(vehicles),
  kmPerHour: z.number().positive(),
})

export const logisticsCommands = {
  'delivery.enlist': command('delivery.enlist', { couriers: z.array(Courier).max(200) }),
  'delivery.quote': command('delivery.quote', { request: AvailabilityRequest }),
  'delivery.create': command('delivery.create', { wish: deliveryWish, consumer: Role }),
  'delivery.request': command('delivery.request', {
    orderId: id,
    trigger: z.enum(['collected', 'delivered', 'cancel']),
    because: z.exactOptional(text),
  }),
  'delivery.apply': command('delivery.apply', {
    orderId: id,
    trigger: z.enum(['assign', 'collected', 'delivered', 'cancel', 'fail']),
    deliveryId: z.exactOptional(id),
    because: z.exactOptional(text),
    rejects: yes,
    force: yes,
  }),
  'delivery.ready': command('delivery.ready', { orderId: id, force: yes }),
  'delivery.progress': command('delivery.progress', {
    orderId: id,
    step: z.enum(courierSteps),
    deliveryId: z.exactOptional(id),
    force: yes,
  }),
  'delivery.wait': command('delivery.wait', {
    orderId: id,
    deliveryId: id,
    left: z.int().min(0).max(1000),
  }),
  'delivery.report': command('delivery.report', {
    orderId: id,
    problem: z.strictObject({
      code: id,
      description: z.exactOptional(text),
      recoverable: z.exactOptional(z.boolean()),
    }),
    deliveryId: z.exactOptional(id),
    force: yes,
  }),
  'shipment.demand': command('shipment.demand', { ...ofShipment, demand: deliveryWish, platforms }),
  'shipment.ask': command('shipment.ask', ofShipment),
  'shipment.create': command('shipment.create', { ...ofShipment, again: yes }),
  'shipment.food-ready': command('shipment.food-ready', ofShipment),
  'shipment.call': command('shipment.call', {
    ...ofShipment,
    call: z.enum(shipmentCalls),
    body: z.exactOptional(z.unknown()),
  }),
  'shipment.cancel': command('shipment.cancel', ofShipment),
  'shipment.notify': command('shipment.notify', { role, event: DeliveryEvent }),
  'shipment.read': command('shipment.read', { ...ofShipment, round: z.int().min(0) }),
}
