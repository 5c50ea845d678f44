/** What a refusal says of its cause: a call that is on its way, a token request in another form, a body in another one. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openOrdersWire } from '../../../test/support/wire.ts'

describe('a call that comes before the one before it has taken effect', () => {
  test('[ORD-RUL-02] names the accepted call, and when it takes effect', async () => {
    await using wire = await openOrdersWire()
    const id = await wire.create({ type: 'TAKEOUT' })
    expect(await wire.ask(id, 'confirm')).toBe(202)
    const early = await wire.post(`/orders/${id}/delivered`)
    expect(early.status).toBe(409)
    expect(early.text).toMatch(
      /delivered is not possible for the TAKEOUT order \S+ in CREATED: confirm #\d+ is accepted and takes effect in \d+ ?ms; wait for its event/,
    )
    await wire.pass(1000)
    const none = await wire.post(`/orders/${id}/delivered`)
    expect(none.text).toMatch(/in CONFIRMED: the lifecycle has no such transition/)
  })

  test('says so when it is held back, and names no call of another order', async () => {
    await using wire = await openOrdersWire()
    const [id, other] = [await wire.create({ type: 'TAKEOUT' }), await wire.create()]
    await wire.ask(id, 'confirm')
    const { agenda } = await wire.session.look({ agenda: { limit: 10, orderId: id } })
    const item = agenda.find(({ kind }) => kind === 'order.apply')
    await wire.session.submit({ kind: 'agenda.hold', id: item?.id ?? 0 })
    const held = await wire.post(`/orders/${id}/delivered`)
    expect(held.text).toMatch(/confirm #\d+ is accepted and is held back/)
    const unrelated = await wire.post(`/orders/${other}/delivered`)
    expect(unrelated.text).toMatch(/in CREATED: the lifecycle has no such transition/)
  })
})

const json = { 'content-type': 'application/json' }
const multipart = new FormData()
multipart.set('client_id', 'subject')
multipart.set('client_secret', 'secret')

describe('a token request that is read as none says in its answer how it is sent', () => {
  test.each<[string, RequestInit, RegExp]>([
    [
      'multipart',
      { body: multipart },
      /is multipart\/form-data, which is not read: send client_id/,
    ],
    [
      'Basic',
      {
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
        headers: { authorization: `Basic ${btoa('subject:secret')}` },
      },
      /in the header Authorization: Basic, where they are not read: send client_id/,
    ],
    [
      'camel case',
      { body: JSON.stringify({ clientId: 'subject', clientSecret: 'secret' }), headers: json },
      /the field clientId is named client_id here/,
    ],
    [
      'kebab case',
      { body: JSON.stringify({ 'client-id': 'subject', 'client-secret': 's' }), headers: json },
      /the field client-id is named client_id here/,
    ],
    [
      'JSON as a form',
      {
        body: JSON.stringify({ client_id: 'subject', client_secret: 'secret' }),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      /the body is JSON and its Content-Type is application\/x-www-form-urlencoded: send Content-Type: application\/json/,
    ],
    [
      'compressed',
      {
        body: new Uint8Array(gzipSync('client_id=subject&client_secret=secret')),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      /the body is compressed with gzip/,
    ],
    ['nothing', {}, /the token request has no body: send client_id/],
  ])('%s', async (_what, init, says) => {
    await using wire = await openOrdersWire()
    const reply = await fetch(`${wire.base}/oauth/token`, { method: 'POST', ...init })
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringMatching(says)])
  })

  test('a wrong secret is compared with that of the client that is named', async () => {
    await using wire = await openOrdersWire({
      clients: [{ clientId: 'pos', clientSecret: 'xyzzy', role: 'software-service' }],
    })
    const reasonFor = async (clientId: string) => {
      const body = new URLSearchParams({ client_id: clientId, client_secret: 'no' })
      await fetch(`${wire.base}/oauth/token`, { method: 'POST', body })
      const { traffic } = await wire.session.look({ traffic: { limit: 1 } })
      return traffic.at(-1)?.reason
    }
    const pos = await reasonFor('pos')
    expect(pos).toContain('the client secret of pos is wrong: your service is client_id=pos and')
    expect(pos).toContain('the client_secret of the configuration (clients)')
    expect(pos).not.toMatch(/xyzzy|client_secret=/)
    expect(await reasonFor('subject')).toContain('client_id=subject and client_secret=secret')
  })
})

describe('a body in another encoding is called what it is', () => {
  const text = JSON.stringify({ eventIds: ['e-1'] })
  test.each<[string, BodyInit, RegExp, string?]>([
    [
      'gzip',
      new Uint8Array(gzipSync(text)),
      /the body is compressed with gzip, and bodies are read/,
    ],
    ['deflate', new Uint8Array(deflateSync(text)), /the body is compressed with deflate/],
    ['a byte order mark', `\u{FEFF}${text}`, /begins with a byte order mark \(U\+FEFF\)/],
    ['UTF-16', new Uint8Array(Buffer.from(text, 'utf16le')), /the body is UTF-16/],
    ['no JSON at all', 'x = 1', /the body is no JSON/],
    ['JSON that is cut off', text.slice(0, -3), /the body is no JSON/],
    ['Brotli', new Uint8Array(brotliCompressSync(text)), /is compressed with br, and/, 'br'],
    ['raw deflate', new Uint8Array(deflateRawSync(text)), /compressed with deflate/, 'deflate'],
    [
      'two codings',
      new Uint8Array(brotliCompressSync(gzipSync(text))),
      /is compressed with gzip, br, and/,
      'gzip, br',
    ],
    ['no JSON, and coded as it is', 'x = 1', /the body is no JSON/, 'identity'],
  ])('%s', async (_what, body, says, coding) => {
    await using wire = await openOrdersWire()
    const reply = await fetch(`${wire.base}/events/acknowledgment`, {
      method: 'POST',
      body,
      headers: {
        ...json,
        authorization: `Bearer ${await wire.token()}`,
        ...(coding ? { 'content-encoding': coding } : {}),
      },
    })
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringMatching(says)])
  })
})
