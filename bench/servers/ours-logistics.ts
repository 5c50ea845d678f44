/** The built product: a session that plays a Delivery Platform with couriers. */
import { answer } from '../asks.ts'
import { built } from '../built.ts'
import { haste, pace } from './deliveries.ts'
import { answersOf, askToken } from './our-session.ts'
import type { OursOptions } from './ours.ts'
import { silentSubject } from './silent-subject.ts'

const { root } = JSON.parse(process.argv[2] ?? '{}') as OursOptions
const { openSession } = await built(root)
const session = await openSession({
  port: 0,
  listen: true,
  only: ['delivery-platform'],
  subject: { role: 'ordering-application' },
  handler: silentSubject(),
  speed: haste,
  // Every delivery gets a courier, and no courier arrives during the measurement.
  conduct: { logistics: { mostOpen: 1_000_000, pace } },
})
const url = session.urls.get('delivery-platform') ?? ''

answer(answersOf(session), { port: Number(new URL(url).port), token: await askToken(url) })
