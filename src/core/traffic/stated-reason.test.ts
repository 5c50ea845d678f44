import { expect, test } from 'vitest'
import { boundedLine, plainReason, statedReason } from './stated-reason.ts'

test.for<readonly [body: string, reason: string | undefined]>([
  ['', undefined],
  ['{}', undefined],
  ['null', 'null'],
  ['Not Found', 'Not Found'],
  ['  a line\n  and another ', 'a line and another'],
  ['{"error":{"code":"X","message":"no such order"}}', 'no such order'],
  ['{"error":"invalid_client","error_description":"unknown client"}', 'unknown client'],
  ['{"error":"invalid_client"}', 'invalid_client'],
  ['{"type":"about:blank","title":"Conflict","detail":"it is over"}', 'it is over'],
  ['{"title":"Conflict"}', 'Conflict'],
  ['{"message":["name must be a string","id is missing"]}', 'name must be a string'],
  ['{"errors":[{"message":"id is missing"}]}', 'id is missing'],
  ['[{"message":"id is missing"}]', 'id is missing'],
  ['{"message":"","detail":{"reason":"closed"}}', 'closed'],
  ['{"message":42,"title":"Bad"}', 'Bad'],
  ['{"error":{"error":{"error":{"error":{"error":"deep"}}}}}', undefined],
  ['{ no JSON', '{ no JSON'],
  ['<!DOCTYPE html><html><head><title>Error</title></head>', 'Error'],
  ['<html><body><pre>Cannot POST /webhooks/orders</pre>', 'Cannot POST /webhooks/orders'],
  ['<html><body></body></html>', undefined],
])('%s states %s', ([body, reason]) => {
  expect(statedReason({ body })).toBe(reason)
})

test('a reason is one line of bounded length, whatever the body', () => {
  expect(statedReason({ body: JSON.stringify({ message: 'x'.repeat(50_000) }) })).toHaveLength(400)
  expect(statedReason({ body: 'x'.repeat(200_000) })).toBeUndefined()
  expect(boundedLine('a b\n'.repeat(1000))).toMatch(/^a b a b .*…$/)
})

test('an exchange without a reply states its failure', () => {
  const failure = { code: 'ECONNRESET', message: 'socket hang up' }
  expect(plainReason({ failure })).toBe('socket hang up')
  expect(plainReason({ reply: { status: 500, headers: [], body: 'boom' } })).toBe('boom')
})

test('a reason is shown without secrets and numbers of people', () => {
  const said =
    'token tk_live_9f8e7d6c5b4a39281706fedc expired; card 4539578763621486; password=s3nh4-Super! for ana.q@hotmail.com, CPF 529.982.247-25, fone +55 11 98765-4321'
  const reason = statedReason({ body: JSON.stringify({ error: { message: said } }) })
  for (const secret of ['tk_live', '4539578763621486', 's3nh4', 'ana.q', '529.982', '98765-4321'])
    expect(reason).not.toContain(secret)
  expect(reason).toMatch(/^token ~\S+ expired; card \S+; password=~/)
})
