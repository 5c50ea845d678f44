/** The driver `partner` validates its flags before it starts. */
import { expect, test } from 'vitest'
import { ensureSubjectReady, partnerDriver } from './partner.ts'
import { Configuration } from '../../../core/session-api/configuration/schema.ts'
import { prepareSession } from '../../../core/session/session.ts'
import { openReceiver } from '../../../../test/support/webhook-receiver.ts'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'

test('flags for re-sent requests are rejected by name', () => {
  expect(() => partnerDriver.check({ recording: 'a', rate: 5 })).toThrow('reading --rate')
  expect(() => partnerDriver.check({ recording: 'a', repeat: 2 })).toThrow('say --driver client')
})

test('a target on another machine needs to be allowed', () => {
  const flags = { recording: 'a', to: 'http://partner.example:80' }
  expect(() => partnerDriver.check(flags)).toThrow('is not this machine')
  expect(() => partnerDriver.check({ ...flags, 'allow-target': ['partner.example'] })).not.toThrow()
})

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

interface ReadinessCase {
  readonly url: string
  readonly exchanges?: readonly RecordedExchange[]
  readonly seconds: number
  /** The behaviour of the subject meanwhile. */
  readonly during?: (us: string) => Promise<unknown>
}

async function waitForReady({ url, exchanges = itFirst, seconds, during }: ReadinessCase) {
  const warned: string[] = []
  await using session = await prepareSession({
    port: 0,
    only: ['ordering-application'],
    as: 'software-service',
    subject: url,
  })
  const met = ensureSubjectReady(session, {
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

test('an unreachable subject is a problem with exit code 3 after the time limit', async () => {
  const { error } = await waitForReady({ url: 'http://127.0.0.1:9', seconds: 0.2 })
  expect(error).toMatchObject({
    exit: 3,
    message: expect.stringContaining('does not answer at http://127.0.0.1:9 within 0.2 s'),
  })
})

test('a subject that was asked first is not waited for once it answers', async () => {
  await using service = await openReceiver()
  const exchanges = [asking(1, 'we'), asking(2, 'it')]
  expect(await waitForReady({ url: service.url, exchanges, seconds: 30 })).toEqual({ warned: [] })
})

test('a subject that asked first is waited for until it calls', async () => {
  await using service = await openReceiver()
  const during = (us: string) => fetch(`${us}/merchants`)
  expect(await waitForReady({ url: service.url, seconds: 30, during })).toEqual({ warned: [] })
})

test('without that call a warning is printed, only once per subject', async () => {
  await using service = await openReceiver()
  const first = await waitForReady({ url: service.url, seconds: 0.2 })
  expect(first).toEqual({
    warned: [
      expect.stringMatching(/^your service has not called us within 0\.2 s; .*start it again$/),
    ],
  })
  expect(await waitForReady({ url: service.url, seconds: 30 })).toEqual({ warned: [] })
})
