/** Delivery Direto’s subset of V1 (fields.md, 4.6). */
import { defineDialect } from './dialect.ts'
import { v1 } from './v1.ts'

export const deliveryDireto = defineDialect({
  ...v1,
  name: 'delivery-direto',
  summary: 'V1 without deliveries, tokens of six hours',
  conduct: { ...v1.conduct, tokenLife: 21_600_000 },
  beyond: [...v1.beyond, 'several fields of its orders are missing'],
})
