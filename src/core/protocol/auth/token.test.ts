/** Token request and response: accepted bodies and token lifetime. */
import { expect, test } from 'vitest'
import { ReceivedToken, remainingTokenLifeMs, TokenRequest } from './token.ts'

const now = Date.parse('2026-01-05T12:00:00Z')

test('[AUT-UND-03] expires_in is seconds from now, or an epoch in ms when it is too large for a lifetime', () => {
  expect(remainingTokenLifeMs(3600, now)).toBe(3_600_000)
  expect(remainingTokenLifeMs(0, now)).toBe(0)
  expect(remainingTokenLifeMs(now + 6 * 3_600_000, now)).toBe(6 * 3_600_000)
  expect(remainingTokenLifeMs(now - 1, now)).toBe(0)
  // A year in seconds is a lifetime, not an instant in 1971.
  expect(remainingTokenLifeMs(31_536_000, now)).toBe(31_536_000_000)
})

test('[AUT-TOK-02, AUT-UND-03] a token request needs client_id and client_secret; all other fields are optional', () => {
  const minimal = { client_id: 'a', client_secret: 'b' }
  expect(TokenRequest.safeParse(minimal).success).toBe(true)
  expect(TokenRequest.safeParse({ ...minimal, scope: 'x y', audience: 'z' }).success).toBe(true)
  expect(TokenRequest.safeParse({ client_id: 'a' }).success).toBe(false)
  expect(TokenRequest.safeParse({ ...minimal, client_id: '' }).success).toBe(false)
  expect(TokenRequest.safeParse({ ...minimal, scope: ['x'] }).success).toBe(false)
})

test('[AUT-UND-03] a token response needs only access_token; expires_in may be absent or a string', () => {
  expect(ReceivedToken.parse({ access_token: 't' })).toMatchObject({ expires_in: 3600 })
  expect(ReceivedToken.parse({ access_token: 't', expires_in: '60' }).expires_in).toBe(60)
  expect(ReceivedToken.parse({ access_token: 't', expires_in: 60 }).expires_in).toBe(60)
  for (const wrong of [{}, { access_token: '' }, { access_token: 't', expires_in: 'soon' }])
    expect(ReceivedToken.safeParse(wrong).success).toBe(false)
})
