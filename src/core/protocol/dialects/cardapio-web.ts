/** Cardapio Web’s V1, as its clients use it (fields.md, 4.6 and 2.5). */
import { defineDialect } from './dialect.ts'
import { v1 } from './v1.ts'

export const cardapioWeb = defineDialect({
  ...v1,
  name: 'cardapio-web',
  summary: 'V1 whose clients acknowledge with [{ eventId }] and poll once a minute',
  conduct: { ...v1.conduct, acknowledgment: 'any', acknowledgmentBody: 'eventId-objects' },
  channel: 'polling',
  pollEvery: 60_000,
  notSettled: [
    'signatures: some clients expect a token and no signature; conduct.signature: none sends that',
  ],
  beyond: [...v1.beyond, 'a rate limit whose error has “retry” in its title'],
})
