// @module-tag slow
/**
 * The stories of tables, couriers, customers and points: each passes with Sparring itself as the service, and fails with a
 * mistake of its kind.
 */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadScenarios } from '../src/terminal/cli/run/load-scenarios.ts'
import type { FetchHandler } from '../src/core/session-api/session.ts'
import { type Mistake, playRoleInProcess } from './support/play-role-in-process.ts'
import { isSoak } from './support/soak.ts'
import { isForReference } from './support/scenario-check.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const all = await loadScenarios(['scenarios/*.yaml'], root)
const loaded = all.filter((each) => !isForReference(each) && each.run.scenario.subject !== 'none')
const nameOf = (file: string): string => file.replace(/^scenarios\/|\.yaml$/g, '')

type Json = Record<string, unknown>
type Change = (body: Json) => Json

const isOf = ({ method, url }: Request, call: string): boolean => {
  const [wanted, path = ''] = call.split(' ')
  return method === wanted && new RegExp(`^[^?]*${path}(\\?|$)`).test(url)
}

const json = (body: unknown, status: number): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** The request with another body. */
async function changed(request: Request, change: Change): Promise<Request> {
  const body = JSON.stringify(change((await request.clone().json()) as Json))
  return new Request(request.url, { method: request.method, headers: request.headers, body })
}

type Handler = (request: Request, forward: FetchHandler) => Promise<Response>

/** Only calls of this method and path are treated so. */
const at =
  (call: string, handler: Handler): Handler =>
  (request, forward) =>
    isOf(request, call) ? handler(request, forward) : forward(request)

/** Answered without having done anything. */
const only = (call: string, status: number): Handler =>
  at(call, () =>
    Promise.resolve(status === 204 ? new Response(null, { status }) : json({}, status)),
  )

/** From the n-th time on answered without having done anything. */
const from = (nth: number, call: string, status: number): Handler => {
  let count = 0
  return at(call, (request, forward) =>
    ++count < nth ? forward(request) : Promise.resolve(json({ error: {} }, status)),
  )
}

/** A refusal is answered with success, or one success as another. */
const instead = (call: string, status: number): Handler =>
  at(call, async (request, forward) => {
    const reply = await forward(request)
    return reply.status === 202 || reply.status >= 400 ? json({}, status) : reply
  })

const shows = (call: string, change: (text: string) => string): Handler =>
  at(call, async (request, forward) => {
    const reply = await forward(request)
    return new Response(change(await reply.text()), reply)
  })

const rewritten = (call: string, change: Change): Handler =>
  at(call, async (request, forward) => forward(await changed(request, change)))

const eventIn = (body: Json): Json => (body['event'] as Json | undefined) ?? body

const isEvent = async (request: Request, type: string): Promise<boolean> =>
  isOf(request, 'POST /(webhooks|events|loyalty).*') &&
  eventIn((await request.clone().json()) as Json)['eventType'] === type

/** An event that is never sent. */
const unsaid =
  (type: string): Handler =>
  async (request, forward) =>
    (await isEvent(request, type)) ? new Response(null, { status: 204 }) : forward(request)

/** An event that is sent once more, as another one. */
const saidTwice =
  (type: string): Handler =>
  async (request, forward) => {
    if (await isEvent(request, type))
      await forward(
        await changed(request, (body) => {
          Object.assign(eventIn(body), { eventId: crypto.randomUUID() })
          return body
        }),
      )
    return forward(request)
  }

const twice = (call: string): Handler =>
  at(call, async (request, forward) => {
    const again = await changed(request, (body) => body)
    again.headers.set('x-request-id', crypto.randomUUID())
    await forward(again)
    return forward(request)
  })

const events = 'POST /webhooks/.*'
const doubled = (text: string): string => {
  const body = JSON.parse(text) as Record<string, unknown>
  for (const [key, list] of Object.entries(body))
    if (Array.isArray(list))
      body[key] = (list as Json[]).flatMap((each) => [each, { ...each, id: 'another' }])
  return JSON.stringify(body)
}

const mistakes: Readonly<Record<string, Mistake>> = {
  // Tables
  'a-bill-is-paid-in-two-parts': { answer: only('POST .*/payments', 200) },
  'a-guest-changes-tables': { answer: only('POST .*/transfers', 200) },
  'a-guest-pays-before-the-bill': { answer: only('POST .*/payments', 409) },
  'a-second-order-comes-to-the-table': { call: saidTwice('ACCOUNT_OPENED') },
  'a-table-is-locked-for-the-bill': { answer: instead('POST .*/items/[^/]+/cancel', 200) },
  'a-table-is-not-closed-while-money-is-due': { answer: instead('POST .*/close', 202) },
  'account-events-move-no-order': { call: unsaid('ACCOUNT_PRE_CLOSED') },
  'no-guest-changes-to-a-table-that-pays': { answer: instead('POST .*/transfers', 200) },
  'nothing-is-paid-after-the-table-is-closed': { answer: instead('POST .*/payments', 200) },
  'the-bill-is-asked-for-twice': { call: saidTwice('ACCOUNT_CLOSED') },
  'the-receipt-comes-later': { answer: instead('POST .*/fiscal', 200) },
  // Customers and points
  'a-customer-comes-twice': { answer: shows('GET .*/customers', doubled) },
  'a-customer-has-a-new-phone': { answer: shows('GET .*/customers', doubled) },
  'a-customer-nobody-knows': { answer: instead('GET .*/customers/[^/]+', 200) },
  'a-customer-wants-no-more-letters': { answer: only(events, 204) },
  'a-reward-is-redeemed': { call: unsaid('loyalty.points_redeemed') },
  'a-withdrawal-comes-twice': { answer: from(2, events, 409) },
  'an-old-consent-comes-late': {
    answer: shows('GET .*/customers', (text) =>
      text.replace('"marketing":false', '"marketing":true'),
    ),
  },
  'an-old-record-undoes-no-withdrawal': {
    answer: shows('GET .*/customers', (text) =>
      text.replace('"marketing":false', '"marketing":true'),
    ),
  },
  'an-order-earns-points': { call: unsaid('loyalty.points_accrued') },
  'an-order-that-is-cancelled-earns-nothing': {
    answer: shows('GET .*/loyalty-accounts', (text) =>
      text.replaceAll('"pointsAvailable":0', '"pointsAvailable":50'),
    ),
  },
  'no-more-points-are-spent-than-there-are': { answer: instead('POST .*/redemptions', 202) },
  'points-are-earned-once': { call: saidTwice('loyalty.points_accrued') },
  'points-come-back-with-the-order': { call: unsaid('loyalty.redemption_reversed') },
  // Couriers
  'a-courier-brings-the-order': {
    answer: shows('GET /logistics/delivery/.*', (text) => text.replace('DELIVERED', 'IN_TRANSIT')),
  },
  'a-courier-is-ordered-twice': { answer: from(2, 'POST /logistics/delivery', 409) },
  'a-courier-is-sent-away': { answer: only('POST .*/cancel', 422) },
  'a-delivery-nobody-asked-for': { answer: instead('GET /logistics/delivery/.*', 200) },
  'a-problem-on-the-way-ends-nothing': {
    answer: rewritten('POST .*/problem', (body) => ({ ...body, recoverable: false })),
  },
  'a-problem-that-cannot-be-helped': {
    call: rewritten(events, (body) => ({
      ...body,
      event: { ...eventIn(body), type: 'ORDER_DELIVERED', eventType: 'ORDER_DELIVERED' },
    })),
  },
  'delivered-before-it-was-collected': { answer: instead('POST .*/delivered', 202) },
  'sent-away-before-there-is-a-courier': { answer: only('POST .*/cancel', 202) },
  'the-news-of-a-courier-are-not-taken': { call: from(3, events, 202) },
  'two-couriers-at-once': { call: rewritten(events, (body) => ({ ...body, orderId: 'none' })) },
  'two-problems-on-one-way': { answer: from(2, 'POST .*/problem', 202) },
  // Marketplaces
  'a-courier-says-it-twice': { call: twice('POST /logistics/delivery') },
  'a-crm-that-is-down': {
    call: only('POST .*(/webhooks/customer|/(customers|orders):ingest)', 202),
  },
  'a-marketplace-order-goes-its-way': { answer: from(1, 'POST .*/confirm', 409) },
  'guests-pay-in-the-app': { call: twice('POST .*/close') },
  'nobody-says-that-the-table-is-open': { call: from(1, 'GET /accounts', 404) },
  'the-answer-about-a-courier-is-lost': { call: from(2, 'POST /logistics/delivery', 400) },
  'the-house-gives-a-discount': {
    call: rewritten('POST .*/payments', (body) => ({ ...body, amount: 9999 })),
  },
  'the-news-of-a-table-come-late': { call: from(1, 'POST .*/payments', 500) },
  'the-news-of-a-table-come-twice': { answer: from(2, 'POST /webhooks/accounts', 409) },
  'the-news-of-points-come-twice': { answer: from(2, 'POST .*/webhooks/loyalty', 409) },
  'the-store-says-it-twice': { answer: from(2, 'POST .*/confirm', 409) },
}

const runs = loaded.map(({ file, run }) => [nameOf(file), run] as const)

test.each(runs)('%s passes with a right service', async (_name, run) => {
  const { failures, result } = await playRoleInProcess(run)
  expect({ failures: failures.map(({ because }) => because), result }).toEqual({
    failures: [],
    result: 'passed',
  })
})

test('every story has a mistake by which it fails', () => {
  expect(runs.map(([name]) => name).toSorted()).toEqual(Object.keys(mistakes).toSorted())
})

/** `npm test` plays one mistake of each role, and where several kinds of words are needed; the soak all. */
const quickly = [
  'no-guest-changes-to-a-table-that-pays',
  'points-are-earned-once',
  'delivered-before-it-was-collected',
  'guests-pay-in-the-app',
]

test.each(runs.filter(([name]) => isSoak || quickly.includes(name)))(
  '%s fails with a mistake',
  async (name, run) => {
    const { result } = await playRoleInProcess(run, mistakes[name])
    expect(result).toBe('failed')
  },
)

test('a platform that finds a way is not blamed: what is beyond help is for it to say', async () => {
  const [, run] = runs.find(([name]) => name === 'a-problem-that-cannot-be-helped') ?? []
  if (!run) throw new Error('the story is gone')
  const answer = rewritten('POST .*/problem', (body) => ({ ...body, recoverable: true }))
  const { isOccasionMissed, unexercised } = await playRoleInProcess(run, { answer })
  expect(isOccasionMissed).toBe(true)
  expect(unexercised[0]?.because).toContain('is "DELIVERED", not "FAILED"')
})

test('a CRM, a platform, a marketplace and a POS with tables have ten stories each', () => {
  const counts = Map.groupBy(loaded, ({ run }) => run.scenario.subject)
  const many = [...counts].map(([role, stories]) => [role, stories.length >= 10])
  expect(Object.fromEntries(many)).toEqual({
    'software-service': true,
    crm: true,
    'delivery-platform': true,
    'ordering-application': true,
  })
})
