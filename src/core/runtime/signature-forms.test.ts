/** The forms of a signature on sockets, in both directions, by a verifier of its own (R7 of the field notes, 4.6). */
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { openSoftwareServiceSession } from '../../../test/support/software-service-session.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { openOrdersWire } from '../../../test/support/wire.ts'
import { defaultClient } from '../protocol/auth/default-client.ts'

interface Request {
  readonly url: string
  readonly text: string
}

/** The members of an object in order, as RFC 8785 has it for texts and whole numbers. */
const canonical = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(canonical).join(',')}]`
    : typeof value === 'object' && value !== null
      ? `{${Object.entries(value)
          .toSorted(([left], [right]) => (left < right ? -1 : 1))
          .map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`)
          .join(',')}}`
      : JSON.stringify(value)

const byUrl = ({ url, text }: Request, secret: string): string => {
  const { origin, pathname, searchParams } = new URL(url)
  const query = [...searchParams]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join('='))
  const body = text === '' ? [] : [canonical(JSON.parse(text))]
  const signed = [`${origin}${pathname}`, ...query, ...body].join('&')
  return createHmac('sha256', secret).update(signed).digest('base64')
}
const byMd5 = ({ text }: Request, secret: string): string =>
  createHash('md5').update(text).update(secret).digest('hex')

const signed = [
  {
    form: 'hmac-sha256-request-base64',
    header: 'x-app-signature',
    other: 'didi-header-sign',
    sign: byUrl,
  },
  { form: 'md5-hex', header: 'didi-header-sign', other: 'x-app-signature', sign: byMd5 },
] as const

describe.each(signed)('$form', ({ form, header, other, sign }) => {
  test('is what webhooks carry', async () => {
    await using receiver = await openReceiver()
    await using wire = await openOrdersWire({
      subject: { url: `${receiver.url}?key=z&app=b` },
      conduct: { signature: form, manifest: 'trust' },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
    })
    await wire.create({ type: 'DELIVERY' })
    await wire.pass(1000)
    const [received] = receiver.received
    const url = `${receiver.url}/webhooks/orders?key=z&app=b`
    const text = received?.text ?? ''
    expect(received?.headers[header]).toBe(sign({ url, text }, 'secret'))
    expect(received?.headers).not.toHaveProperty(other)
    expect(received?.headers).toHaveProperty('x-app-id')
  })

  test('[TRN-STA-05] is what our webhook verifies: a true one is taken, a wrong one is 401, and one of another form is named', async () => {
    await using store = await openSoftwareServiceSession({ conduct: { signature: form } })
    const event = store.originator.announce('o-1', 'CONFIRMED', { note: 'São João' })
    const request = { url: `${store.base}/webhooks/orders`, text: JSON.stringify(event) }
    const answerTo = (headers: Readonly<Record<string, string>>) =>
      store.push(event, { headers: { 'x-app-signature': '', ...headers } })
    expect((await answerTo({ [header]: sign(request, 'secret') })).status).toBe(204)
    const forged = await answerTo({ [header]: sign(request, 'another') })
    expect(forged).toMatchObject({
      status: 401,
      message: expect.stringMatching(/does not fit the (body|request)$/),
    })
    // With the usual form, in the header of that.
    const usual = await store.push(event)
    if (header === 'x-app-signature')
      expect(usual).toMatchObject({
        status: 401,
        message: expect.stringContaining(
          `signed as by conduct.signature: hmac-sha256-hex, and here that is ${form}`,
        ),
      })
    // A token and no signature in the right header: the token decides.
    else expect(usual.status).toBe(204)
  })

  test('without a token a webhook needs it, and one with the signature of another form is told which', async () => {
    const conduct = { signature: form, webhookAccess: 'signature' } as const
    await using store = await openSoftwareServiceSession({ conduct })
    const event = store.originator.announce('o-1', 'CONFIRMED')
    const request = { url: `${store.base}/webhooks/orders`, text: JSON.stringify(event) }
    const bare = { authorization: '', 'x-app-signature': '' }
    const answerTo = (headers: Readonly<Record<string, string>>) =>
      store.push(event, { headers: { ...bare, ...headers } })
    expect((await answerTo({ [header]: sign(request, 'secret') })).status).toBe(204)
    expect((await answerTo({})).message).toMatch(new RegExp(`has no ${header}$`, 'i'))
    const { status, message } = await store.push(event, { headers: { authorization: '' } })
    expect([status, message]).toEqual([401, expect.stringContaining('hmac-sha256-hex, and here')])
  })
})

describe('hmac-sha256-request-base64 is on every call but that for a token', () => {
  const conduct = { signature: 'hmac-sha256-request-base64' } as const

  test('ours are signed with our secret', async () => {
    await using store = await openSoftwareServiceSession({ conduct, originator: { moves: true } })
    store.originator.place(minimalOrder('o-1', 'TAKEOUT'))
    await store.session.settle()
    const { clientSecret } = defaultClient('software-service')
    const { calls: all } = store.originator
    const calls = all.filter(({ headers }) => headers['authorization'])
    expect(calls.map(({ name }) => name)).toEqual(expect.arrayContaining(['poll', 'acknowledge']))
    for (const call of calls)
      expect([call.name, call.headers['x-app-signature']]).toEqual([
        call.name,
        byUrl(call, clientSecret),
      ])
    const token = all.find(({ name }) => name === 'token')
    expect(token?.headers).not.toHaveProperty('x-app-signature')
  })

  test('those of a service are verified; without one they are taken, and said once', async () => {
    await using wire = await openOrdersWire({ conduct })
    const advice: string[] = []
    wire.session.onExchange((each) => void advice.push(...(each.advice ? [each.advice] : [])))
    const orderId = await wire.create()
    const ask = (path: string, signature: string) =>
      wire.send('GET', path, { headers: { 'x-app-signature': signature } })
    const path = `/orders/${orderId}?b=2&a=%20x`
    const request = { url: `${wire.base}${path}`, text: '' }
    expect((await ask(path, byUrl(request, 'secret'))).status).toBe(200)
    expect(await ask(path, byUrl(request, 'wrong'))).toMatchObject({
      status: 401,
      message: 'X-App-Signature does not fit the request',
    })
    expect(
      await ask(path, byUrl({ ...request, url: `${wire.base}/orders/x` }, 'secret')),
    ).toMatchObject({ status: 401 })
    for (const _ of [1, 2]) expect((await ask(path, '')).status).toBe(200)
    expect(advice).toEqual([
      'the call has no X-App-Signature, and was taken without: sign every call but that for a token; X-App-Signature is the HMAC-SHA256 of the URL without its query, the sorted query and the canonical body (RFC 8785), those that are not empty, joined by &, in Base64, with your client secret as its key',
    ])
  })

  test('a proxy in front of us may be what is signed', async () => {
    await using wire = await openOrdersWire({ conduct })
    const orderId = await wire.create()
    const url = `https://partner.example/orders/${orderId}`
    const { status } = await wire.send('GET', `/orders/${orderId}`, {
      headers: {
        'x-forwarded-host': 'partner.example',
        'x-app-signature': byUrl({ url, text: '' }, 'secret'),
      },
    })
    expect(status).toBe(200)
  })
})

describe('none', () => {
  test('a webhook has a token and no signature, even where a dialect has the signature alone', async () => {
    await using receiver = await openReceiver()
    await using wire = await openOrdersWire({
      subject: { url: receiver.url },
      conduct: { signature: 'none', webhookAccess: 'signature' },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
    })
    await wire.create({ type: 'DELIVERY' })
    await wire.pass(1000)
    const [received] = receiver.received
    expect(received?.headers['authorization']).toBe('Bearer token-1')
    expect(received?.headers).not.toHaveProperty('x-app-signature')
    expect(received?.headers).toHaveProperty('x-app-id')
  })

  test('[TRN-STA-05] our webhook takes a token alone, and refuses one without', async () => {
    await using store = await openSoftwareServiceSession({ conduct: { signature: 'none' } })
    const event = store.originator.announce('o-1', 'CONFIRMED')
    const unsigned = { 'x-app-signature': '' }
    expect((await store.push(event, { headers: unsigned })).status).toBe(204)
    const bare = await store.push(event, { headers: { ...unsigned, authorization: '' } })
    expect(bare.status).toBe(401)
  })
})

test.each([
  ['hmac-sha256-request-base64', 'x-app-signature', /^[\da-f]{64}$/],
  ['md5-hex', 'didi-header-sign', /^[\da-f]{64}$/],
  ['none', 'authorization', /^Bearer [\da-f]{64}$/],
] as const)('with %s a forged webhook has a wrong %s', async (signature, header, wrong) => {
  await using receiver = await openReceiver({
    reply: (nth) => ({ status: nth === 1 ? 403 : 204 }),
  })
  await using wire = await openOrdersWire({
    subject: { url: receiver.url },
    conduct: { signature },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    faults: [{ 'wrong-signature': { how: 'signature', limit: 1 } }],
  })
  await wire.create({ type: 'DELIVERY' })
  await wire.pass(5000)
  const [forged, genuine] = receiver.received
  expect(forged?.headers[header]).toMatch(wrong)
  expect(genuine?.event.eventId).toBe(forged?.event.eventId)
  expect(genuine?.headers[header]).not.toMatch(wrong)
})
