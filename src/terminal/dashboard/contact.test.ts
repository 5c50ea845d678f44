/** First contact on the screen: how a service connects, until it has. */
import { describe, expect, test, onTestFinished } from 'vitest'
import { createFakeSession } from '../../../test/support/dashboard/fake-session.ts'
import { driveDashboardOn } from '../../../test/support/dashboard/drive.ts'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import type { SessionApi } from '../../core/session-api/session-api.ts'

describe.each([
  [80, 24],
  [120, 40],
  [200, 60],
])('at %i x %i', (columns, rows) => {
  test('until the service has called, the empty traffic shows how it connects; c shows all of it at any time', async () => {
    const harness = await openHarness({ seed: 1 })
    onTestFinished(() => harness[Symbol.asyncDispose]())
    const screen = await driveDashboardOn(harness.session, { columns, rows })
    for (const wanted of [
      'Waiting for your service to connect',
      /Base URL +http/,
      /Token URL +http/,
      /Client id +\S+/,
      /Client secret +\S+/,
      /Events +GET http/,
    ])
      expect(screen.text()).toMatch(wanted)
    await screen.press('c')
    expect(screen.line('━ Connect your service')).not.toBe('')
    expect(screen.text()).toMatch(/Try it +curl /)
    await screen.press('q')
    await harness.pass(10_000)
    await screen.refresh()
    expect(screen.text()).not.toContain('Base URL')
    await screen.press('c')
    expect(screen.text()).toContain('Your service has connected: ')
    expect(screen.text()).toMatch(/Base URL +http/)
  })
})

test('where the traffic is not visible, pane 4 says it', async () => {
  const harness = await openHarness({ seed: 1 })
  onTestFinished(() => harness[Symbol.asyncDispose]())
  const screen = await driveDashboardOn(harness.session, { columns: 120, rows: 40 })
  await screen.press('1')
  expect(screen.text()).toMatch(/4 Order [^]*Waiting for your service to connect[^]*Base URL/)
})

test('a service that does not answer is told in a sentence, as long as it does not', async () => {
  const fake = createFakeSession({ subject: true })
  let isDown = true
  const session: SessionApi = {
    ...fake,
    async look(view) {
      const snapshot = await fake.look(view)
      const unreachable =
        'Your service does not answer: nothing listens at http://127.0.0.1:3000: start your service, or name its address with --subject <url>'
      const contact = { unreachable, notices: [], waiting: 0 }
      return isDown ? { ...snapshot, info: { ...snapshot.info, contact } } : snapshot
    },
  }
  const screen = await driveDashboardOn(session, { columns: 80, rows: 24 })
  expect(screen.lines()[1]).toContain(
    '✗ Your service does not answer: nothing listens at http://127.0.0.1:3000',
  )
  await screen.resize(200, 60)
  expect(screen.lines()[1]).toContain(
    'start your service, or name its address with --subject <url>',
  )
  isDown = false
  await screen.refresh()
  expect(screen.lines()[1]).toContain('your service SS http://127.0.0.1:3000')
})

test('a session without a service of yours shows no panel, and c says why where none can connect', async () => {
  const screen = await driveDashboardOn(createFakeSession(), { columns: 120, rows: 40 })
  expect(screen.text()).not.toContain('Waiting for your service')
  await screen.press('c')
  expect(screen.text()).toContain('no service can connect to this session')
})
