/** The built product: a session that plays a CRM. */
import { answer } from '../asks.ts'
import { built } from '../built.ts'
import { answersOf, askToken } from './our-session.ts'
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
  // Rate limiting is active, with a limit above the rate of the load.
  conduct: { customer: { requestsPerSecond: 100_000 } },
})
const url = session.urls.get('crm') ?? ''

answer(answersOf(session), { port: Number(new URL(url).port), token: await askToken(url) })
