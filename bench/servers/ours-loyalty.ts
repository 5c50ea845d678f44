/** The built product: a session that plays a CRM with a loyalty program. */
import { answer } from '../asks.ts'
import { built } from '../built.ts'
import { club, coffee, dinner, points } from './club.ts'
import { answersOf, askToken, told } from './our-session.ts'
import type { OursOptions } from './ours.ts'
import { silentSubject } from './silent-subject.ts'

const { root } = JSON.parse(process.argv[2] ?? '{}') as OursOptions
const { openSession } = await built(root)
const session = await openSession({
  port: 0,
  listen: true,
  only: ['crm'],
  subject: { role: 'ordering-application' },
  handler: silentSubject(),
  conduct: {
    customer: { requestsPerSecond: 100_000 },
    loyalty: {
      enrollment: 'by-hand',
      programs: [{ ...club }],
      rewards: [{ ...coffee }, { ...dinner }],
    },
  },
})
const url = session.urls.get('crm') ?? ''
let customers = 0

/** Enrolls `count` customers with points; returns their account ids. */
async function create(count: number): Promise<readonly string[]> {
  const accountIds: string[] = []
  for (let made = 0; made < count; made++) {
    const customerId = `customer-${++customers}`
    const facts = await told(session, {
      kind: 'loyalty.enroll',
      customerId,
      programId: club.id,
    })
    const enrolled = facts.find((fact) => fact.kind === 'loyalty.account-enrolled')
    if (!enrolled) throw new Error(`${customerId} was not enrolled`)
    const accountId = enrolled.account.id
    await told(session, { kind: 'loyalty.adjust', accountId, points })
    accountIds.push(accountId)
  }
  return accountIds
}

answer(
  { ...answersOf(session), create: ({ count }) => create(count) },
  { port: Number(new URL(url).port), token: await askToken(url) },
)
