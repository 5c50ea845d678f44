/** How a signature is written is read from its look, and each form is what an independent verifier makes of it. */
import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { signatureForms } from '../../protocol/signature.ts'
import { isSignatureValid, lookOf, sign, validFormOf } from './signature.ts'

const body = '{"eventId":"e-1"}'
const parts = { url: 'http://host/hook', body }
const hmacForm = signatureForms['hmac-sha256-hex']
const hmac = (text: string, encoding: 'hex' | 'base64' | 'base64url', secret = 'theirs') =>
  createHmac('sha256', secret).update(text).digest(encoding)
const hex = hmac(body, 'hex')
const base64 = hmac(body, 'base64')

test.each([
  ['hex', hex],
  ['hex in capitals', hex.toUpperCase()],
  ['base64', base64],
  ['base64 of URLs', hmac(body, 'base64url')],
  ['hex behind a prefix', `sha256=${hex}`],
  ['base64 behind a prefix', `SHA256=${base64}`],
])('a signature in %s is made anew as it is written', (_, recorded) => {
  const look = lookOf(recorded, hmacForm)
  const form = { ...hmacForm, ...look }
  expect(sign(parts, 'theirs', form)).toBe(recorded)
  const ours = sign(parts, 'ours', form)
  expect(ours).toHaveLength(recorded.length)
  expect(isSignatureValid(parts, 'ours', ours, form)).toBe(true)
  expect(isSignatureValid(parts, 'theirs', ours, form)).toBe(false)
})

test.each(['', 'abc', '~sig_abcdefghij', hex.slice(1), `${hex}00`, `v1,${base64}`])(
  '"%s" is no signature that could be made anew',
  (text) => expect(lookOf(text, hmacForm)).toBeUndefined(),
)

test('md5-hex is the MD5 of the body with the secret behind it', () => {
  const form = signatureForms['md5-hex']
  const expected = createHash('md5').update('{"é":1}segredo').digest('hex')
  expect(sign({ url: '', body: '{"é":1}' }, 'segredo', form)).toBe(expected)
  expect(lookOf(expected.toUpperCase(), form)?.encoding).toBe('hex-upper')
  expect(lookOf(expected, hmacForm)).toBeUndefined()
})

test.each([
  [
    'a query, sorted, and a body with sorted members',
    'http://h/v1/o?c=3&a=1&b=2',
    '{ "b": 1.0, "a": {"d":[1,2],"c":"é"} }',
    'http://h/v1/o&a=1&b=2&c=3&{"a":{"c":"é","d":[1,2]},"b":1}',
  ],
  ['no query', 'http://h/v1/o', '{"a":1}', 'http://h/v1/o&{"a":1}'],
  ['no body', 'http://h/v1/events:polling?x=2', '', 'http://h/v1/events:polling&x=2'],
  ['an empty object, which counts as none', 'http://h/v1/o', ' {} ', 'http://h/v1/o'],
  ['an empty list, which does not', 'http://h/v1/o', '[]', 'http://h/v1/o&[]'],
  ['a value that is encoded', 'http://h/v1/o?t=a%20b', '', 'http://h/v1/o&t=a b'],
  ['a body that is no JSON', 'http://h/v1/o', 'a=1', 'http://h/v1/o&a=1'],
])('hmac-sha256-request-base64 of %s', (_, url, text, signed) => {
  const form = signatureForms['hmac-sha256-request-base64']
  expect(sign({ url, body: text }, 'theirs', form)).toBe(hmac(signed, 'base64'))
})

test('a value of the query may be signed as it is written', () => {
  const form = signatureForms['hmac-sha256-request-base64']
  const called = { url: 'http://h/o?t=a%20b&a', body: '' }
  const valid = (signed: string) => isSignatureValid(called, 'theirs', hmac(signed, 'base64'), form)
  expect(valid('http://h/o&a=&t=a b')).toBe(true)
  expect(valid('http://h/o&a&t=a%20b')).toBe(true)
  expect(valid('http://h/o&t=a b&a=')).toBe(false)
})

test('a body that is no text is signed by its bytes', () => {
  const latin1 = Buffer.from('{"note":"p\u00e3o"}', 'latin1')
  const signed = sign({ url: '', body: latin1 }, 'ours', hmacForm)
  expect(signed).toBe(createHmac('sha256', 'ours').update(latin1).digest('hex'))
  const valid = (sent: string | Uint8Array) =>
    isSignatureValid({ url: '', body: sent }, 'ours', signed, hmacForm)
  expect([valid(latin1), valid(latin1.toString('utf8'))]).toEqual([true, false])
})

test('the form of a valid signature is found by header and digest', () => {
  const found = (headers: Record<string, string>) =>
    validFormOf(parts, ['other', 'theirs'], (name) => headers[name])
  expect(found({ 'x-app-signature': base64 })).toBe('hmac-sha256-hex')
  expect(found({ 'x-app-signature': hmac(`http://host/hook&${body}`, 'base64') })).toBe(
    'hmac-sha256-request-base64',
  )
  const md5 = createHash('md5').update(`${body}theirs`).digest('hex')
  expect(found({ 'didi-header-sign': md5 })).toBe('md5-hex')
  expect(found({ 'x-app-signature': md5 })).toBeUndefined()
})
