/** Commands of Logistics: `delivery.…` at the host, `shipment.…` at its client. */
import { z } from 'zod'
import { AvailabilityRequest, DeliveryEvent } from '../../protocol/logistics/bodies.ts'
import { DeliveryPlace } from '../../protocol/logistics/place.ts'
import { courierSteps } from '../../protocol/logistics/status.ts'
import { shortRoleName } from '../../protocol/role.ts'
import { RoleName } from '../../protocol/role-schema.ts'
import { type CommandIn, commandRow, idField, trueField } from '../command-row.ts'
import { type DeliveryCourier, type DeliveryRequest, vehicles } from './delivery.ts'
import { strictObject } from '../../base/lazy-object.ts'

/** The calls that a consumer may make about an existing delivery. */
export const shipmentCalls = [
  'ready-for-pickup',
  'collected',
  'problem',
  'delivered',
  'cancel',
] as const
export type ShipmentCall = (typeof shipmentCalls)[number]

const freeText = z.string().max(2000)
const optionalId = z.exactOptional(idField)

const DeliveryOrder: z.ZodType<DeliveryRequest> = strictObject(() => ({
  orderId: idField,
  displayId: z.exactOptional(freeText),
  goods: z.exactOptional(
    z.strictObject({
      price: z.strictObject({ value: z.number(), currency: z.string() }),
      weight: z.int(),
      payments: z.record(z.string(), z.unknown()),
    }),
  ),
  merchant: DeliveryPlace,
  pickup: DeliveryPlace,
  dropoff: DeliveryPlace,
}))

const Courier: z.ZodType<DeliveryCourier> = strictObject(() => ({
  id: idField,
  name: freeText,
  phone: freeText,
  vehicle: z.enum(vehicles),
  kmPerHour: z.number().positive(),
}))

const deliveryCommands = {
  /** Adds couriers to the Delivery Platform's fleet. */
  'delivery.enlist': commandRow({
    shape: () => ({ couriers: z.array(Courier).max(200) }),
    text: ({ couriers }) => `${couriers.length} couriers go on duty`,
  }),
  /** Asks for availability, price and duration of a delivery. */
  'delivery.quote': commandRow({
    shape: () => ({ request: AvailabilityRequest }),
    text: () => 'a question for availability',
  }),
  /** Creates the delivery of an order. */
  'delivery.create': commandRow({
    shape: () => ({ wish: DeliveryOrder, consumer: RoleName }),
    text: ({ consumer }) => `a delivery for ${shortRoleName[consumer]}`,
    orderId: ({ wish }) => wish.orderId,
  }),
  /** A progress call: accepted now and applied later, if the lifecycle allows it. */
  'delivery.request': commandRow({
    shape: () => ({
      orderId: idField,
      trigger: z.enum(['collected', 'delivered', 'cancel']),
      /** The caller's reason. */
      because: z.exactOptional(freeText),
    }),
    text: ({ trigger }) => `delivery: ${trigger} is asked for`,
  }),
  /** Applies an accepted call; also how the platform moves its own deliveries. */
  'delivery.apply': commandRow({
    shape: () => ({
      orderId: idField,
      trigger: z.enum(['assign', 'collected', 'delivered', 'cancel', 'fail']),
      /** The delivery's id, as an order may have had an earlier delivery. */
      deliveryId: optionalId,
      /** The reason code, included in the event. */
      because: z.exactOptional(freeText),
      /** The platform rejects the delivery altogether. */
      rejects: trueField,
      /** Skips the check against the lifecycle. */
      force: trueField,
    }),
    text: ({ rejects, trigger, force }) =>
      `delivery: ${rejects ? 'reject' : trigger} takes effect${force ? ', forced' : ''}`,
  }),
  /** Reports to the platform that the food is ready. */
  'delivery.ready': commandRow({
    shape: () => ({ orderId: idField, force: trueField }),
    text: () => 'DP learns that the food is ready',
  }),
  /** The courier reaches a step of the route. */
  'delivery.progress': commandRow({
    shape: () => ({
      orderId: idField,
      step: z.enum(courierSteps),
      deliveryId: optionalId,
      force: trueField,
    }),
    text: ({ step }) => `the courier gets ${step}`,
  }),
  /** The courier checks whether the food is ready; after the last check the order is collected anyway. */
  'delivery.wait': commandRow({
    shape: () => ({
      orderId: idField,
      deliveryId: idField,
      /** Remaining checks. */
      left: z.int().min(0).max(1000),
    }),
    text: () => 'the courier looks whether the food is ready',
  }),
  /** Reports an incident. */
  'delivery.report': commandRow({
    shape: () => ({
      orderId: idField,
      problem: z.strictObject({
        code: idField,
        description: z.exactOptional(freeText),
        /** Whether the delivery can still be completed; absent when not reported. */
        recoverable: z.exactOptional(z.boolean()),
      }),
      deliveryId: optionalId,
      force: trueField,
    }),
    text: ({ problem }) => `an incident on the way: ${problem.code}`,
  }),
}

const consumerField = z.enum(['ordering-application', 'software-service'])
const shipmentFields = () => ({ role: consumerField, orderId: idField })

const shipmentCommands = {
  /** A consumer wants an order delivered by one of these platforms, in order of preference. */
  'shipment.demand': commandRow({
    shape: () => ({
      ...shipmentFields(),
      demand: DeliveryOrder,
      platforms: z.array(z.int().min(0).max(10)).max(11),
    }),
    text: ({ role }) => `${shortRoleName[role]} wants it delivered`,
  }),
  /** The consumer asks the next platform for availability. */
  'shipment.ask': commandRow({
    shape: shipmentFields,
    text: ({ role }) => `${shortRoleName[role]} asks for availability`,
  }),
  /** The consumer creates the delivery at the platform that is available. */
  'shipment.create': commandRow({
    shape: () => ({
      ...shipmentFields(),
      /** Repeats the call although the delivery is created already. */
      again: trueField,
    }),
    text: ({ role }) => `${shortRoleName[role]} creates the delivery`,
  }),
  /** The food is ready, to be reported to the platform. */
  'shipment.food-ready': commandRow({
    shape: shipmentFields,
    text: ({ role }) => `${shortRoleName[role]} tells DP that the food is ready`,
  }),
  /** The consumer makes a call about the delivery. */
  'shipment.call': commandRow({
    shape: () => ({
      ...shipmentFields(),
      call: z.enum(shipmentCalls),
      body: z.exactOptional(z.unknown()),
    }),
    text: ({ role, call }) => `${shortRoleName[role]} calls DP: ${call}`,
  }),
  /** The consumer cancels the delivery. */
  'shipment.cancel': commandRow({
    shape: shipmentFields,
    text: ({ role }) => `${shortRoleName[role]} cancels the delivery`,
  }),
  /** A webhook delivered a platform's event to the consumer. */
  'shipment.notify': commandRow({
    shape: () => ({ role: consumerField, event: DeliveryEvent }),
    text: ({ role }) => `an event of the delivery reaches ${shortRoleName[role]}`,
    orderId: ({ event }) => event.orderId,
  }),
  /** The consumer reads the delivery, unless it changed since the round at which this was scheduled. */
  'shipment.read': commandRow({
    shape: () => ({ ...shipmentFields(), round: z.exactOptional(z.int().min(0)) }),
    text: ({ role }) => `${shortRoleName[role]} reads the delivery`,
  }),
}

export const logisticsCommands = { ...deliveryCommands, ...shipmentCommands }

export type DeliveryCommand = CommandIn<typeof deliveryCommands>
export type ShipmentCommand = CommandIn<typeof shipmentCommands>
export type LogisticsCommand = DeliveryCommand | ShipmentCommand

export type ConsumerRole = ShipmentCommand['role']
