/** What a revocation takes away: the tokens and codes of one client at one host, and of no other. */
import { expect, test } from 'vitest'
import { createWorld } from '../world.ts'
import { applyAuth } from './apply.ts'

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
    applyAuth(world, { kind: 'token.issued', ...of, token })
    const consent = { redirectUri: 'http://127.0.0.1/back', named: true, code }
    applyAuth(world, { kind: 'consent.granted', ...of, ...consent })
  }
  expect([world.tokens.size, world.codes.size]).toEqual([3, 3])
  applyAuth(world, { kind: 'token.revoked', host: 'ordering-application', clientId: 'subject' })
  expect([...world.tokens.keys()]).toEqual([
    'token of other at ordering-application',
    'token of subject at delivery-platform',
  ])
  expect([...world.codes.keys()]).toEqual([
    'code of other at ordering-application',
    'code of subject at delivery-platform',
  ])
})
