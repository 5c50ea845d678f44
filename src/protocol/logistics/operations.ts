/**
 * The operations of Logistics (document 3, Endpoints). The Delivery Platform is always the provider (LOG-GEN-03); its
 * consumers host only the webhook for its events.
 */
import { defineOperation } from '../operation.ts'
import {
  Availability,
  AvailabilityRequest,
  CollectedBody,
  Delivery,
  DeliveryCancellation,
  DeliveryCreation,
  DeliveryEvent,
  DeliveryReceipt,
  DeliveredBody,
  ProblemReport,
  ReadyForPickupBody,
} from './bodies.ts'

const hosted = {
  capability: 'logistics',
  hosts: ['delivery-platform'],
  callers: ['software-service', 'ordering-application'],
} as const

const reads = { ...hosted, access: { scope: 'logistics', fine: 'logistics.read' } } as const
const writes = {
  ...hosted,
  access: { scope: 'logistics', fine: 'logistics.write' },
  method: 'POST',
  success: 202,
  declaredAs: 'delivery',
} as const

export const logisticsOperations = [
  defineOperation({
    ...reads,
    id: 'checkDeliveryAvailability',
    declaredAs: 'availability',
    method: 'POST',
    path: '/logistics/availability',
    success: 200,
    request: () => AvailabilityRequest,
    response: () => Availability,
    handler: { kind: 'command', name: 'delivery.quote' },
    clauses: ['LOG-OPS-01', 'LOG-FLD-09', 'LOG-UND-02'],
  }),
  defineOperation({
    ...writes,
    id: 'createDelivery',
    path: '/logistics/delivery',
    request: () => DeliveryCreation,
    response: () => DeliveryReceipt,
    handler: { kind: 'command', name: 'delivery.create' },
    clauses: ['LOG-OPS-02', 'LOG-TRA-01', 'LOG-UND-04', 'LOG-UND-05'],
  }),
  defineOperation({
    ...reads,
    id: 'getDelivery',
    declaredAs: 'tracking',
    method: 'GET',
    path: '/logistics/delivery/{orderId}',
    success: 200,
    response: () => Delivery,
    handler: { kind: 'view', name: 'delivery' },
    clauses: ['LOG-OPS-03', 'LOG-TEN-02'],
  }),
  defineOperation({
    ...writes,
    id: 'setDeliveryReadyForPickup',
    path: '/logistics/delivery/{orderId}/ready-for-pickup',
    request: () => ReadyForPickupBody,
    handler: { kind: 'command', name: 'delivery.ready' },
    clauses: ['LOG-OPS-04', 'LOG-RUL-05'],
  }),
  defineOperation({
    ...writes,
    id: 'setDeliveryCollected',
    path: '/logistics/delivery/{orderId}/collected',
    request: () => CollectedBody,
    handler: { kind: 'command', name: 'delivery.collected' },
    clauses: ['LOG-OPS-05', 'LOG-RUL-05'],
  }),
  defineOperation({
    ...writes,
    id: 'setDeliveryDelivered',
    path: '/logistics/delivery/{orderId}/delivered',
    request: () => DeliveredBody,
    handler: { kind: 'command', name: 'delivery.delivered' },
    clauses: ['LOG-OPS-06', 'LOG-RUL-05'],
  }),
  defineOperation({
    ...writes,
    id: 'reportDeliveryProblem',
    path: '/logistics/delivery/{orderId}/problem',
    request: () => ProblemReport,
    handler: { kind: 'command', name: 'delivery.problem' },
    clauses: ['LOG-OPS-07', 'LOG-RUL-03', 'LOG-RUL-04'],
  }),
  defineOperation({
    ...writes,
    id: 'cancelDelivery',
    path: '/logistics/delivery/{orderId}/cancel',
    request: () => DeliveryCancellation,
    handler: { kind: 'command', name: 'delivery.cancel' },
    clauses: ['LOG-OPS-08', 'LOG-RUL-01', 'LOG-RUL-02'],
  }),
  defineOperation({
    id: 'receiveDeliveryEvent',
    capability: 'logistics',
    hosts: ['ordering-application', 'software-service'],
    callers: ['delivery-platform'],
    method: 'POST',
    path: '/webhooks/delivery',
    aliases: ['/logistics/events'],
    access: { scope: 'logistics', fine: 'logistics.events.write' },
    success: 204,
    request: () => DeliveryEvent,
    webhook: 'delivery',
    handler: { kind: 'command', name: 'shipment.notify' },
    clauses: ['LOG-EVT-02', 'LOG-UND-06'],
  }),
] as const
