/** What a revocation takes away: the tokens and codes of one client at one host, and of no other. */
import { expect, test } from 'vitest'
import { apply } from '../fact.ts'
import { createWorld } from '../world.ts'

test('[AUT-TOK-04] a revocation ends the tokens and authorization codes of its client at its host, and no others', () => {
  const world = createWorld()
  const subjects = [
    { host: 'ordering-application', clientId: 'subject' },
    { host: 'ordering-application', clientId: 'other' },
    { host: 'delivery-platform', clientId: 'subject' },
  ] as const
  for (const { host, clientId } of subjects) {
    const of = { host, clientId, scopes: ['proto.orders'], expiresAt: 1000 }
    const [token, code] = [`token of ${clientId} at ${host}`, `code of ${clientId} at ${host}`]
    apply(world, { kind: 'token.issued', ...of, token }, 0)
    const consent = { redirectUri: 'http://127.0.0.1/back', named: true, code }
    apply(world, { kind: 'consent.granted', ...of, ...consent }, 0)
  }
  expect([world.tokens.size, world.codes.size]).toEqual([3, 3])
  apply(world, { kind: 'token.revoked', host: 'ordering-application', clientId: 'subject' }, 0)
  expect([...world.tokens.keys()]).toEqual([
    'token of other at ordering-application',
    'token of subject at delivery-platform',
  ])
  expect([...world.codes.keys()]).toEqual([
    'code of other at ordering-application',
    'code of subject at delivery-platform',
  ])
})
