/**
 * The operations of Logistics (document 3, Endpoints). The Delivery Platform is always the provider (LOG-GEN-03); its
 * consumers host only the webhook for its events.
 */
import type { Conduct } from '../conduct.ts'
import { get, type LazySchema, operationsOf, post, type SuccessAnswer } from '../operation.ts'
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
  declaredAs: 'delivery',
  answers: ({ logistics }: Conduct): readonly SuccessAnswer[] => [
    { status: 202, ...(logistics.receipts === 'delivery' ? { response: () => Delivery } : {}) },
  ],
} as const

/** A call about an existing delivery, by its word. */
const progress = <const Word extends string>(word: Word, request: LazySchema) =>
  ({
    ...writes,
    ...post(`/logistics/delivery/{orderId}/${word}`, 202),
    request,
    refuses: deliveryMoves,
    handler: { kind: 'command', name: `delivery.${word}` },
  }) as const

export const logisticsOperations = operationsOf(hosted, {
  checkDeliveryAvailability: {
    ...reads,
    summary: 'Ask for availability and a quote',
    declaredAs: 'availability',
    ...post('/logistics/availability', 200),
    request: () => AvailabilityRequest,
    response: () => Availability,
    refuses: unavailablePlace,
    handler: { kind: 'command', name: 'delivery.quote' },
    clauses: ['LOG-OPS-01', 'LOG-FLD-09', 'LOG-UND-02'],
  },
  createDelivery: {
    ...writes,
    summary: 'Create a delivery',
    ...post('/logistics/delivery', 202),
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
  },
  getDelivery: {
    ...reads,
    summary: 'Read a delivery',
    declaredAs: 'tracking',
    ...get('/logistics/delivery/{orderId}'),
    response: () => Delivery,
    refuses: ['DELIVERY_NOT_FOUND'],
    handler: { kind: 'view', name: 'delivery' },
    clauses: ['LOG-OPS-03', 'LOG-TEN-02'],
  },
  setDeliveryReadyForPickup: {
    ...progress('ready-for-pickup', () => ReadyForPickupBody),
    summary: 'Report that the order waits for the courier',
    handler: { kind: 'command', name: 'delivery.ready' },
    clauses: ['LOG-OPS-04', 'LOG-RUL-05'],
  },
  setDeliveryCollected: {
    ...progress('collected', () => CollectedBody),
    summary: 'Report that the courier has the order',
    clauses: ['LOG-OPS-05', 'LOG-RUL-05'],
  },
  setDeliveryDelivered: {
    ...progress('delivered', () => DeliveredBody),
    summary: 'Report that the order is delivered',
    clauses: ['LOG-OPS-06', 'LOG-RUL-05'],
  },
  reportDeliveryProblem: {
    ...progress('problem', () => ProblemReport),
    summary: 'Report a problem of a delivery',
    distinguishedBy: 'content',
    refuses: [...deliveryMoves, 'UNPROCESSABLE'],
    clauses: ['LOG-OPS-07', 'LOG-RUL-03', 'LOG-RUL-04'],
  },
  cancelDelivery: {
    ...progress('cancel', () => DeliveryCancellation),
    summary: 'Cancel a delivery',
    clauses: ['LOG-OPS-08', 'LOG-RUL-01', 'LOG-RUL-02'],
  },
  receiveDeliveryEvent: {
    summary: 'Receive an event of a delivery',
    capability: 'logistics',
    hosts: ['ordering-application', 'software-service'],
    callers: ['delivery-platform'],
    ...post('/webhooks/delivery', 204),
    aliases: ['/logistics/events'],
    access: { scope: 'logistics', fine: 'logistics.events.write' },
    request: () => DeliveryEvent,
    webhook: 'delivery',
    refuses: ['NOT_FOUND'],
    handler: { kind: 'command', name: 'shipment.notify' },
    clauses: ['LOG-EVT-02', 'LOG-UND-06'],
  },
})
