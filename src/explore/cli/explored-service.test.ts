// @module-tag slow
/** Sessions of an explored service over sockets: several at the same time, each with a process of its own. */
import { expect, test } from 'vitest'
import { demoServiceCommand } from '../../../test/support/spawn-sparring.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import { Configuration } from '../../core/session-api/configuration/schema.ts'
import type { OpenedSession } from '../batch/session-runner.ts'
import { createExploredService } from './explored-service.ts'

const request = { seed: 1, settings: {}, faults: [] }

function createService(maxSessions: number, notify: (sentence: string) => void = () => undefined) {
  const base = { subject: { role: 'software-service' as const } }
  const { io } = createTestIo({ env: { PATH: process.env['PATH'] } })
  return createExploredService({
    base,
    configuration: Configuration.parse(base),
    subject: 'software-service',
    channel: 'polling',
    start: `: {delivery-platform}; ${demoServiceCommand()}`,
    waitSeconds: 30,
    maxSessions: () => maxSessions,
    furtherSessions: 0,
    io,
    signal: new AbortController().signal,
    notify,
  })
}

/** Resolves when the service of a session calls it. */
const called = ({ session }: OpenedSession): Promise<void> =>
  new Promise((resolve) => {
    const stop = session.onExchange(({ from }) => {
      if (from.party !== 'subject') return
      stop()
      resolve()
    })
  })

test('two sessions are open at the same time, at addresses of their own, each with a service that calls it', async () => {
  const said: string[] = []
  await using service = await createService(2, (sentence) => said.push(sentence))
  const [one, other] = await Promise.all([service.open(request), service.open(request)])
  const hosts = [one, other].map(({ session }) => session.urls.get('ordering-application'))
  expect(new Set(hosts).size).toBe(2)
  for (const opened of [one, other]) {
    await using held = opened
    await called(held)
  }
  expect(said).toEqual([
    '{delivery-platform} in --start is empty: it is not played in this session',
  ])
})

test('a session waits for its turn where only one may be open', async () => {
  await using service = await createService(1)
  const first = await service.open(request)
  const states: string[] = []
  const second = service.open(request).then((opened) => {
    states.push('opened')
    return opened
  })
  await called(first)
  states.push('the first ends')
  await first[Symbol.asyncDispose]()
  await using _opened = await second
  expect(states).toEqual(['the first ends', 'opened'])
})
