/** Whoever decides again waits for the service: until it is there, and until it knows us where it did so first. */
import { expect, test } from 'vitest'
import { Configuration } from '../../configuration/schema.ts'
import { prepareSession } from '../../session/session.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import { meet } from './subject-ready.ts'

const subject = { role: 'software-service', party: 'subject' } as const
const partner = { role: 'ordering-application', party: 'sparring' } as const

const asking = (seq: number, asks: 'we' | 'it'): RecordedExchange => ({
  ...sampleExchange(seq, {
    operation: 'listMerchants',
    from: asks === 'it' ? subject : partner,
    to: asks === 'it' ? partner : subject,
  }),
  recordId: `r${seq}`,
})

const itFirst = [asking(1, 'it'), asking(2, 'we')]

interface Wish {
  readonly url: string
  readonly exchanges?: readonly RecordedExchange[]
  readonly seconds: number
  /** What the service does meanwhile. */
  readonly during?: (us: string) => Promise<unknown>
}

async function meeting({ url, exchanges = itFirst, seconds, during }: Wish) {
  const warned: string[] = []
  await using session = await prepareSession({
    port: 0,
    only: ['ordering-application'],
    as: 'software-service',
    subject: url,
  })
  const met = meet(session, {
    url,
    configuration: Configuration.parse({}),
    exchanges,
    seconds,
    signal: new AbortController().signal,
    onWarning: (text) => warned.push(text),
  }).catch((error: unknown) => error)
  await during?.(session.urls.get('ordering-application') ?? '')
  return { error: await met, warned }
}

test('a service that is dead is told of soon, with 3', async () => {
  const { error } = await meeting({ url: 'http://127.0.0.1:9', seconds: 0.2 })
  expect(error).toMatchObject({
    exit: 3,
    message: expect.stringContaining('does not answer at http://127.0.0.1:9 within 0.2 s'),
  })
})

test('one that was asked first is not waited for once it answers', async () => {
  await using service = await openReceiver()
  const exchanges = [asking(1, 'we'), asking(2, 'it')]
  expect(await meeting({ url: service.url, exchanges, seconds: 30 })).toEqual({ warned: [] })
})

test('one that asked first is waited for until it does', async () => {
  await using service = await openReceiver()
  const during = (us: string) => fetch(`${us}/merchants`)
  expect(await meeting({ url: service.url, seconds: 30, during })).toEqual({ warned: [] })
})

test('if it does not, what may be wrong is told, and only once', async () => {
  await using service = await openReceiver()
  const first = await meeting({ url: service.url, seconds: 0.2 })
  expect(first).toEqual({
    warned: [
      expect.stringMatching(/^your service has not called us within 0\.2 s; .*start it again$/),
    ],
  })
  expect(await meeting({ url: service.url, seconds: 30 })).toEqual({ warned: [] })
})
