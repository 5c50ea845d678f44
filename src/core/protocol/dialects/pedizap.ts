/** Pedizap’s V1 (fields.md, 4.6). */
import { defineDialect } from './dialect.ts'
import { v1 } from './v1.ts'

export const pedizap = defineDialect({
  ...v1,
  name: 'pedizap',
  summary: 'V1 with polling at /v1/events, problem+json errors and tokens of six hours',
  conduct: {
    ...v1.conduct,
    paths: {
      pollEventsV1: '/v1/events',
      setOrderDetailsV1: '/v1/orders/{orderId}',
      validateCodeV1: '/v1/orders/{orderId}/validateCode/{deliveryCode}',
    },
    // 202, 400 and 401 are the documented answers.
    unknownAcknowledgment: 'ignore',
    errorBody: 'problem+json',
    tokenLife: 21_600_000,
  },
})
