/** Keeta’s Open Delivery API, built on V1.5 (fields.md, 4.6 and 2.5). */
import { defineDialect } from './dialect.ts'
import { v1 } from './v1.ts'

export const keeta = defineDialect({
  ...v1,
  name: 'keeta',
  summary: 'V1.5 with credentials per software, JSON token requests and base64 signatures',
  conduct: {
    ...v1.conduct,
    clientIdGeneration: ['by_app'],
    tokenGrant: 'app_level_token',
    tokenRequest: 'json',
    signature: 'hmac-sha256-base64',
    // A webhook that is not answered within 5 s is sent three more times, 5 s apart.
    answerTimeout: 5000,
    webhookRetry: [5000, 5000, 5000],
    confirmWithin: 300_000,
  },
  protocol: { ...v1.protocol, version: 'v1.5.0' },
  notSettled: [
    'signatures: its documents sign every request over URL, sorted query and canonical body, others its webhooks’ raw body alone; conduct.signature: hmac-sha256-request-base64 signs as its documents say',
  ],
  beyond: [
    ...v1.beyond,
    'merchants authorize an application by a webhook of their own',
    'events of refunds; encrypted customer data',
  ],
})
