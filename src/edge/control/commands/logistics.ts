/** Schemas of the Logistics commands. */
import { z } from 'zod'
import { vehicles } from '../../../engine/logistics/delivery.ts'
import { shipmentCalls } from '../../../engine/logistics/shipment.ts'
import { AvailabilityRequest, DeliveryEvent } from '../../../protocol/logistics/bodies.ts'
import { DeliveryPlace } from '../../../protocol/logistics/place.ts'
import { RoleName } from '../../../protocol/role-schema.ts'
import { idField, trueField } from '../../../engine/command-row.ts'
import { commandSchema } from './row.ts'
import { courierSteps } from '../../../protocol/logistics/status.ts'

const text = z.string().max(2000)
const places = { merchant: DeliveryPlace, pickup: DeliveryPlace, dropoff: DeliveryPlace } as const
const deliveryWish = z.strictObject({
  orderId: idField,
  displayId: z.exactOptional(text),
  ...places,
})
const role = z.enum(['ordering-application', 'software-service'])
const ofShipment = { role, orderId: idField } as const
const platforms = z.array(z.int().min(0).max(10)).max(11)

const Courier = z.strictObject({
  id: idField,
  name: text,
  phone: text,
  vehicle: z.enum(vehicles),
  kmPerHour: z.number().positive(),
})

export const logisticsCommands = {
  'delivery.enlist': commandSchema('delivery.enlist', { couriers: z.array(Courier).max(200) }),
  'delivery.quote': commandSchema('delivery.quote', { request: AvailabilityRequest }),
  'delivery.create': commandSchema('delivery.create', { wish: deliveryWish, consumer: RoleName }),
  'delivery.request': commandSchema('delivery.request', {
    orderId: idField,
    trigger: z.enum(['collected', 'delivered', 'cancel']),
    because: z.exactOptional(text),
  }),
  'delivery.apply': commandSchema('delivery.apply', {
    orderId: idField,
    trigger: z.enum(['assign', 'collected', 'delivered', 'cancel', 'fail']),
    deliveryId: z.exactOptional(idField),
    because: z.exactOptional(text),
    rejects: trueField,
    force: trueField,
  }),
  'delivery.ready': commandSchema('delivery.ready', { orderId: idField, force: trueField }),
  'delivery.progress': commandSchema('delivery.progress', {
    orderId: idField,
    step: z.enum(courierSteps),
    deliveryId: z.exactOptional(idField),
    force: trueField,
  }),
  'delivery.wait': commandSchema('delivery.wait', {
    orderId: idField,
    deliveryId: idField,
    left: z.int().min(0).max(1000),
  }),
  'delivery.report': commandSchema('delivery.report', {
    orderId: idField,
    problem: z.strictObject({
      code: idField,
      description: z.exactOptional(text),
      recoverable: z.exactOptional(z.boolean()),
    }),
    deliveryId: z.exactOptional(idField),
    force: trueField,
  }),
  'shipment.demand': commandSchema('shipment.demand', {
    ...ofShipment,
    demand: deliveryWish,
    platforms,
  }),
  'shipment.ask': commandSchema('shipment.ask', ofShipment),
  'shipment.create': commandSchema('shipment.create', { ...ofShipment, again: trueField }),
  'shipment.food-ready': commandSchema('shipment.food-ready', ofShipment),
  'shipment.call': commandSchema('shipment.call', {
    ...ofShipment,
    call: z.enum(shipmentCalls),
    body: z.exactOptional(z.unknown()),
  }),
  'shipment.cancel': commandSchema('shipment.cancel', ofShipment),
  'shipment.notify': commandSchema('shipment.notify', { role, event: DeliveryEvent }),
  'shipment.read': commandSchema('shipment.read', { ...ofShipment, round: z.int().min(0) }),
}
