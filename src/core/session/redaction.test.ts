/** Redaction applies to the recording only: a service gets the original bytes. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { plainOrder } from '../../../test/support/plain-order.ts'
import type { Exchange } from '../traffic/exchange.ts'

afterEach(() => vi.unstubAllEnvs())

test('redaction applies to the file only: the live service gets its token and the customer’s name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-live-'))
  vi.stubEnv('XDG_CONFIG_HOME', folder)
  const file = join(folder, 'x.rec.ndjson')
  const harness = await openHarness({ session: { recording: { file, redact: true } } })
  const heard: Exchange[] = []
  harness.session.onExchange((exchange) => heard.push(exchange))
  const plain = plainOrder('0b6f1f3e-5a51-4c3b-9d51-cc4ba8b0e0a1', 'TAKEOUT')
  const order = { ...plain, customer: { ...plain.customer, name: 'Ana Canária' } }
  const made = await harness.session.createOrder({ order })
  expect(made.ok).toBe(true)
  await harness.pass(60_000)
  await harness[Symbol.asyncDispose]()

  const text = JSON.stringify(heard)
  expect(text).toContain('Ana Canária')
  expect(text).not.toMatch(/~[a-z]{3}[_(]|Pessoa [a-z]{6}/)
  const tokens = heard.flatMap(({ operation, reply }) =>
    operation === 'issueToken'
      ? [(JSON.parse(reply?.body ?? '{}') as { access_token: string }).access_token]
      : [],
  )
  const used = new Set(
    heard.flatMap(({ request }) =>
      request.headers.flatMap(([name, value]) =>
        /^authorization$/i.test(name) && value.startsWith('Bearer ') ? [value.slice(7)] : [],
      ),
    ),
  )
  expect(used.size).toBeGreaterThan(0)
  expect([...used].filter((token) => !tokens.includes(token))).toEqual([])
  expect(heard.filter(({ reply }) => reply?.status === 401)).toEqual([])

  const written = readFileSync(file, 'utf8')
  expect(written).toContain('"type":"http"')
  for (const secret of ['Canária', ...tokens]) expect(written).not.toContain(secret)
  expect(written).toMatch(/Pessoa [a-z]{6}/)
})
