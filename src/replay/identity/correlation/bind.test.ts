// @module-tag slow
/** A recording is mapped to another run: our identifiers generated, the subject's learned, and back without loss. */
import { compact } from '../../../core/base/compact.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  asSubject,
  serviceTraffic,
  populationTraffic,
} from '../../../../test/support/recorded-traffic.ts'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import type { Exchange, HeaderPairs } from '../../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { type BindingOptions, Binding } from './bind.ts'
import type { IdentifierBinding } from '../../../core/traffic/recording/binding.ts'
import type { Correlation } from '../../../core/traffic/recording/correlation.ts'
import { correlate } from './correlate.ts'

const everybody = { ours: () => true }
const us = { ours: ({ party }: { party: string }) => party === 'sparring' }

const dropped =
  /^(?:host|connection|content-length|content-encoding|authorization|x-app-signature|transfer-encoding)$/i
const without = (headers: HeaderPairs, more = /^$/): HeaderPairs =>
  headers.filter(([name]) => !dropped.test(name) && !more.test(name))

function bindingOf(
  exchanges: readonly RecordedExchange[],
  options: Partial<BindingOptions> & { readonly parties?: typeof us } = {},
): IdentifierBinding {
  const { parties = us, ...others } = options
  const correlation = correlate(exchanges, parties)
  return new Binding({ correlation, exchanges, seed: 7, ...others })
}

/** The recording as in another run, as if every identifier were ours. */
function carriedOver(
  exchanges: readonly RecordedExchange[],
  binding: IdentifierBinding,
  shiftMs: number,
): readonly RecordedExchange[] {
  return exchanges.map((exchange) => {
    const request = binding.request(exchange, { shiftMs })
    const reply = exchange.reply && binding.reply(exchange, { shiftMs })
    if (!request.ok || (reply && !reply.ok)) throw new Error('everything is ours')
    const { params: _params, orderId: _orderId, eventIds: _eventIds, ...rest } = exchange
    return { ...rest, request: request.value, ...(reply ? { reply: reply.value } : {}) }
  })
}

const outline = ({ identifiers }: Correlation): readonly unknown[] =>
  identifiers
    .filter(({ origin, kind }) => origin !== 'secret' && kind !== 'request')
    .map(({ kind, origin, born, uses }) => ({ kind, origin, born, uses }))

describe('a whole recording', () => {
  let population: readonly RecordedExchange[]
  let harness: readonly RecordedExchange[]

  beforeAll(async () => {
    population = (await populationTraffic(12)).exchanges
    harness = (await serviceTraffic()).exchanges
  })

  test.each([0, 86_400_000 * 40 + 12_345, -3_600_000])(
    'is byte-identical after renaming and a time shift of %i ms, forth and back',
    (shiftMs) => {
      for (const exchanges of [population, harness]) {
        const binding = bindingOf(exchanges, { parties: everybody })
        const live = carriedOver(exchanges, binding, shiftMs)
        for (const [place, recorded] of exchanges.entries()) {
          const back = binding.renamed(live[place] as Exchange, { shiftMs })
          expect(back.request).toEqual({
            ...recorded.request,
            headers: without(recorded.request.headers),
          })
          expect(back.reply?.body).toEqual(recorded.reply?.body)
          expect(back.reply?.headers).toEqual(
            recorded.reply && without(recorded.reply.headers, /^(?:x-request-id|date)$/),
          )
        }
      }
    },
  )

  test('a renamed recording has the same correlation as the original', () => {
    const binding = bindingOf(population, { parties: everybody })
    const before = correlate(population, everybody)
    const live = carriedOver(population, binding, 0)
    const after = correlate(live, everybody)
    expect(outline(after)).toEqual(outline(before))
    const fresh = new Set(after.identifiers.map(({ value }) => value))
    for (const { value, origin } of before.identifiers)
      if (origin === 'ours') expect(fresh.has(value)).toBe(false)
  })

  test('only learned places change', () => {
    const correlation = correlate(population, everybody)
    const binding = new Binding({ correlation, exchanges: population, seed: 7 })
    for (const recorded of population) {
      const request = binding.request(recorded, { shiftMs: 0 })
      if (!request.ok) throw new Error(request.error.because)
      let expected = `${recorded.request.url}\n${recorded.request.body ?? ''}`
      let live = `${request.value.url}\n${request.value.body ?? ''}`
      const names = correlation
        .in(recorded.recordId)
        .map(({ identifier: { kind, value } }) => [value, binding.newName(kind, value)] as const)
        .filter(([, name]) => name !== undefined)
        .toSorted(([a], [b]) => b.length - a.length)
      for (const [old, name] of names) {
        expected = expected.replaceAll(old, '·')
        live = live.replaceAll(name ?? '', '·')
      }
      expect(live).toBe(expected)
    }
  })

  test('the same seed generates the same identifiers, another seed others, without collisions', () => {
    const names = (seed: number): readonly string[] => {
      const binding = bindingOf(population, { parties: everybody, seed })
      carriedOver(population, binding, 0)
      return binding
        .map()
        .filter(({ kind }) => kind === 'order' || kind === 'event')
        .map((row) => row.new)
    }
    const ofSeven = names(7)
    expect(names(7)).toEqual(ofSeven)
    expect(new Set([...ofSeven, ...names(8)]).size).toBe(ofSeven.length * 2)
    for (const name of ofSeven)
      expect(name).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  test('`sameIds` keeps our recorded identifiers', () => {
    const binding = bindingOf(population, { parties: everybody, sameIds: true })
    for (const [place, live] of carriedOver(population, binding, 0).entries()) {
      expect(live.request.url).toBe(population[place]?.request.url)
      expect(live.request.body).toBe(population[place]?.request.body)
    }
  })

  test('an identifier of the subject is unresolved until it is learned, with the place to learn it from', () => {
    const seen = asSubject(population, 'software-service')
    const binding = bindingOf(seen)
    const opened = seen.findIndex(({ operation }) => operation === 'receiveAccountEvent')
    const asked = seen.findIndex(({ operation }) => operation === 'getAccount')
    const event = seen[opened] as RecordedExchange
    const question = seen[asked] as RecordedExchange
    const before = binding.request(question, { shiftMs: 0 })
    expect(before.ok ? '' : before.error).toMatchObject({
      kind: 'account',
      site: { recordId: question.recordId, side: 'request', at: '/query/accountId/0' },
      because: expect.stringMatching(
        /^the new name of account \S+ is not known: it should have been learned from the request of exchange \d+ \(receiveAccountEvent\) at \/body\/accountId\.$/,
      ) as string,
    })
    const { accountId } = JSON.parse(event.request.body ?? '') as { accountId: string }
    const fresh = '11111111-2222-4333-8444-555555555555'
    const body = event.request.body?.replaceAll(accountId, fresh) ?? ''
    expect(binding.learn(event, { ...event, request: { ...event.request, body } })).toEqual([])
    const after = binding.request(question, { shiftMs: 0 })
    expect(after.ok && after.value.url).toContain(fresh)
    expect(binding.oldName('account', fresh)).toBe(accountId)
    expect(binding.map()).toContainEqual(
      expect.objectContaining({ kind: 'account', old: accountId, new: fresh }),
    )
  })

  test('all identifiers of another run of the subject are learned from its requests and replies', async () => {
    const seen = asSubject(population, 'software-service')
    const again = asSubject((await populationTraffic(12)).exchanges, 'software-service')
    // The same run with other identifiers: a subject that generates its own.
    const theirs = new Binding({
      correlation: correlate(again, { ours: ({ party }) => party === 'subject' }),
      exchanges: again,
      seed: 99,
    })
    const binding = bindingOf(seen, { sameIds: true })
    let unresolved = 0
    for (const [place, recorded] of seen.entries()) {
      if (recorded.from.party === 'sparring' && !binding.request(recorded, { shiftMs: 0 }).ok)
        unresolved++
      const other = again[place] as RecordedExchange
      const renamed = (text: string): string =>
        text.replaceAll(
          /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g,
          (id) =>
            ['account', 'event', 'payment', 'document', 'request']
              .map((kind) => theirs.newName(kind, id))
              .find((name) => name !== undefined && name !== id) ?? id,
        )
      const { request, reply } = other
      const live: Exchange = {
        ...other,
        request: {
          ...request,
          url: renamed(request.url),
          ...(request.body === undefined ? {} : { body: renamed(request.body) }),
        },
        ...(reply
          ? {
              reply: {
                ...reply,
                ...(reply.body === undefined ? {} : { body: renamed(reply.body) }),
              },
            }
          : {}),
      }
      expect(binding.learn(recorded, live)).toEqual([])
      expect(binding.renamed(live, { shiftMs: 0 }).request.body).toBe(recorded.request.body)
      expect(binding.renamed(live, { shiftMs: 0 }).reply?.body).toBe(recorded.reply?.body)
    }
    expect(unresolved).toBe(0)
    expect(binding.conflicts()).toEqual([])
  })
})

describe('one exchange', () => {
  const post = (seq: number, change: Partial<Exchange> = {}): RecordedExchange => ({
    ...sampleExchange(seq, {
      operation: 'createDelivery',
      from: { role: 'ordering-application', party: 'sparring' },
      to: { role: 'delivery-platform', party: 'subject' },
      params: {},
      request: {
        method: 'POST',
        url: 'http://platform.test/logistics/delivery',
        headers: [
          ['content-type', 'application/json'],
          ['X-Request-Id', 'request-0001'],
          ['Authorization', 'Bearer a-token-of-ours'],
          ['X-App-Signature', 'abc'],
        ],
        body: '{ "orderId": "order-1001", "note": "order-1001 again",\n  "weight": 1.50 }',
      },
      reply: { status: 202, headers: [], body: '{"deliveryId":"d-77"}' },
      ...change,
    }),
    recordId: `r${seq}`,
  })
  const recorded = post(1)
  const get = post(2, {
    operation: 'getDelivery',
    params: { orderId: 'order-1001' },
    request: {
      method: 'GET',
      url: 'http://platform.test/logistics/delivery/order-1001?deliveryId=d-77',
      headers: [['x-request-id', 'request-0001']],
    },
    reply: { status: 200, headers: [], body: '{"id":"d-77","orderId":"order-1001"}' },
  })
  const both = [recorded, get]
  const answered = (body: string | undefined, headers: HeaderPairs = []): Exchange => ({
    ...recorded,
    reply: { status: 202, headers, ...compact({ body }) },
  })

  test('the text around an identifier stays, and so do values that only look alike', () => {
    const sent = bindingOf(both).request(recorded, { shiftMs: 0 })
    expect(sent.ok && sent.value.body).toMatch(
      /^\{ "orderId": "order-[1-9]\d{3}", "note": "order-1001 again",\n {2}"weight": 1\.50 \}$/,
    )
    expect(sent.ok && sent.value.body).not.toContain('"orderId": "order-1001"')
  })

  test('authorization and signature are left to the sender', () => {
    const sent = bindingOf(both).request(recorded, { shiftMs: 0 })
    expect(sent.ok && sent.value.headers.map(([name]) => name)).toEqual([
      'content-type',
      'X-Request-Id',
    ])
  })

  test('a request id is replaced, and retries with one request id share the new one', () => {
    const binding = bindingOf(both)
    const first = binding.request(recorded, { shiftMs: 0 })
    const live = answered('{"deliveryId":"d-90"}')
    binding.learn(recorded, first.ok ? { ...live, request: first.value } : live)
    const second = binding.request(get, { shiftMs: 0 })
    const idOf = (sent: typeof first): string =>
      (sent?.ok &&
        sent.value.headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1]) ||
      ''
    expect(idOf(first)).toMatch(/^request-[\d]{4}$/)
    expect(idOf(first)).not.toBe('request-0001')
    expect(idOf(second)).toBe(idOf(first))
  })

  test.each([
    ['at its place', answered('{"deliveryId":"d-90"}')],
    ['in the Location header', answered(undefined, [['Location', '/logistics/delivery/d-90?x=1']])],
    ['under the same key elsewhere', answered('{"data":{"deliveryId":"d-90"}}')],
  ])('an identifier of the subject is learned %s', (_where, live) => {
    const binding = bindingOf(both)
    expect(binding.learn(recorded, live)).toEqual([])
    const sent = binding.request(get, { shiftMs: 0 })
    expect(sent.ok && sent.value.url).toContain('?deliveryId=d-90')
  })

  test('the only value of the same shape is learned, two of them are ambiguous', () => {
    const long = post(1, {
      reply: { status: 202, headers: [], body: '{"deliveryId":"dlv-00000077"}' },
    })
    const learned = (body: string): string | undefined => {
      const binding = bindingOf([long])
      binding.learn(long, { ...long, reply: { status: 202, headers: [], body } })
      return binding.newName('delivery', 'dlv-00000077')
    }
    expect(learned('{"ref":"dlv-00000099","at":"2026-01-05"}')).toBe('dlv-00000099')
    expect(learned('{"ref":"dlv-00000099","other":"dlv-00000098"}')).toBeUndefined()
  })

  test('one recorded identifier with two live ones is a conflict, and the first stays', () => {
    const binding = bindingOf(both)
    binding.learn(recorded, answered('{"deliveryId":"d-90"}'))
    const conflicts = binding.learn(get, {
      ...get,
      reply: { status: 200, headers: [], body: '{"id":"d-91","orderId":"order-1001"}' },
    })
    expect(conflicts).toContainEqual({
      kind: 'delivery',
      old: 'd-77',
      new: 'd-91',
      against: 'd-90',
      at: { recordId: 'r2', side: 'reply', at: '/body/id' },
    })
    expect(binding.newName('delivery', 'd-77')).toBe('d-90')
    expect(binding.conflicts()).toEqual(conflicts)
  })

  describe('a request that was sent as prepared', () => {
    const sentAs = (change: (body: string) => string = (body) => body) => {
      const binding = bindingOf(both)
      const made = binding.request(recorded, { shiftMs: 3_600_000 })
      if (!made.ok) throw new Error(made.error.because)
      const { body = '', url, headers } = made.value
      const live: Exchange = {
        ...recorded,
        request: {
          method: 'POST',
          url: url.replace('http://platform.test', 'http://127.0.0.1:4000'),
          headers: [...headers, ['authorization', 'Bearer a-token-of-today']],
          body: change(body),
        },
      }
      return { binding, live }
    }

    test('is translated back to the recorded request, with the host that it was sent to', () => {
      const { binding, live } = sentAs()
      expect(binding.learn(recorded, live)).toEqual([])
      const { request } = binding.renamed(live, { shiftMs: 3_600_000 }, recorded)
      expect(request.body).toBe(recorded.request.body)
      expect(request.url).toBe('http://127.0.0.1:4000/logistics/delivery')
      expect(binding.renamed(live, { shiftMs: 3_600_000 }).request).toEqual(request)
    })

    test('teaches the token that was sent with it, and nothing else', () => {
      const { binding, live } = sentAs()
      const before = binding.map().length
      binding.learn(recorded, { ...live, reply: { status: 202, headers: [] } })
      expect(binding.newName('token', 'a-token-of-ours')).toBe('a-token-of-today')
      expect(binding.map()).toHaveLength(before + 1)
    })

    test('is parsed like any other when a fault has changed it', () => {
      const { binding, live } = sentAs((body) => body.replace(/order-\d{4}(?=",)/, 'order-9999'))
      expect(binding.learn(recorded, live)).toMatchObject([
        { kind: 'order', old: 'order-1001', new: 'order-9999' },
      ])
      expect(binding.renamed(live, { shiftMs: 3_600_000 }, recorded).request.body).toContain(
        'order-9999',
      )
    })
  })

  test('with `learnsOurs` our identifiers are learned like those of the subject', () => {
    const binding = bindingOf(both, { learnsOurs: true })
    const before = binding.request(recorded, { shiftMs: 0 })
    expect(before.ok ? '' : before.error.kind).toBe('order')
    const live = answered('{"deliveryId":"d-90"}')
    const body = live.request.body?.replace('"order-1001"', '"order-2002"') ?? ''
    expect(binding.learn(recorded, { ...live, request: { ...live.request, body } })).toEqual([])
    expect(binding.newName('order', 'order-1001')).toBe('order-2002')
    const after = binding.request(get, { shiftMs: 0 })
    expect(after.ok && after.value.url).toBe(
      'http://platform.test/logistics/delivery/order-2002?deliveryId=d-90',
    )
  })

  test('params, orderId and eventIds of a live exchange are renamed with it', () => {
    const binding = bindingOf(both)
    const sent = binding.request(recorded, { shiftMs: 0 })
    const orderId = binding.newName('order', 'order-1001') ?? ''
    expect(sent.ok).toBe(true)
    const live = { ...get, params: { orderId }, orderId }
    expect(binding.renamed(live, { shiftMs: 0 })).toMatchObject({
      params: { orderId: 'order-1001' },
      orderId: 'order-1001',
    })
  })

  test('a form keeps its other fields, and secrets are not generated', () => {
    const form = post(1, {
      operation: 'issueToken',
      request: {
        method: 'POST',
        url: 'http://platform.test/oauth/token',
        headers: [['content-type', 'application/x-www-form-urlencoded']],
        body: 'grant_type=client_credentials&client_id=us&client_secret=s%2Bs&note=a+b',
      },
      reply: { status: 200, headers: [], body: '{"access_token":"tok-123456789012"}' },
    })
    const binding = bindingOf([form], { shared: { us: 'we too' } })
    const sent = binding.request(form, { shiftMs: 0 })
    expect(sent.ok && sent.value.body).toBe(
      'grant_type=client_credentials&client_id=we%20too&client_secret=s%2Bs&note=a+b',
    )
    expect(
      binding.learn(form, {
        ...form,
        reply: { status: 200, headers: [], body: '{"access_token":"tok-999999999999"}' },
      }),
    ).toEqual([])
    expect(binding.oldName('token', 'tok-999999999999')).toBe('tok-123456789012')
  })

  test('two recorded identifiers with one live one are a conflict', () => {
    const binding = bindingOf(both)
    const at = { recordId: 'r1', side: 'reply', at: '/body/deliveryId' } as const
    expect(binding.bind('delivery', 'd-77', 'd-90', at)).toBeUndefined()
    expect(binding.bind('delivery', 'd-78', 'd-90', at)).toMatchObject({ against: 'd-77' })
    expect(binding.newName('delivery', 'd-78')).toBeUndefined()
  })

  test('configured shared identifiers are replaced in both directions', () => {
    const body = '{"orderId":"order-1001","merchantId":"M1"}'
    const one = post(1, { request: { ...recorded.request, body } })
    const binding = bindingOf([one], { shared: { M1: 'M7' } })
    const sent = binding.request(one, { shiftMs: 0 })
    expect(sent.ok && sent.value.body).toContain('"merchantId":"M7"')
    const live: Exchange = { ...one, ...(sent.ok ? { request: sent.value } : {}) }
    expect(binding.renamed(live, { shiftMs: 0 }).request.body).toBe(body)
  })

  test('members of a reordered list are aligned by their ids', () => {
    const events = (...rows: readonly (readonly [string, string, string])[]): string =>
      JSON.stringify(rows.map(([eventId, orderId, eventType]) => ({ eventId, orderId, eventType })))
    const poll = post(1, {
      operation: 'pollingEvents',
      from: { role: 'software-service', party: 'sparring' },
      to: { role: 'ordering-application', party: 'subject' },
      request: { method: 'GET', url: 'http://oa.test/events:polling', headers: [] },
      reply: {
        status: 200,
        headers: [],
        body: events(
          ['e-1', 'o-1', 'CREATED'],
          ['e-2', 'o-2', 'CREATED'],
          ['e-3', 'o-1', 'CONFIRMED'],
        ),
      },
    })
    const binding = bindingOf([poll])
    const at = { recordId: 'r0', side: 'reply', at: '/body/id' } as const
    binding.bind('order', 'o-1', 'o-11', at)
    binding.bind('order', 'o-2', 'o-12', at)
    const body = events(
      ['e-9', 'o-12', 'CREATED'],
      ['e-8', 'o-11', 'CONFIRMED'],
      ['e-7', 'o-11', 'CREATED'],
    )
    expect(binding.learn(poll, { ...poll, reply: { status: 200, headers: [], body } })).toEqual([])
    expect(['e-1', 'e-2', 'e-3'].map((id) => binding.newName('event', id))).toEqual([
      'e-7',
      'e-9',
      'e-8',
    ])
  })
})
