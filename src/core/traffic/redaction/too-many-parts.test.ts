// @module-tag slow
/** A body with more parts than are read in a moment is replaced whole: nothing else runs meanwhile. */
import { expect, test } from 'vitest'
import { redactor } from '../../../../test/support/redactor.ts'

test('a body with more parts than are read in a moment is replaced, and a long document of orders is read', () => {
  const whole = (text: string, type = 'application/json'): string =>
    redactor.body('request', text, type, 'http://x/v1/orders').value
  const hostile: readonly (readonly [string, string?])[] = [
    [JSON.stringify({ a: 'a@a.br '.repeat(120_000) })],
    ['a@a.br '.repeat(120_000), 'text/plain'],
    [`${'['.repeat(600_000)}${']'.repeat(600_000)}`],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, n])))],
    ['senha=abc12&'.repeat(200_000), 'application/x-www-form-urlencoded'],
  ]
  for (const [text, type] of hostile)
    expect(whole(text, type)).toMatch(/^~body\(\d+ bytes of [a-z/-]+, hmac-sha256 [\da-f]+\)$/)
  const orders = Array.from({ length: 3000 }, (_, n) => ({
    id: `o-${n}`,
    customer: { name: 'Ana Souza', phone: `1198${1_000_000 + n}`, email: `ana${n}@x.br` },
    items: [{ sku: `A-${n}`, price: 12.5 }],
  }))
  const read = JSON.parse(whole(JSON.stringify(orders))) as typeof orders
  expect(read.map(({ id, items }) => [id, items])).toEqual(
    orders.map(({ id, items }) => [id, items]),
  )
  expect(new Set(read.map(({ customer: { phone } }) => phone)).size).toBe(3000)
})
