/** What is shown of live traffic has no secrets of its addresses. */
import { expect, test } from 'vitest'
import { hashWith } from '../../../../test/support/redactor.ts'
import { displayPath, displayText, setDisplayKey } from './display.ts'

const url = 'http://127.0.0.1:7101/v1/orders?token=canary-1&page=2'

test('replacements tell values apart', () => {
  setDisplayKey(hashWith('a key'))
  const shown = displayPath(url)
  expect(shown).toMatch(/^\/v1\/orders\?token=~tok_[a-z]{10}&page=2$/)
  expect(displayPath(url)).toBe(shown)
  expect(displayPath(url.replace('canary-1', 'canary-2'))).not.toBe(shown)
})

test('a sentence keeps its words and loses what its URLs and paths hold', () => {
  expect(displayText(`connecting to ${url}: refused`)).toMatch(
    /^connecting to http:\/\/127\.0\.0\.1:7101\/v1\/orders\?token=~tok_[a-z]{10}&page=2: refused$/,
  )
  expect(displayText('no answer to POST /bot77:canary/sendMessage')).toMatch(
    /^no answer to POST \/bot77:~sec_[a-z]{10}\/sendMessage$/,
  )
  const secret = 'http://h.example/v1/chave/k3y-8f2a9c4d7e1b/orders'
  expect(displayText('there is no /v1/chave/k3y-8f2a9c4d7e1b/orders', secret)).not.toContain('k3y')
  for (const text of [
    'send the token as Authorization: Bearer <token>',
    'reading /tmp/key-4f9a8b/sparring.config.yaml: it is no YAML',
    'a password: is required',
  ])
    expect(displayText(text)).toBe(text)
})
