// @module-tag slow
/** Names are read by their words: secrets under any spelling go, and what only resembles them stays. */
import { expect, test } from 'vitest'
import { redactor } from '../../../../test/support/redactor.ts'
import { harmlessDocuments, spelledSecrets } from '../../../../test/support/spelled-secrets.ts'
import { redactExchange } from './exchange.ts'

test('of 250 secrets under other spellings none is left, and redacting twice changes nothing', () => {
  expect(spelledSecrets.length).toBeGreaterThanOrEqual(250)
  const left = spelledSecrets.filter(({ exchange, secret }) => {
    expect(decodeURIComponent(JSON.stringify(exchange)).replaceAll('+', ' ')).toContain(secret)
    const once = redactExchange(exchange, redactor).value
    expect(redactExchange(once, redactor).value).toEqual(once)
    return JSON.stringify(once).includes(secret)
  })
  expect(left.map(({ title }) => title)).toEqual([])
})

test('of 3,000 harmless values of order documents none is changed', () => {
  expect(harmlessDocuments.length).toBeGreaterThan(3000)
  const changed = harmlessDocuments.filter(
    (text) =>
      redactor.body('request', text, 'application/json', 'http://h/v1/orders/o').value !== text,
  )
  expect(changed).toEqual([])
})

test('distinct ids and numbers stay distinct, and numbers stay numbers', () => {
  const card = (n: number): string => String(4_000_000_000_000_000n + BigInt(n) * 7_919_000_003n)
  const documents = Array.from({ length: 3000 }, (_, n) => ({
    orderId: card(n),
    nsu: Number(card(n)),
    cardNumber: Number(card(n)),
    cvv: 1000 + n,
    senha: `senha-${n}-${card(n)}`,
    cpf: `5${String(20_000_000 + n * 7919)}00`,
    telefone: `119${String(80_000_000 + n * 7919)}`,
  }))
  const redacted = documents.map(
    (each) =>
      JSON.parse(
        redactor.body('request', JSON.stringify(each), 'application/json', 'http://h/x').value,
      ) as (typeof documents)[number],
  )
  for (const key of ['orderId', 'nsu', 'cardNumber', 'cvv', 'senha', 'cpf', 'telefone'] as const) {
    expect([key, new Set(redacted.map((each) => each[key])).size]).toEqual([key, 3000])
    expect(redacted.every((each) => typeof each[key] === typeof documents[0]?.[key])).toBe(true)
  }
  expect(redacted.map(({ orderId, nsu }) => [orderId, nsu])).toEqual(
    documents.map(({ orderId, nsu }) => [orderId, nsu]),
  )
  expect(redacted.some(({ cardNumber }, n) => cardNumber === documents[n]?.cardNumber)).toBe(false)
})
