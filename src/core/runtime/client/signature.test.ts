/** The form of a signature is read from its look, and another body is signed in the same form. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { isSignatureValid, signatureFormOf, signBody, signInForm } from './signature.ts'

const body = '{"eventId":"e-1"}'
const hex = signBody(body, 'theirs', 'hmac-sha256-hex')
const base64 = signBody(body, 'theirs', 'hmac-sha256-base64')
const url = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

test.each([
  ['hex', hex],
  ['hex in capitals', hex.toUpperCase()],
  ['base64', base64],
  ['base64 of URLs', url],
  ['hex behind a prefix', `sha256=${hex}`],
  ['base64 behind a prefix', `SHA256=${base64}`],
])('a signature in %s is made anew in the same form', (_, recorded) => {
  const form = signatureFormOf(recorded)
  expect(form && signInForm(body, 'theirs', form)).toBe(recorded)
  const ours = form && signInForm(body, 'ours', form)
  expect(ours).toHaveLength(recorded.length)
  expect(isSignatureValid(body, 'ours', ours ?? '')).toBe(true)
})

test.each(['', 'abc', '~sig_abcdefghij', hex.slice(1), `${hex}00`, `v1,${base64}`])(
  '"%s" is no signature that could be made anew',
  (text) => expect(signatureFormOf(text)).toBeUndefined(),
)

test('a body that is no text is signed by its bytes', () => {
  const latin1 = Buffer.from('{"note":"p\u00e3o"}', 'latin1')
  const signature = signBody(latin1, 'ours', 'hmac-sha256-hex')
  expect(signature).toBe(createHmac('sha256', 'ours').update(latin1).digest('hex'))
  expect(isSignatureValid(latin1, 'ours', signature)).toBe(true)
  expect(isSignatureValid(latin1.toString('utf8'), 'ours', signature)).toBe(false)
})
