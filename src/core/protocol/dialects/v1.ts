/** A partner who has not migrated: V1.7.0 as specified (fields.md, section 4). */
import { defineDialect } from './dialect.ts'

export const v1 = defineDialect({
  name: 'v1',
  summary: 'V1.7.0: its paths, events, order shape, handshake and errors',
  conduct: {
    speaks: 'v1',
    manifest: 'trust',
    errorBody: 'problem',
    invalidTransition: { orders: 422 },
    passedTarget: 422,
    acknowledgment: 'v1',
    acknowledgmentLimit: 100,
    unknownAcknowledgment: 'refuse',
    clientIdGeneration: ['by_merchant'],
    webhookAccess: 'signature',
  },
  protocol: { scopePrefix: 'od', version: 'v1.7.0' },
  webhookPath: '/v1/newEvent',
  beyond: [
    'menus and merchants (/v1/merchant): onboarding, updates and status are accepted and have no effect',
    'deliveries (/v1/logistics), and the webhook that announces the customer’s code (/v1/confirmationCode)',
  ],
})
