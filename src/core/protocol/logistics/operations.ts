/**
 * The operations of Logistics (document 3, Endpoints). The Delivery Platform is always the provider (LOG-GEN-03); its
 * consumers host only the webhook for its events.
 */
import type { Conduct } from '../conduct.ts'
import { defineOperation, type SuccessAnswer } from '../operation.ts'
import { deliveryMoves, unavailablePlace, uncoveredArea } from '../refusals.ts'
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
  answers: ({ logistics }: Conduct): readonly SuccessAnswer[] => [
    { status: 202, ...(logistics.receipts === 'delivery' ? { response: () => Delivery } : {}) },
  ],
} as const

export const logisticsOperations = [
  defineOperation({
    ...reads,
    id: 'checkDeliveryAvailability',
    summary: 'Ask for availability and a quote',
    declaredAs: 'availability',
    method: 'POST',
    path: '/logistics/availability',
    success: 200,
    request: () => AvailabilityRequest,
    response: () => Availability,
    refuses: unavailablePlace,
    handler: { kind: 'command', name: 'delivery.quote' },
    clauses: ['LOG-OPS-01', 'LOG-FLD-09', 'LOG-UND-02'],
  }),
  defineOperation({
    ...writes,
    id: 'createDelivery',
    summary: 'Create a delivery',
    path: '/logistics/delivery',
    request: () => DeliveryCreation,
    response: () => DeliveryReceipt,
    refuses: uncoveredArea,
    answers: ({ logistics: { receipts } }) => [
      {
        status: 202,
        ...(receipts === 'empty'
          ? {}
          : { response: () => (receipts === 'delivery' ? Delivery : DeliveryReceipt) }),
      },
    ],
    handler: { kind: 'command', name: 'delivery.create' },
    clauses: ['LOG-OPS-02', 'LOG-TRA-01', 'LOG-UND-04', 'LOG-UND-05'],
  }),
  defineOperation({
    ...reads,
    id: 'getDelivery',
    summary: 'Read a delivery',
    declaredAs: 'tracking',
    method: 'GET',
    path: '/logistics/delivery/{orderId}',
    success: 200,
    response: () => Delivery,
    refuses: ['DELIVERY_NOT_FOUND'],
    handler: { kind: 'view', name: 'delivery' },
    clauses: ['LOG-OPS-03', 'LOG-TEN-02'],
  }),
  defineOperation({
    ...writes,
    id: 'setDeliveryReadyForPickup',
    summary: 'Report that the order waits for the courier',
    path: '/logistics/delivery/{orderId}/ready-for-pickup',
    request: () => ReadyForPickupBody,
    refuses: deliveryMoves,
    handler: { kind: 'command', name: 'delivery.ready' },
    clauses: ['LOG-OPS-04', 'LOG-RUL-05'],
  }),
  defineOperation({
    ...writes,
    id: 'setDeliveryCollected',
    summary: 'Report that the courier has the order',
    path: '/logistics/delivery/{orderId}/collected',
    request: () => CollectedBody,
    refuses: deliveryMoves,
    handler: { kind: 'command', name: 'delivery.collected' },
    clauses: ['LOG-OPS-05', 'LOG-RUL-05'],
  }),
  defineOperation({
    ...writes,
    id: 'setDeliveryDelivered',
    summary: 'Report that the order is delivered',
    path: '/logistics/delivery/{orderId}/delivered',
    request: () => DeliveredBody,
    refuses: deliveryMoves,
    handler: { kind: 'command', name: 'delivery.delivered' },
    clauses: ['LOG-OPS-06', 'LOG-RUL-05'],
  }),
  defineOperation({
    ...writes,
    id: 'reportDeliveryProblem',
    summary: 'Report a problem of a delivery',
    path: '/logistics/delivery/{orderId}/problem',
    request: () => ProblemReport,
    refuses: [...deliveryMoves, 'UNPROCESSABLE'],
    handler: { kind: 'command', name: 'delivery.problem' },
    clauses: ['LOG-OPS-07', 'LOG-RUL-03', 'LOG-RUL-04'],
  }),
  defineOperation({
    ...writes,
    id: 'cancelDelivery',
    summary: 'Cancel a delivery',
    path: '/logistics/delivery/{orderId}/cancel',
    request: () => DeliveryCancellation,
    refuses: deliveryMoves,
    handler: { kind: 'command', name: 'delivery.cancel' },
    clauses: ['LOG-OPS-08', 'LOG-RUL-01', 'LOG-RUL-02'],
  }),
  defineOperation({
    id: 'receiveDeliveryEvent',
    summary: 'Receive an event of a delivery',
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
    refuses: ['NOT_FOUND'],
    handler: { kind: 'command', name: 'shipment.notify' },
    clauses: ['LOG-EVT-02', 'LOG-UND-06'],
  }),
] as const
