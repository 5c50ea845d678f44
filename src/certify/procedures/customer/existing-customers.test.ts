// @module-tag slow
/**
 * A CRM at which nobody may create customers, and which redeems without coupons: certified with ids that exist there.
 */
import { expect, test } from 'vitest'
import {
  certifyCounterpart,
  type CounterpartVariant,
  type Defect,
} from '../../../../test/support/certified-counterpart.ts'
import type { FetchHandler, Session } from '../../../core/session-api/session.ts'
import type { CheckResult } from '../../judge/judge-checks.ts'
import { customerChecks } from '../../../core/rules/checks/catalogue.ts'

const customers = ['K-1', 'K-2', 'K-3', 'K-4']
const program = 'clube-do-bairro'

/** Its programs: customers have accounts in both, and rewards are of the second. */
const variant: CounterpartVariant = {
  conduct: {
    loyalty: {
      programs: [
        { id: 'cartao-antigo', name: 'Cartão antigo' },
        { id: program, name: 'Clube do Bairro' },
      ],
      rewards: [{ id: 'sobremesa', programId: program, name: 'Sobremesa', cost: 100 }],
    },
  },
}

const refusal = (code: string, status: number): Response =>
  Response.json({ error: { code, message: 'not here', retryable: false } }, { status })

/** The refusal of what is of a customer who is not its own, with a token only. */
async function refusalOf(request: Request, forward: FetchHandler): Promise<Response | undefined> {
  const { pathname } = new URL(request.url)
  if (request.method !== 'POST') return undefined
  if (/customers(:ingest)?$/.test(pathname)) return refusal('NOT_FOUND', 404)
  if (!/(leads|orders|reviews)(:ingest)?$/.test(pathname)) return undefined
  const text = await request.clone().text()
  const namesCustomer = /"(customer|customerId|customerRef)":/.test(text)
  if (!namesCustomer || customers.some((id) => text.includes(`"${id}"`))) return undefined
  const answer = await forward(new Request(request, { method: 'POST', body: '{}' }))
  return answer.status === 401 || answer.status === 403 ? answer : refusal('UNKNOWN_CUSTOMER', 422)
}

/**
 * It neither declares nor serves the ingest of customers, refuses what is of other customers than its own, and gives no
 * coupons for points.
 */
const closedCrm = (grantedCoupons: readonly string[]): Defect => ({
  about: 'knows its own customers only',
  async answer(request, forward) {
    const refused = await refusalOf(request.clone(), forward)
    if (refused) return refused
    const { pathname } = new URL(request.url)
    const response = await forward(request)
    if (pathname.includes('/.well-known/')) {
      const text = (await response.text()).replaceAll(/"(upsertCustomers|ingestCustomer)",?/g, '')
      return new Response(text, response)
    }
    if (!pathname.endsWith('/loyalty/coupons') || response.status !== 200) return response
    const page = (await response.json()) as { items: readonly { code: string }[] }
    const items = page.items.filter(({ code }) => grantedCoupons.includes(code))
    return Response.json({ ...page, items })
  },
  async call(request, forward) {
    const text = await request.clone().text()
    return /"loyalty\.coupon_/.test(text) ? new Response(null, { status: 204 }) : forward(request)
  },
})

/**
 * What its operator has done before: customers with accounts in both programs, and coupons where it is to have some.
 */
async function fill(crm: Session, granted: string[], hasCoupons: boolean): Promise<void> {
  const submit = async (command: Parameters<Session['submit']>[0]): Promise<void> => {
    expect(await crm.submit(command)).toMatchObject({ ok: true })
  }
  for (const [index, id] of customers.entries()) {
    const identifier = { type: 'phone', value: `+551198888000${index}` } as const
    const contacts = { phone: identifier.value }
    const record = { id, identifier, name: `Cliente ${index}`, contacts }
    await submit({ kind: 'customer.enter', entry: { entity: 'customer', record } })
    for (const programId of ['cartao-antigo', program])
      await submit({ kind: 'loyalty.enroll', customerId: id, programId })
  }
  const accounts = crm
    .facts()
    .flatMap(({ fact }) => (fact.kind === 'loyalty.account-enrolled' ? [fact.account] : []))
  for (const { id: accountId, programId } of accounts) {
    if (programId !== program) continue
    await submit({ kind: 'loyalty.adjust', accountId, points: 30 })
    if (hasCoupons)
      await submit({ kind: 'loyalty.grant-coupon', accountId, type: 'discount', value: 10 })
  }
  for (const { fact } of crm.facts())
    if (fact.kind === 'loyalty.coupon-issued') granted.push(fact.coupon.code)
}

interface CrmData {
  readonly data: readonly ('customers' | 'programs' | 'coupons')[]
  readonly hasCoupons?: boolean
}

async function certify({ data, hasCoupons = true }: CrmData): Promise<readonly CheckResult[]> {
  const granted: string[] = []
  const { results } = await certifyCounterpart({
    role: 'crm',
    checks: customerChecks,
    variant,
    defect: closedCrm(granted),
    async prepare(crm) {
      await fill(crm, granted, hasCoupons)
      const all = { customers, programs: [program], coupons: granted }
      return Object.fromEntries(data.map((key) => [key, all[key]]))
    },
  })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  return results
}

const clausesWith = (
  results: readonly CheckResult[],
  holds: (result: CheckResult) => boolean,
): readonly string[] => results.filter(holds).map(({ clause }) => clause)

const asksFor =
  (key: string) =>
  ({ outcome, why = '' }: CheckResult): boolean =>
    outcome === 'skipped' && why.includes(`give ${key} in --data`)

/** What needs a customer who is there, an account with movements, or an order of such a customer. */
const ofKnownCustomers = `
  CUS-EVR-01 CUS-FLW-04 CUS-FLW-05 CUS-GEN-11 CUS-PAY-04 CUS-RUL-01 LOY-ACC-02 LOY-ACC-03
  LOY-ACC-04 LOY-EVR-01 LOY-EVR-02 LOY-EVR-03 LOY-EVT-02 LOY-EVT-03 LOY-EVT-04 LOY-EVT-05
  LOY-EVT-06 LOY-FLW-01 LOY-FLW-03 LOY-GEN-01 LOY-PRM-01 LOY-PRM-02 LOY-PRM-03 LOY-PRM-04
  LOY-REC-01 LOY-UND-02
`
  .trim()
  .split(/\s+/)
const ofRewards = `
  LOY-ACC-03 LOY-ACC-04 LOY-EVR-02 LOY-EVT-05 LOY-EVT-06 LOY-EVT-07 LOY-EVT-08 LOY-FLW-03
  LOY-PRM-02 LOY-PRM-03 LOY-PRM-04 LOY-UND-02
`
  .trim()
  .split(/\s+/)

test('without ids what needs a customer is skipped, and says which list would help', async () => {
  const skipped = clausesWith(await certify({ data: [] }), asksFor('customers'))
  expect(skipped).toEqual(expect.arrayContaining(ofKnownCustomers))
})

test('with ids of customers, programs and coupons all of it passes', async () => {
  const results = await certify({ data: ['customers', 'programs', 'coupons'] })
  const passed = clausesWith(results, ({ outcome }) => outcome === 'passed')
  expect(passed).toEqual(expect.arrayContaining(ofKnownCustomers))
  expect(results.filter(({ why = '' }) => why.includes('--data'))).toEqual([])
})

test('with accounts in a program without rewards, a program is asked for', async () => {
  const results = await certify({ data: ['customers'] })
  expect(clausesWith(results, asksFor('programs'))).toEqual(ofRewards)
})

test('where no redemption gives a coupon, one is asked for', async () => {
  const results = await certify({ data: ['customers', 'programs'], hasCoupons: false })
  expect(clausesWith(results, asksFor('coupons'))).toEqual(['LOY-PRM-04'])
})

test('a customer who is given and not there is told', async () => {
  const { results } = await certifyCounterpart({
    role: 'crm',
    checks: customerChecks.filter(({ clauses }) => clauses.includes('CUS-EVR-01')),
    async prepare(crm) {
      await fill(crm, [], false)
      return { customers: ['nobody'] }
    },
    variant,
  })
  expect(results[0]?.why).toBe('customer-consents: it has no customer nobody, which --data gives')
})

test('an Ordering Application is told of the consent of a customer who is given', async () => {
  const { results, trace } = await certifyCounterpart({
    role: 'ordering-application',
    checks: customerChecks.filter(({ clauses }) => clauses.includes('CUS-EVR-01')),
    async prepare(application) {
      const identifier = { type: 'phone', value: '+5511988880000' } as const
      for (const id of ['another', 'K-1']) {
        const record = { id, identifier: { ...identifier, value: `${identifier.value}${id}` } }
        const entry = { entity: 'customer', record } as const
        expect(await application.submit({ kind: 'relation.enter', entry })).toMatchObject({
          ok: true,
        })
      }
      return { customers: ['K-1'] }
    },
  })
  expect(results.map(({ outcome }) => outcome)).toEqual(['passed'])
  expect(trace.notes.map(({ text }) => text)).toEqual(['K-1'])
})
