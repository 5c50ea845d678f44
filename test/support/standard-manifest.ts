/** A manifest of the public standard, written by hand: what a partner publishes under opendelivery-v2. */

type Json = Readonly<Record<string, unknown>>

export const standardManifest = (capabilities: Json): Json => ({
  appId: '0f4a0e62-95c9-4d0e-8a5f-0c7f1d6f2f11',
  openDelivery: { currentVersion: '2.0.0-rc.2', supportedVersions: ['2.0.0-rc.2'] },
  discovery: { version: '1.0.0' },
  authentication: {
    supportedGrantTypes: ['client_credentials'],
    clientIdGeneration: ['by_app'],
  },
  capabilities,
})

const supported = { version: '2.0.0', supported: true } as const

/** Blocks as the schema of the standard has them, without endpoints and without operations. */
export const standardBlocks = {
  customer: { ...supported, supportsBatchGet: true, supportsBatchPost: true, maxBatchSize: 5 },
  indoor: { ...supported, usesAccountId: true },
  originatedOrders: {
    ...supported,
    originator: {
      supported: true,
      supportedEvents: ['ORDER_CREATED', 'ORDER_CONFIRMED', 'ORDER_CANCELLED'],
      unsupportedEvents: [],
      supportsWebhook: true,
      supportsPolling: true,
    },
  },
  receivedOrders: {
    ...supported,
    receiver: {
      supported: true,
      supportedOperations: ['confirmOrder', 'getOrder', 'validateDeliveryCode', 'concludeOrder'],
      unsupportedOperations: [],
      supportsWebhook: true,
      supportsPolling: true,
    },
  },
  deliveries: {
    ...supported,
    originator: {
      supported: true,
      supportedEvents: ['LOGISTICS_CREATED', 'LOGISTICS_DELIVERED'],
      unsupportedEvents: [],
      supportsWebhook: true,
    },
  },
} as const satisfies Readonly<Record<string, Json>>
