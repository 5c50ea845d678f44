/** Capabilities that the reference Ordering Application declares in its manifest. */
import { logisticsCapability } from './declaration.ts'
import type { OwnCapability } from './own-manifest.ts'

const served = [
  'pollingEvents',
  'acknowledgeEvents',
  'getOrder',
  'confirmOrder',
  'setOrderPreparing',
  'setOrderReadyForPickup',
  'dispatchOrder',
  'setOrderDelivered',
  'requestCancellation',
]

const emitted = [
  'CREATED',
  'CONFIRMED',
  'PREPARING',
  'READY_FOR_PICKUP',
  'DISPATCHED',
  'DELIVERED',
  'CANCELLATION_REQUEST_ACCEPTED',
  'CANCELLATION_REQUEST_DENIED',
  'CANCELLED',
  'CONCLUDED',
]

export const originatorCapabilities = (
  base: string,
  delivers: boolean,
): readonly OwnCapability[] => [
  {
    name: 'orders',
    role: 'ORIGINATOR',
    endpoint: base,
    operations: served,
    originator: {
      supported: true,
      supportedOperations: served,
      unsupportedOperations: ['sendOrderTracking', 'partialItemCancellation'],
      supportedEvents: emitted,
      unsupportedEvents: [],
      supportsWebhook: false,
      supportsPolling: true,
    },
  },
  {
    name: 'indoor',
    role: 'ORIGINATOR',
    endpoint: base,
    operations: ['getAccount', 'preCloseAccount', 'createPayment', 'closeAccount'],
  },
  ...(delivers ? [logisticsCapability(base)] : []),
]
