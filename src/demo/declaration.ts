/** Capabilities that the reference Software Service declares in its manifest. */
import type { OwnCapability } from './own-host.ts'

const called = [
  'getOrder',
  'confirmOrder',
  'setOrderPreparing',
  'setOrderReadyForPickup',
  'dispatchOrder',
  'setOrderDelivered',
  'requestCancellation',
]

export interface DeclarationParts {
  readonly base: string
  readonly polls: boolean
  readonly listens: boolean
}

export const ordersCapability = ({ base, polls, listens }: DeclarationParts): OwnCapability => ({
  name: 'orders',
  role: 'RECEIVER',
  endpoint: base,
  operations: called,
  receiver: {
    supported: true,
    supportedOperations: called,
    unsupportedOperations: ['sendOrderTracking', 'partialItemCancellation'],
    supportsWebhook: listens,
    supportsPolling: polls,
  },
})

/** A consumer of Logistics: webhooks for delivery events, and periodic reads. */
export const logisticsCapability = (base: string): OwnCapability => ({
  name: 'logistics',
  role: 'RECEIVER',
  baseUrl: base,
  trackingMode: 'push',
  operations: ['availability', 'delivery', 'tracking'],
})
