/** The built product: a session that plays a CRM with a loyalty program. */
import { serveIpc } from '../ipc.ts'
import { loadBuiltLibrary } from '../built-library.ts'
import { benchProgram, coffeeReward, unaffordableReward, initialPoints } from './loyalty-program.ts'
import { sessionIpcHandlers, fetchToken, submitAccepted, unwatched } from './our-session.ts'
import type { OurServerOptions } from './ours.ts'
import { silentSubject } from './silent-subject.ts'

const { root } = JSON.parse(process.argv[2] ?? '{}') as OurServerOptions
const { openSession } = await loadBuiltLibrary(root)
const session = await openSession({
  ...unwatched,
  port: 0,
  listen: true,
  only: ['crm'],
  subject: { role: 'ordering-application' },
  handler: silentSubject(),
  conduct: {
    customer: { requestsPerSecond: 100_000 },
    loyalty: {
      enrollment: 'by-hand',
      programs: [{ ...benchProgram }],
      rewards: [{ ...coffeeReward }, { ...unaffordableReward }],
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
    const facts = await submitAccepted(session, {
      kind: 'loyalty.enroll',
      customerId,
      programId: benchProgram.id,
    })
    const enrolled = facts.find((fact) => fact.kind === 'loyalty.account-enrolled')
    if (!enrolled) throw new Error(`${customerId} was not enrolled`)
    const accountId = enrolled.account.id
    await submitAccepted(session, { kind: 'loyalty.adjust', accountId, points: initialPoints })
    accountIds.push(accountId)
  }
  return accountIds
}

serveIpc(
  { ...sessionIpcHandlers(session), create: ({ count }) => create(count) },
  { port: Number(new URL(url).port), token: await fetchToken(url) },
)
