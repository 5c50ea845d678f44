/** Validation of redirect_uri. */
import { expect, test } from 'vitest'
import { withQueryParameters, resolveRedirectUri } from './redirect.ts'

const registered = ['https://pos.example/back', 'https://pos.example/back?x=1']

test('[AUT-CRE-03] a redirect URI must be identical to a registered one', () => {
  for (const uri of registered)
    expect(resolveRedirectUri(uri, registered)).toEqual({ ok: true, value: uri })
  for (const uri of [
    'https://pos.example/back/',
    'https://pos.example/BACK',
    'https://pos.example.evil/back',
    'https://evil.example/https://pos.example/back',
    'http://pos.example/back',
    'http://localhost/back',
  ])
    expect(resolveRedirectUri(uri, registered).ok).toBe(false)
})

test('[AUT-CRE-03] a client without registered URIs may use loopback hosts only', () => {
  for (const uri of ['http://127.0.0.1:3000/back', 'http://localhost/x', 'http://[::1]:1/'])
    expect(resolveRedirectUri(uri, []).ok).toBe(true)
  for (const uri of [
    'https://pos.example/back',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://localhost/#fragment',
    'javascript:alert(1)',
    'ftp://localhost/',
    '/back',
    '',
  ])
    expect([uri, resolveRedirectUri(uri, []).ok]).toEqual([uri, false])
})

test('[AUT-CRE-03] redirect_uri may be left out when exactly one is registered', () => {
  expect(resolveRedirectUri(undefined, ['https://a.example/'])).toEqual({
    ok: true,
    value: 'https://a.example/',
  })
  expect(resolveRedirectUri(undefined, registered).ok).toBe(false)
  expect(resolveRedirectUri(undefined, []).ok).toBe(false)
})

test('parameters are added to the existing query of the URI', () => {
  expect(withQueryParameters('https://a.example/back?x=1', { code: 'c d', state: '&' })).toBe(
    'https://a.example/back?x=1&code=c+d&state=%26',
  )
})
