// @module-tag slow
/**
 * Sessions under contracts: a whole day of all four counterparts keeps to our own OpenAPI documents, and with one field
 * renamed in a document every exchange that has the field is reported.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runsFor } from '../../../test/support/soak.ts'
import { defaultConfiguration } from '../session-api/configuration/defaults.ts'
import { ContractJudge } from '../rules/contract/contract-judge.ts'
import { readContract } from '../runtime/files/contract-files.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import { type Role, roles } from '../protocol/role.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { openApiOfRole } from './openapi.ts'
import { openSession } from './open-session.ts'
import type { SessionOptions } from './options.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-contract-'))

const documentOf = (role: Role): string =>
  JSON.stringify(openApiOfRole(role, defaultConfiguration()))

function saved(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const ownContracts: readonly string[] = roles.map((role) => saved(`${role}.json`, documentOf(role)))

async function day(options: SessionOptions, limit: number) {
  const exchanges: Exchange[] = []
  await using session = await openSession({
    port: 0,
    listen: false,
    clock: 'virtual',
    automatic: false,
    ...options,
    counterparts: {
      'ordering-application': {
        channel: 'both',
        orders: { every: '2s', limit, mix: { DELIVERY: 1, TAKEOUT: 1, INDOOR: 1 } },
      },
    },
  })
  session.onExchange((exchange) => exchanges.push(exchange))
  await session.settle()
  return { exchanges, verdicts: await session.judge(), info: (await session.look({})).info }
}

let uncheckedDay: ReturnType<typeof day> | undefined
/** A day without a contract, played once. */
const unchecked = () => (uncheckedDay ??= day({}, 14))

const contractVerdict = (verdicts: readonly Verdict[]): Verdict => {
  const found = verdicts.find(({ id }) => id === 'CONTRACT')
  if (!found) throw new Error('there is no verdict of a contract')
  return found
}

/** In a soak those of a whole day. */
const orders = runsFor(6, 300)

test('mixed orders of all four counterparts keep to our own documents', async () => {
  const { exchanges, verdicts, info } = await day({ contract: [...ownContracts] }, orders)
  expect(info.counts.orders).toBe(orders)
  const { findings, ...verdict } = contractVerdict(verdicts)
  expect(findings.map(({ because }) => because)).toEqual([])
  expect(verdict).toMatchObject({ outcome: 'passed', violations: 0, premises: exchanges.length })
  expect(exchanges.length).toBeGreaterThan(15 * orders)
})

test.each([
  ['polls by itself', { as: 'software-service' }],
  ['is called and does not answer', { as: 'software-service', subject: 'http://127.0.0.1:9' }],
] as const)('nothing is checked before a service has connected that %s', async (_, options) => {
  const { exchanges, verdicts } = await day({ ...options, contract: [...ownContracts] }, 2)
  expect(exchanges.length).toBeGreaterThan(0)
  const verdict = contractVerdict(verdicts)
  expect(verdict).toMatchObject({ outcome: 'not-exercised', premises: 0, findings: [] })
})

test('and then only what it sends', async () => {
  await using session = await openSession({
    port: 0,
    clock: 'stepped',
    as: 'software-service',
    contract: [...ownContracts],
  })
  const oa = session.urls.get('ordering-application') ?? ''
  for (const path of ['/.well-known/protocol', '/.well-known/protocol', '/merchants'])
    await fetch(`${oa}${path}`)
  expect(contractVerdict(await session.judge())).toMatchObject({ outcome: 'passed', premises: 3 })
})

test('the verdict is the same with each run', async () => {
  const file = saved('renamed-twice.json', documentOf('crm').replaceAll('"merchantId"', '"shopId"'))
  const run = async () => contractVerdict((await day({ contract: file }, 5)).verdicts)
  const first = await run()
  expect(first.violations).toBeGreaterThan(0)
  expect(await run()).toEqual(first)
})

/** A field that the document requires, and the body that has it. */
test.each([
  ['ordering-application', 'displayId', ({ reply }: Exchange) => reply?.body],
  ['software-service', 'eventType', ({ request }: Exchange) => request.body],
] as const)(
  'with a field renamed in the document of the %s, every exchange that has %s is reported',
  async (role, field, bodyOf) => {
    const renamed = documentOf(role).replaceAll(`"${field}"`, `"renamed"`)
    const contract = await readContract(
      { file: saved(`renamed-${role}.json`, renamed) },
      process.cwd(),
    )
    const { exchanges } = await unchecked()
    const judge = new ContractJudge({
      contracts: [contract],
      onBug(error) {
        throw error
      },
    })
    let withField = 0
    for (const exchange of exchanges) {
      const before = judge.verdict().violations
      judge.exchange(exchange, { began: exchange.startedAt })
      const isReported = judge.verdict().violations > before
      const hasField =
        exchange.to.role === role && bodyOf(exchange)?.includes(`"${field}"`) === true
      if (hasField) withField++
      expect({ line: exchange.request.url, isReported }).toEqual({
        line: exchange.request.url,
        isReported: hasField,
      })
    }
    expect(withField).toBeGreaterThan(20)
    // Said once, with the number of times and a few of them.
    const { findings, violations } = judge.verdict()
    expect(violations).toBe(withField)
    expect(findings.map(({ because }) => because)).toEqual([
      expect.stringMatching(
        `/renamed is missing, and the contract requires it .* Seen ${withField} times\\.$`,
      ),
    ])
  },
)

test('what the service does counts, and what we do is advice', async () => {
  const document = documentOf('ordering-application').replaceAll('"displayId"', '"renamed"')
  const file = saved('renamed.json', document)
  await using session = await openSession({
    as: 'software-service',
    // A service that is never called: it polls by itself, in another process.
    subject: () => Promise.resolve(new Response(null, { status: 204 })),
    clock: 'virtual',
    contract: file,
  })
  const made = await session.createOrder({ type: 'TAKEOUT' })
  const orderId = made.ok ? made.value.orderId : ''
  const base = session.urls.get('ordering-application') ?? ''
  const token = await session.fetch(
    new Request(`${base}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'subject',
        client_secret: 'secret',
      }),
    }),
  )
  const { access_token: bearer } = (await token.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  await session.fetch(new Request(`${base}/orders/${orderId}`, { headers }))
  const body = JSON.stringify({ eventIds: 5 })
  const refused = new Request(`${base}/events/acknowledgment`, { method: 'POST', headers, body })
  await session.fetch(refused)
  const { findings, outcome } = contractVerdict(await session.judge())
  expect(outcome).toBe('failed')
  expect(findings.map(({ because, advice }) => [/^(Your|Our)/.exec(because)?.[0], advice])).toEqual(
    [
      ['Your', undefined],
      ['Our', true],
    ],
  )
  // The control API and screens see the same.
  const { verdicts } = await session.look({ verdicts: true })
  expect(contractVerdict(verdicts).findings).toEqual(findings)
})

test('a session without a contract has no such verdict, and one that is none is refused', async () => {
  const { verdicts } = await unchecked()
  expect(verdicts).toEqual([])
  await expect(openSession({ contract: join(folder, 'missing.yaml') })).rejects.toThrow(
    /^reading .*missing\.yaml: there is no such file or directory/,
  )
  await expect(openSession({ contract: 'openapi.yaml=waiter' })).rejects.toThrow(
    /"waiter" is no role; name one of ordering-application/,
  )
})
